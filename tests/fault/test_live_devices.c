// test_live_devices.c - the collectors for disks, file systems and networks with too little memory
// SPDX-License-Identifier: MIT

#include "t.h"

#include "live_tree.h"

static void
write_trees(struct tree *t)
{
	tree_files(t, 0, 1, "proc/diskstats",
		   "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n8 1 sda1 1 2 3 4 5 6 7 8 9 10 11\n");
	tree_files(t, 0, 1, "proc/self/mountinfo", "28 1 8:1 / / rw - ext4 /dev/sda1 rw\n");
	tree_files(t, 0, 1, "statvfs", "/ 4096 100 30 30 10 5\n");
	tree_files(t, 0, 1, "proc/self/net/dev", "eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n");
	tree_files(t, 0, 1, "proc/self/net/snmp", "Udp: InDatagrams OutDatagrams\nUdp: 1 2\n");
	tree_open(t, "\\System\\*", NULL);
}

// Take two samples. Returns the first status other than PMON_OK.
static enum pmon_status
run(const struct pmon_live_options *options)
{
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status = pmon_live_open(options, &source, &err);

	for (unsigned i = 0; status == PMON_OK && i < 2; i++)
		status = pmon_source_next(source, &sample, &err);
	pmon_source_close(source);
	return status;
}

static void
every_allocation_fails_once(void **state)
{
	static const char *const patterns[] = {"\\PhysicalDisk(*)\\*", "\\LogicalDisk(*)\\*",
					       "\\Network Interface(*)\\*", "\\UDPv4\\*"};
	struct tree *t = tree_new();
	struct pmon_live_options options = {.size = sizeof(options)};
	struct pmon_err err;

	(void)state;
	write_trees(t);
	options.replay = tree_options(t)->replay;
	for (size_t p = 0; p < T_LEN(patterns); p++) {
		struct t_memory memory = {0};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		size_t fail_at = 0;

		assert_int_equal(pmon_select_new(NULL, &options.select, &err), PMON_OK);
		assert_int_equal(pmon_select_add(options.select, t_span(patterns[p]), &err),
				 PMON_OK);
		options.allocator = &allocator;
		do { // until there are no more allocations to fail
			enum pmon_status status;

			memory = (struct t_memory){.fail_at = ++fail_at};
			status = run(&options);
			assert_true(status == PMON_OK || status == PMON_E_NOMEM);
			assert_int_equal(memory.live_blocks, 0);
		} while (memory.calls >= fail_at);
		assert_true(fail_at > 5);
		pmon_select_free(options.select);
	}
	tree_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_allocation_fails_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
