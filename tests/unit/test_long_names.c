// test_long_names.c - logs with names so long that each needs its own memory
// SPDX-License-Identifier: MIT
//
// Short names share blocks of memory, so that most copies of them cannot fail. With long names, each copy fails in
// turn; and each format must report which names it leaves out when the limits are low.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include "faulty.h"
#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "moments.h"
#include "perfblock_build.h"
#include "write_fault.h"

#define LONG 17000 // bytes; a block has 16384

static char long_text[LONG + 3];

// ---- Logs that are written ------------------------------------------------------------------

enum part {
	NONE,
	MACHINE,
	OBJECT,
	PARENT,
	INSTANCE,
	COUNTER,
	N_PARTS
};

static enum part long_part;

static struct pmon_span
part(enum part which, const char *text)
{
	return t_span(which == long_part ? long_text : text);
}

static void
put(struct mem_source *m, uint32_t series, int64_t value)
{
	mem_source_raw(m, series, value, value * 2);
}

// A counter without instances, two instances of one object, and one that appears with the third
// sample.
static struct pmon_source *
make_log(void)
{
	struct pmon_counter rate = {.type = PMON_PERF_COUNTER_COUNTER, .time_base = 10000000};
	struct pmon_counter ratio = {.type = PMON_PERF_RAW_FRACTION, .time_base = 10000000};
	struct pmon_path path = {.machine = part(MACHINE, "S"),
				 .object = part(OBJECT, "Object"),
				 .counter = part(COUNTER, "Rate")};
	struct mem_source *m = mem_source_new();
	uint32_t id;

	(void)mem_source_add(m, &path, &rate);
	path.counter = t_span("Share");
	path.instance = part(INSTANCE, "a");
	for (int32_t i = 0; i < 3; i++) {
		path.index = i;
		path.parent = i == 2 ? part(PARENT, "p") : (struct pmon_span){NULL, 0};
		id = mem_source_add(m, &path, &ratio);
		m->base.schema.list[id]->wildcard = true;
	}
	for (int64_t k = 0; k < 4; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		put(m, 0, 100 * k);
		put(m, 1, k);
		put(m, 2, 2 * k);
		if (k >= 2)
			put(m, 3, 3 * k);
	}
	return mem_source_open(m);
}

static char *
written(const char *format, size_t *len)
{
	const char *path = in_folder("long");
	char *bytes;

	write_over(make_log(), path, format);
	bytes = t_read_file(path, len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	return bytes;
}

typedef void (*bytes_fn)(const char *name, const void *bytes, size_t len);

// Some formats are for others to read.
static bool
is_log(const char *bytes, size_t len)
{
	return pmon_format_find((const uint8_t *)bytes,
				len < PMON_PROBE_BYTES ? len : PMON_PROBE_BYTES) != NULL;
}

static void
each_format(bytes_fn check)
{
	for (size_t i = 0; pmon_log_writable(i) != NULL; i++) {
		const char *format = pmon_log_writable(i);
		size_t len;
		char *bytes;

		bytes = written(format, &len);
		if (is_log(bytes, len))
			check(format, bytes, len);
		free(bytes);
	}
}

static void
each_long_part(bytes_fn check)
{
	for (int i = NONE; i < N_PARTS; i++) {
		long_part = (enum part)i;
		each_format(check);
	}
}

// ---- Blocks and sections --------------------------------------------------------------------

static const struct pb_counter counter = {28, 0x10410400, 4, 0};

static void
each_block(bytes_fn check)
{
	for (int i = MACHINE; i <= INSTANCE; i++) {
		struct pb b = {.big_endian = i == PARENT};

		if (i == OBJECT) // a number
			continue;
		long_part = (enum part)i;
		for (int k = 0; k < 2; k++) {
			pb_begin(&b, T0 + k * SECOND, 777 + k, part(MACHINE, "SRV").ptr);
			pb_object(&b, 230, &counter, 1, 1, 0);
			pb_instance(&b, 0, 0, -1, part(PARENT, "a").ptr);
			pb_values(&b, &counter, 1, (uint64_t[]){7});
			pb_object(&b, 232, &counter, 1, 1, 0);
			pb_instance(&b, 230, 0, -1, part(INSTANCE, "0").ptr);
			pb_values(&b, &counter, 1, (uint64_t[]){1});
			pb_end(&b);
		}
		check("block", b.bytes, b.len);
		pb_free(&b);
	}
}

static void
each_section(bytes_fn check)
{
	static char text[3 * LONG];

	for (int i = MACHINE; i <= INSTANCE; i++) {
		long_part = (enum part)i;
		(void)snprintf(text, sizeof(text),
			       "<<<check_mk>>>\nVersion: 2.3\nHostname: %s\n"
			       "<<<winperf_phydisk>>>\n1440580801.5 234 3579545\n"
			       "2 instances: 0_C: %s\n-34 1 2 type(20570500)\n",
			       part(MACHINE, "SRV").ptr, part(INSTANCE, "b").ptr);
		check("section", text, strlen(text));
	}
}

static void
each_log(bytes_fn check)
{
	each_long_part(check);
	each_block(check);
	each_section(check);
}

// ---- What fails -----------------------------------------------------------------------------

static void
fail_parts(const char *name, const void *bytes, size_t len)
{
	(void)faulty_parts(name, bytes, len);
}

static void
each_allocation_of_reading_fails(void **state)
{
	(void)state;
	each_log(faulty_allocations);
	each_log(fail_parts);
}

static void
each_allocation_of_writers_fails(void **state)
{
	(void)state;
	for (int i = NONE; i < N_PARTS; i++) {
		long_part = (enum part)i;
		for (size_t k = 0; pmon_log_writable(k) != NULL; k++)
			each_allocation_of_writing_fails(make_log, pmon_log_writable(k));
	}
}

// ---- Limits ---------------------------------------------------------------------------------

// Returns the number of values read. Anything skipped must be reported, or be the reason for a
// failure.
static void
read_limited(const char *name, const void *bytes, size_t len, const struct pmon_limits *limits,
	     uint64_t all)
{
	struct dump seen = {0};
	struct dump told = {0};
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_log_options options = {.size = sizeof(options),
					   .allocator = &allocator,
					   .limits = *limits,
					   .notice = dump_notice,
					   .notice_ctx = &told};
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	assert_int_equal(pmon_file_memory(bytes, len, &allocator, &file, &err), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, &err);
	if (status == PMON_OK)
		status = dump_read(&seen, source, &err);
	if (status == PMON_END && seen.n_values != all && told.n == 0)
		fail_msg("%s: %d of %d values, and nothing is told", name, (int)seen.n_values,
			 (int)all);
	if (status == PMON_END)
		assert_in_range(seen.n_values, 0, all);
	else
		assert_true(err.status == status && err.msg[0] != '\0');
	pmon_source_close(source);
	T_EQ_U64_AT(memory.live_blocks, 0, name);
	dump_free(&seen);
	dump_free(&told);
}

static void
lower_limits(const char *name, const void *bytes, size_t len)
{
	static const size_t lengths[] = {1, 2, 5, 10, 50, 1000, LONG - 1, LONG, 2 * LONG, 70000};
	struct dump healthy = faulty_healthy(name, bytes, len);
	uint64_t all = healthy.n_values / 2; // it was read twice

	for (size_t n = 1; n < 6; n++)
		read_limited(name, bytes, len, &(struct pmon_limits){.series = n}, all);
	for (size_t i = 0; i < T_LEN(lengths); i++) {
		size_t n = lengths[i];

		read_limited(name, bytes, len, &(struct pmon_limits){.string_bytes = n}, all);
		read_limited(name, bytes, len, &(struct pmon_limits){.record_bytes = n}, all);
		read_limited(name, bytes, len, &(struct pmon_limits){.path_bytes = n}, all);
	}
	dump_free(&healthy);
}

static void
names_over_the_limits_are_reported(void **state)
{
	(void)state;
	each_log(lower_limits);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_of_reading_fails),
		cmocka_unit_test(each_allocation_of_writers_fails),
		cmocka_unit_test(names_over_the_limits_are_reported),
	};

	memset(long_text, 'x', LONG);
	return cmocka_run_group_tests_name("long names", tests, folder_make, folder_remove);
}
