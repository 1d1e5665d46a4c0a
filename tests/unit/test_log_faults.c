// test_log_faults.c - small logs of every format, read while memory or the file fails
// SPDX-License-Identifier: MIT
//
// The outcome is the right one, or a status that says what failed; and all memory is given back.

#include "t.h"

#include "corpus.h"
#include "faulty.h"
#include "format/format.h"
#include "model/source.h"

// Small enough for a thousand readings.
#define MOST_BYTES 9000

// ---- Reading --------------------------------------------------------------------------------

static void
fail_each_allocation(const struct corpus_log *log)
{
	faulty_allocations(log->name, log->bytes, log->len);
}

static void
fail_each_read(const struct corpus_log *log)
{
	faulty_reads(log->name, log->bytes, log->len);
}

static void
each_allocation_fails(void **state)
{
	(void)state;
	corpus_each(MOST_BYTES, fail_each_allocation);
}

static void
each_read_fails(void **state)
{
	(void)state;
	corpus_each(MOST_BYTES, fail_each_read);
}

// ---- Parts ----------------------------------------------------------------------------------

#define MOST_PARTS 4

static size_t n_joined; // logs that were read in parts

// Read the parts of a source, one after the other, and join them. Returns PMON_END or the first failure.
static enum pmon_status
read_parts(struct pmon_source *source, struct pmon_source **parts, size_t *n)
{
	static uint32_t numbers[MOST_PARTS][256];
	uint32_t *maps[MOST_PARTS];
	const struct pmon_sample *sample;
	struct pmon_err err;
	enum pmon_status status = source->split->split(source, 1, parts, n, &err);

	for (size_t i = 0; i < *n && status == PMON_OK; i++) {
		while (status == PMON_OK)
			status = pmon_source_next(parts[i], &sample, &err);
		assert_in_range(pmon_schema_count(pmon_source_schema(parts[i])), 0,
				T_LEN(numbers[i]));
		memset(numbers[i], 0xFF, sizeof(numbers[i]));
		maps[i] = numbers[i];
		status = status == PMON_END ? PMON_OK : status;
	}
	if (status == PMON_OK && *n > 0)
		status = source->split->join(source, parts, *n, maps, &err);
	return status == PMON_OK ? PMON_END : status;
}

// A log that is read in parts: what it has learned by then is in the number of its counters.
static enum pmon_status
read_in_parts(const struct corpus_log *log, struct t_memory *memory, size_t *n_series)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_log_options options = {.allocator = &allocator};
	struct pmon_source *parts[MOST_PARTS];
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	size_t n = MOST_PARTS;
	enum pmon_status status = pmon_file_memory(log->bytes, log->len, &allocator, &file, &err);

	if (status == PMON_OK)
		status = pmon_log_open_file(file, &options, &source, &err);
	if (status == PMON_OK) {
		status = source->split != NULL ? read_parts(source, parts, &n) : PMON_E_STATE;
		while (source->split != NULL && n > 0)
			pmon_source_close(parts[--n]);
	}
	*n_series = source != NULL ? pmon_schema_count(pmon_source_schema(source)) : 0;
	pmon_source_close(source);
	T_EQ_U64_AT(memory->live_blocks, 0, log->name);
	return status;
}

// PMON_E_STATE means that the log is to be read in one.
static void
fail_each_allocation_of_parts(const struct corpus_log *log)
{
	struct t_memory enough = {0};
	size_t n_healthy;
	size_t n;
	enum pmon_status healthy = read_in_parts(log, &enough, &n_healthy);
	bool is_done = healthy == PMON_E_STATE;

	n_joined += !is_done;
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		enum pmon_status status = read_in_parts(log, &memory, &n);

		is_done = t_memory_sufficed(&memory);
		if (is_done || status == PMON_END) {
			T_EQ_I64_AT(status, healthy, log->name);
			T_EQ_U64_AT(n, n_healthy, log->name);
		} else if (status != PMON_E_STATE) {
			T_EQ_I64_AT(status, PMON_E_NOMEM, log->name);
		}
	}
}

static void
each_allocation_of_parts_fails(void **state)
{
	(void)state;
	n_joined = 0;
	corpus_each(MOST_BYTES, fail_each_allocation_of_parts);
	assert_in_range(n_joined, 5, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_allocation_fails),
		cmocka_unit_test(each_read_fails),
		cmocka_unit_test(each_allocation_of_parts_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
