// test_options.c - option structs of programs that were compiled with an older or a newer library
// SPDX-License-Identifier: MIT
//
// Source of the rules: copy_struct_from_user() of Linux, as include/pmon/base.h states them.

#include <pmon/pmon.h>

#include "base/options.h"
#include "support/memsource.h"
#include "support/t.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// A field added later must make the struct larger: if it went into padding, `size` would not tell
// whether the caller has it.
#define FILLED(type, last)                                                                         \
	_Static_assert(sizeof(struct type) ==                                                      \
			       offsetof(struct type, last) + sizeof(((struct type *)0)->last),     \
		       #type " ends in padding")

// With 32 bits the ends of some would be other bytes on some processors.
#if UINTPTR_MAX > UINT32_MAX
FILLED(pmon_calc_options, reserved);
FILLED(pmon_copy_options, last);
FILLED(pmon_create_options, door);
FILLED(pmon_envelope_options, reserved);
FILLED(pmon_fleet_options, reserved);
FILLED(pmon_identity_options, reserved);
FILLED(pmon_live_options, reserved);
FILLED(pmon_log_options, door);
FILLED(pmon_logs, reserved);
FILLED(pmon_push_options, n_labels);
FILLED(pmon_rename_options, want_ctx);
FILLED(pmon_rollup_options, day_ctx);
FILLED(pmon_statistics_options, progress_ctx);
#endif

// The fields that this version of an invented function knows.
struct known {
	size_t size;
	uint64_t first;
	uint64_t second;
};

// Each size from nothing to twice what is known, in memory of just that size, where a read beyond it is found by
// sanitizers and valgrind. The excess is 0, or not, at each of its bytes.
static void
test_every_size(void **state)
{
	const struct known full = {.size = 0, .first = 11, .second = 22};

	(void)state;
	for (size_t size = 0; size <= 2 * sizeof(full); size++) {
		size_t excess = size > sizeof(full) ? size - sizeof(full) : 0;

		for (size_t set = 0; set <= excess; set++) { // 0: none
			unsigned char *theirs =
				calloc(1, size < sizeof(size) ? sizeof(size) : size);
			struct known own, want = {.size = sizeof(want)};
			struct pmon_err err;
			enum pmon_status status;

			assert_non_null(theirs);
			memcpy(theirs, &full, size < sizeof(full) ? size : sizeof(full));
			memcpy(theirs, &size, sizeof(size));
			if (set > 0)
				theirs[sizeof(full) + set - 1] = 1;
			status = pmon_options_read(&own, sizeof(own), theirs, &err);
			if (size < sizeof(size) || set > 0) {
				assert_int_equal(status, PMON_E_ARG);
			} else {
				assert_int_equal(status, PMON_OK);
				memcpy((unsigned char *)&want + sizeof(size),
				       (const unsigned char *)&full + sizeof(size),
				       (size < sizeof(full) ? size : sizeof(full)) - sizeof(size));
			}
			assert_memory_equal(&own, &want, sizeof(own));
			free(theirs);
		}
	}
}

static void
test_results_fit(void **state)
{
	const struct known own = {.size = sizeof(own), .first = 1, .second = 2};

	(void)state;
	for (size_t size = sizeof(size); size <= 2 * sizeof(own); size++) {
		unsigned char *theirs = calloc(1, size);
		size_t kept;

		assert_non_null(theirs);
		memcpy(theirs, &size, sizeof(size));
		pmon_options_write(theirs, &own, sizeof(own));
		memcpy(&kept, theirs, sizeof(kept));
		assert_int_equal(kept, size);
		for (size_t i = sizeof(size); i < size; i++)
			assert_int_equal(theirs[i],
					 i < sizeof(own) ? ((const unsigned char *)&own)[i] : 0);
		free(theirs);
	}
}

// ---- Each function of the library that takes options ------------------------------------------------

static enum pmon_status
take_log(const void *options, struct pmon_err *err)
{
	struct pmon_source *source;

	return pmon_log_open("/nonexistent", options, &source, err);
}

static enum pmon_status
take_live(const void *options, struct pmon_err *err)
{
	struct pmon_source *source;
	enum pmon_status status = pmon_live_open(options, &source, err);

	pmon_source_close(source);
	return status;
}

static enum pmon_status
take_identity(const void *options, struct pmon_err *err)
{
	struct pmon_source *source;
	enum pmon_status status =
		pmon_identity_open(mem_source_open(mem_source_new()), options, &source, err);

	pmon_source_close(source);
	return status;
}

static enum pmon_status
take_rename(const void *options, struct pmon_err *err)
{
	struct pmon_source *source;
	enum pmon_status status =
		pmon_rename_machines(mem_source_open(mem_source_new()), options, &source, err);

	pmon_source_close(source);
	return status;
}

static enum pmon_status
take_statistics(const void *options, struct pmon_err *err)
{
	struct pmon_source *source = mem_source_open(mem_source_new());
	struct pmon_statistics *statistics;
	enum pmon_status status = pmon_statistics_read(source, options, NULL, &statistics, err);

	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return status;
}

static enum pmon_status
take_envelope(const void *options, struct pmon_err *err)
{
	struct pmon_source *source = mem_source_open(mem_source_new());
	struct pmon_envelope *envelope;
	enum pmon_status status =
		pmon_envelope_new(pmon_source_schema(source), options, NULL, &envelope, err);

	pmon_envelope_free(envelope);
	pmon_source_close(source);
	return status;
}

static enum pmon_status
take_create(const void *options, struct pmon_err *err)
{
	struct pmon_sink *sink;

	return pmon_log_create("/nonexistent/a.csv", "csv", options, &sink, err);
}

static enum pmon_status
take_push(const void *options, struct pmon_err *err)
{
	struct pmon_sink *sink;
	enum pmon_status status =
		pmon_push_open("clickhouse+http://127.0.0.1:9/perf", options, &sink, err);

	pmon_sink_close(sink);
	return status;
}

static enum pmon_status
take_calc(const void *options, struct pmon_err *err)
{
	const struct pmon_counter counter = {.type = PMON_PERF_COUNTER_COUNTER};
	struct pmon_calc calc;

	(void)err;
	return pmon_calc_init(&calc, &counter, options);
}

static enum pmon_status
take_calc_of_statistics(const void *options, struct pmon_err *err)
{
	struct pmon_source *source = mem_source_open(mem_source_new());
	struct pmon_statistics *statistics;
	enum pmon_status status =
		pmon_statistics_new(pmon_source_schema(source), options, NULL, &statistics, err);

	pmon_statistics_free(statistics);
	pmon_source_close(source);
	return status;
}

#define TAKER(function, type)                                                                      \
	{                                                                                          \
#function, function, sizeof(struct type)                                           \
	}
static const struct {
	const char *name;
	enum pmon_status (*take)(const void *options, struct pmon_err *err);
	size_t size;
} takers[] = {
	TAKER(take_log, pmon_log_options),
	TAKER(take_live, pmon_live_options),
	TAKER(take_identity, pmon_identity_options),
	TAKER(take_rename, pmon_rename_options),
	TAKER(take_statistics, pmon_statistics_options),
	TAKER(take_envelope, pmon_envelope_options),
	TAKER(take_create, pmon_create_options),
	TAKER(take_push, pmon_push_options),
	TAKER(take_calc, pmon_calc_options),
	TAKER(take_calc_of_statistics, pmon_calc_options),
};

// Options of a newer program work if their new field is 0; otherwise they are rejected, as are
// those without a size. Sanitizers check that its sources and sinks are freed then.
static void
test_every_function(void **state)
{
	unsigned char theirs[512];
	struct pmon_err err;

	(void)state;
	for (size_t i = 0; i < sizeof(takers) / sizeof(takers[0]); i++) {
		size_t size = takers[i].size, newer = size + sizeof(void *);
		enum pmon_status plain;

		print_message("%s\n", takers[i].name);
		assert_true(newer <= sizeof(theirs));
		memset(theirs, 0, sizeof(theirs));
		assert_int_equal(takers[i].take(theirs, &err), PMON_E_ARG);
		memcpy(theirs, &size, sizeof(size));
		plain = takers[i].take(theirs, &err);
		memcpy(theirs, &newer, sizeof(newer));
		assert_int_equal(takers[i].take(theirs, &err), plain);
		theirs[newer - 1] = 1;
		err = (struct pmon_err){.status = PMON_OK};
		assert_int_equal(takers[i].take(theirs, &err), PMON_E_ARG);
		assert_true(takers[i].take == take_calc || strstr(err.msg, "version") != NULL);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_results_fit),
		cmocka_unit_test(test_every_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
