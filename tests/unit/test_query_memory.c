// test_query_memory.c - steps between a log and its numbers when memory is short
// SPDX-License-Identifier: MIT
//
// Each allocation fails in turn: the step says that memory is short, or gives what it gives with enough memory; and
// all memory is given back.

#include "t.h"

#include <inttypes.h>
#include <stdlib.h>

#include <pmon/pmon.h>

#include "dump.h"
#include "memsource.h"
#include "place.h"
#include "query/join.h"

#define PLACES  12
#define SAMPLES 10

// ---- Logs -----------------------------------------------------------------------------------

// Instances of one name whose processes end, one by one, and others get their places.
static struct pmon_source *
processes(int64_t first, int64_t n)
{
	struct mem_source *m = mem_source_new();
	struct place places[PLACES];

	for (unsigned i = 0; i < PLACES; i++) {
		char name[20];

		(void)snprintf(name, sizeof(name), i == 0 ? "x" : "x#%u", i);
		places[i] = t_new_place(m, "\\\\S", name);
	}
	for (int64_t s = first; s < first + n; s++) {
		mem_source_sample(m, START + s * SECOND);
		for (unsigned i = 0; i < PLACES - (unsigned)(s % 3); i++) {
			int64_t life = s / (2 + i % 4); // a process after the other

			t_put(m, &places[i], s, 100 + i + 20 * life, life * (2 + i % 4),
			      1000 * i + 7 * s);
		}
	}
	return mem_source_open(m);
}

// ---- Steps ----------------------------------------------------------------------------------

static struct pmon_err why; // the newest failure

// Reads a source, which it closes, into the dump.
static enum pmon_status
read_all(struct pmon_source *const *source, enum pmon_status status, struct dump *seen)
{
	if (status == PMON_OK) {
		status = dump_read(seen, *source, &why);
		pmon_source_close(*source);
	}
	return status == PMON_END ? PMON_OK : status;
}

static enum pmon_status
identify(const struct pmon_identity_options *options, const struct pmon_allocator *allocator,
	 struct dump *seen)
{
	struct pmon_identity_options all = *options;
	struct pmon_source *source;

	all.allocator = allocator;
	return read_all(&source, pmon_identity_open(processes(0, SAMPLES), &all, &source, &why),
			seen);
}

static enum pmon_status
identity_plain(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.by_process = false}, allocator, seen);
}

static enum pmon_status
identity_by_process(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.by_process = true}, allocator, seen);
}

static enum pmon_status
identity_forgetting(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.by_process = true, .forget_after = 2},
			allocator, seen);
}

static enum pmon_status
identity_from_start(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.from_start = true}, allocator, seen);
}

static enum pmon_status
identity_from_start_by_process(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.from_start = true, .by_process = true},
			allocator, seen);
}

static enum pmon_status
identity_owners(const struct pmon_allocator *allocator, struct dump *seen)
{
	return identify(&(struct pmon_identity_options){.tells_owners = true}, allocator, seen);
}

static enum pmon_status
window(const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_source *source;

	return read_all(&source,
			pmon_window_open(processes(0, SAMPLES), START + 3 * SECOND,
					 START + 6 * SECOND, allocator, &source, &why),
			seen);
}

static enum pmon_status
every(const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_source *source;

	return read_all(&source,
			pmon_every_open(processes(0, SAMPLES), 2, allocator, &source, &why), seen);
}

static enum pmon_status
steps_of_time(const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_source *source;

	return read_all(
		&source,
		pmon_steps_open(processes(0, SAMPLES), 3 * SECOND, allocator, &source, &why), seen);
}

// Three logs that overlap, whose processes are told apart.
static enum pmon_status
merge(const struct pmon_allocator *allocator, struct dump *seen)
{
	const struct pmon_identity_options options = {.allocator = allocator, .tells_owners = true};
	struct pmon_source *sources[3];
	struct pmon_source *merged;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < 3; i++) {
		sources[i] = NULL;
		if (status == PMON_OK)
			status = pmon_identity_open(processes((int64_t)i * 4, 6), &options,
						    &sources[i], &why);
	}
	if (status != PMON_OK) {
		for (size_t i = 0; i < 3; i++)
			if (sources[i] != NULL)
				pmon_source_close(sources[i]);
		return status;
	}
	return read_all(&merged, pmon_merge_open(sources, 3, allocator, &merged, &why), seen);
}

static enum pmon_status
open_log(void *ctx, size_t i, struct pmon_source **source, struct pmon_err *err)
{
	(void)ctx, (void)err;
	*source = processes((int64_t)i * 5, 6);
	return PMON_OK;
}

static const struct pmon_logs logs = {.n = 4, .open = open_log};

static enum pmon_status
merge_logs(const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_source *merged;

	return read_all(&merged, pmon_merge_logs(&logs, allocator, &merged, &why), seen);
}

// ---- Statistics -----------------------------------------------------------------------------

static void
put_statistics(struct dump *seen, const struct pmon_schema *schema,
	       const struct pmon_statistics *statistics)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		const struct pmon_stats *stats = pmon_statistics_at(statistics, i);
		struct pmon_span name = pmon_schema_at(schema, i)->name;
		struct pmon_notice notice;
		char line[200];

		if (stats == NULL)
			continue;
		(void)snprintf(line, sizeof(line), "%.*s %" PRIu64 " %a %a", (int)name.len,
			       name.ptr, stats->pairs, stats->minimum.value, stats->maximum.value);
		notice = (struct pmon_notice){.text = line};
		dump_notice(seen, &notice);
	}
}

static enum pmon_status
statistics(const struct pmon_allocator *allocator, struct dump *seen)
{
	const struct pmon_identity_options options = {.allocator = allocator, .by_process = true};
	struct pmon_statistics *made;
	struct pmon_source *source;
	enum pmon_status status =
		pmon_identity_open(processes(0, SAMPLES), &options, &source, &why);

	if (status != PMON_OK)
		return status;
	status = pmon_statistics_read(source, NULL, allocator, &made, &why);
	if (status == PMON_OK)
		put_statistics(seen, pmon_source_schema(source), made);
	pmon_statistics_free(made);
	pmon_source_close(source);
	return status;
}

static enum pmon_status
read_fleet(const struct pmon_identity_options *identity, const struct pmon_allocator *allocator,
	   struct dump *seen)
{
	struct pmon_fleet_options options = {
		.from = PMON_TIME_NONE, .to = PMON_TIME_NONE, .identity = identity};
	struct pmon_statistics *made;
	struct pmon_source *merged;
	enum pmon_status status = pmon_merge_logs(&logs, allocator, &merged, &why);

	if (status != PMON_OK)
		return status;
	status = pmon_fleet_read(merged, &options, allocator, &made, &why);
	if (status == PMON_OK)
		put_statistics(seen, pmon_source_schema(merged), made);
	pmon_statistics_free(made);
	pmon_source_close(merged);
	return status;
}

static enum pmon_status
fleet(const struct pmon_allocator *allocator, struct dump *seen)
{
	return read_fleet(NULL, allocator, seen);
}

static enum pmon_status
fleet_of_processes(const struct pmon_allocator *allocator, struct dump *seen)
{
	const struct pmon_identity_options identity = {.allocator = allocator};

	return read_fleet(&identity, allocator, seen);
}

static enum pmon_status
patterns(const struct pmon_allocator *allocator, struct dump *seen)
{
	struct pmon_select *select;
	struct pmon_select *more = NULL;
	enum pmon_status status = pmon_select_new(allocator, &select, &why);

	if (status == PMON_OK)
		status = pmon_select_add(select, t_span("\\Process(x*)\\IO*"), &why);
	if (status == PMON_OK)
		status = pmon_identity_select(select, allocator, &more, &why);
	if (status == PMON_OK) {
		assert_non_null(more);
		for (size_t i = 0; i < pmon_select_count(more); i++)
			dump_notice(seen,
				    &(struct pmon_notice){.text = pmon_select_pattern(more, i)});
	}
	pmon_select_free(more);
	pmon_select_free(select);
	return status;
}

// ---- Each allocation ------------------------------------------------------------------------

static const struct step {
	const char *name;
	enum pmon_status (*run)(const struct pmon_allocator *allocator, struct dump *seen);
} steps[] = {
	{"identity", identity_plain},
	{"identity by process", identity_by_process},
	{"identity that forgets", identity_forgetting},
	{"identity from the start", identity_from_start},
	{"identity by process from the start", identity_from_start_by_process},
	{"identity with owners", identity_owners},
	{"window", window},
	{"every second sample", every},
	{"steps of time", steps_of_time},
	{"merge", merge},
	{"merge of logs", merge_logs},
	{"statistics", statistics},
	{"fleet", fleet},
	{"fleet of processes", fleet_of_processes},
	{"patterns", patterns},
};

// True when memory sufficed.
static bool
run(const struct step *step, size_t fail_at, const struct dump *whole, struct dump *seen)
{
	struct t_memory memory = {.fail_at = fail_at};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	enum pmon_status status;

	why.msg[0] = '\0';
	status = step->run(&allocator, seen);
	T_EQ_U64_AT(memory.live_blocks, 0, step->name);
	if (status == PMON_OK && whole != NULL)
		T_EQ_STR_AT(seen->text, whole->text, step->name);
	else
		T_EQ_I64_AT(status, whole != NULL ? PMON_E_NOMEM : PMON_OK, step->name);
	if (status != PMON_OK)
		T_EQ_STR_AT(why.msg, "not enough memory", step->name);
	return t_memory_sufficed(&memory) || fail_at == 0;
}

static void
test_each_allocation_fails(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(steps); i++) {
		struct dump whole = {.n = 0};
		bool is_done = false;

		(void)run(&steps[i], 0, NULL, &whole);
		assert_true(whole.n > 20);
		for (size_t at = 1; !is_done; at++) {
			struct dump seen = {.n = 0};

			is_done = run(&steps[i], at, &whole, &seen);
			dump_free(&seen);
		}
		dump_free(&whole);
	}
}

// A step that tries again after a failure would go unnoticed above, as each allocation fails once.
static void
test_joining_ends_with_the_first_failure(void **state)
{
	struct pmon_source *source = processes(0, 1);
	bool is_done = false;

	(void)state;
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct pmon_join_map map = {.n = 0};
		struct pmon_schema schema;
		struct pmon_join join;
		enum pmon_status status;

		pmon_schema_init(&schema, &allocator);
		pmon_join_init(&join, &schema, &allocator);
		status = pmon_join_add(&join, &map, pmon_source_schema(source), 0, NULL);
		is_done = t_memory_sufficed(&memory);
		T_EQ_I64(status, is_done ? PMON_OK : PMON_E_NOMEM);
		if (is_done)
			T_EQ_U64(map.n, pmon_schema_count(pmon_source_schema(source)));
		pmon_join_map_free(&join, &map);
		pmon_join_free(&join);
		pmon_schema_free(&schema);
		T_EQ_U64(memory.live_blocks, 0);
	}
	pmon_source_close(source);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_allocation_fails),
		cmocka_unit_test(test_joining_ends_with_the_first_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
