// test_kernel_events.c - failures of processes and disks in the kernel's log
// SPDX-License-Identifier: MIT
//
// The lines are those of Linux 6.1, as klogctl() returns them.

#include "t.h"

#include <stdlib.h>
#include <string.h>

#include "shell/process/kernel_events.h"

#define NOW     (5000 * PMON_TIME_PER_SEC)
#define MINUTES (10 * PMON_TIME_PER_MIN)

static struct kernel_event events[KERNEL_EVENT_KINDS];

static void
find(const char *log)
{
	kernel_events_find((struct pmon_span){log, strlen(log)}, NOW, MINUTES, events);
}

static void
each_kind(void **state)
{
	(void)state;
	find("<6>[    0.000000] Linux version 6.1.0\n"
	     "<3>[ 4300.000001] Out of memory: Killed process 9 (early) total-vm:1kB, "
	     "anon-rss:1kB\n"
	     "<3>[ 4500.581972] Out of memory: Killed process 10 (first) total-vm:1kB, "
	     "anon-rss:1kB\n"
	     "<3>[ 4940.581972] Memory cgroup out of memory: Killed process 77 (my (app)) "
	     "total-vm:9kB, "
	     "anon-rss:8kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:60kB oom_score_adj:0\n"
	     "<3>[ 4990.000000] INFO: task jbd2/vda1-8:124 blocked for more than 120 seconds.\n"
	     "<6>[ 4980.000000] a[b] c[17624]: segfault at 118 ip 00005621cd992eaf sp "
	     "00007ffcfd10c3b0 error 4\n"
	     "<6>[ 4981.000000] traps: bad[99] trap divide error ip:401122 sp:7ffc error:0 in "
	     "bad[401000]\n"
	     "<3>[ 4999.000000] blk_update_request: I/O error, dev sda, sector 2048 op 0x0:(READ)\n"
	     "<3>[ 5000.000000] I/O error, dev nvme0n1, sector 4096 op 0x1:(WRITE)\n");
	assert_int_equal(events[KERNEL_OUT_OF_MEMORY].times, 2); // one was before
	assert_string_equal(events[KERNEL_OUT_OF_MEMORY].name, "my (app)");
	assert_int_equal(events[KERNEL_OUT_OF_MEMORY].pid, 77);
	assert_int_equal(events[KERNEL_OUT_OF_MEMORY].ago_100ns, 60 * PMON_TIME_PER_SEC);
	assert_int_equal(events[KERNEL_HUNG].times, 1);
	assert_string_equal(events[KERNEL_HUNG].name, "jbd2/vda1-8");
	assert_int_equal(events[KERNEL_HUNG].pid, 124);
	assert_int_equal(events[KERNEL_CRASHED].times, 2);
	assert_string_equal(events[KERNEL_CRASHED].name, "bad");
	assert_int_equal(events[KERNEL_CRASHED].pid, 99);
	assert_int_equal(events[KERNEL_IO_ERROR].times, 2);
	assert_string_equal(events[KERNEL_IO_ERROR].name, "nvme0n1");
	assert_int_equal(events[KERNEL_IO_ERROR].pid, -1);
	find("<6>[ 4980.000000] a[b] c[17624]: segfault at 118 ip 0\n");
	assert_string_equal(events[KERNEL_CRASHED].name, "a[b] c");
	assert_int_equal(events[KERNEL_CRASHED].pid, 17624);
}

// Every beginning of a log, each line also with one byte less at its front.
static void
odd_lines(void **state)
{
	static const char log[] =
		"<3>[ 4990.1] Out of memory: Killed process 99999999999999999999 (x) total-vm\n"
		"[ 4990.1] INFO: task  blocked for more than \n<3>[ 4990.1]]: segfault at \n"
		"<3>[99999999999999999999.0] I/O error, dev \n<3>[ 4990.000000] I/O error, dev "
		"sda\n"
		"<>[\n<1>[1.]\n[ 4990.1]traps: [] general protection fault\n";
	(void)state;

	for (size_t i = 0; i < sizeof(log); i++)
		for (size_t n = 0; i + n < sizeof(log); n++) {
			char *copy = malloc(n + 1);

			assert_non_null(copy);
			memcpy(copy, log + i, n);
			kernel_events_find((struct pmon_span){copy, n}, NOW, MINUTES, events);
			free(copy);
		}
	find(log);
	assert_int_equal(events[KERNEL_OUT_OF_MEMORY].pid, -1);
	assert_string_equal(events[KERNEL_OUT_OF_MEMORY].name, "x");
	assert_int_equal(events[KERNEL_IO_ERROR].times, 1);
	assert_string_equal(events[KERNEL_IO_ERROR].name, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind),
		cmocka_unit_test(odd_lines),
	};

	return cmocka_run_group_tests_name("kernel_events", tests, NULL, NULL);
}
