// test_core_vectors.c - the published conformance vectors (share/vectors, docs/reference/vectors.md)
// SPDX-License-Identifier: MIT
//
// tests/oracle/test_vectors.py computes the expected values of the same files again.

#include <stdlib.h>

#include <pmon/counter.h>

#include "same_stats.h"
#include "t.h"
#include "vector.h"

static void
check_value(struct pmon_value got, struct pmon_value want, const char *label)
{
	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(want.status), label);
	T_EQ_DBL_AT(got.value, want.value, label);
}

// ---- values.tsv --------------------------------------------------------------------------------

static void
check_row(const struct t_csv *csv)
{
	const char *label = t_csv_get(csv, "id");
	const char *number = t_csv_get(csv, "value");
	struct pmon_calc calc = t_vector_calc(csv);
	struct pmon_explanation why;
	struct pmon_raw older;
	struct pmon_raw newer;
	bool has_older = t_vector_raw_at(csv, "older", &calc, &older);
	struct pmon_value want = {.status = t_vector_status(t_csv_get(csv, "status"))};
	struct pmon_value got;

	assert_true(t_vector_raw_at(csv, "newer", &calc, &newer));
	if (strcmp(number, "-") != 0)
		want.value = strtod(number, NULL);
	T_EQ_BOOL_AT(strcmp(number, "-") != 0, pmon_vstat_has_value(want.status), label);
	got = pmon_calc_value(&calc, has_older ? &older : NULL, &newer);
	check_value(got, want, label);
	T_EQ_STR_AT(pmon_policy_name(got.policy), t_csv_get(csv, "decided"), label);
	pmon_explain_value(&calc, has_older ? &older : NULL, &newer, &why);
	t_same_value(&why.value, &got, label);
}

static void
test_values(void **state)
{
	struct t_csv csv;
	bool seen[64] = {false};

	(void)state;
	t_csv_open_vectors(&csv, "values.tsv");
	while (t_csv_next(&csv)) {
		struct pmon_calc calc = t_vector_calc(&csv);

		check_row(&csv);
		for (size_t i = 0; i < pmon_type_count(); i++)
			seen[i] |= pmon_type_at(i) == calc.type;
	}
	t_csv_close(&csv);
	for (size_t i = 0; i < pmon_type_count(); i++) // 0x40030500 has two names
		assert_true(seen[i] || pmon_type_at(i)->word == PMON_PERF_PRECISION_TIMESTAMP);
}

// ---- series.tsv --------------------------------------------------------------------------------

// A row of the file, played.
struct play {
	struct pmon_stats whole;
	struct pmon_stats merged; // of the windows before this one
	struct pmon_stats window;
	uint64_t count[PMON_V_COUNT]; // of the values so far, by status
	const char *values;           // those that are to come
	const char *label;
	bool has_windows;
};

static void
end_window(struct play *play)
{
	T_EQ_I64(pmon_stats_merge(&play->merged, &play->window), PMON_OK);
	pmon_stats_init(&play->window, &play->whole.calc);
}

static void
add_raw(struct play *play, struct pmon_raw *raw)
{
	struct pmon_value want;

	raw->time = (pmon_time)pmon_stats_samples(&play->whole) + 1;
	play->values = t_vector_value(play->values, &want);
	play->values += *play->values == ' ';
	check_value(pmon_stats_add(&play->whole, raw), want, play->label);
	check_value(play->whole.last, want, play->label);
	(void)pmon_stats_add(&play->window, raw);
	play->count[want.status]++;
}

// One event of the row. Returns where the next one begins.
static const char *
play_event(struct play *play, const char *event)
{
	size_t len = strcspn(event, " ");
	struct pmon_raw raw;

	if (*event == '|') {
		end_window(play);
		play->has_windows = true;
	} else if (strncmp(event, "gap", 3) == 0) {
		pmon_stats_gap(&play->whole);
		pmon_stats_gap(&play->window);
	} else if (*event == '(') {
		assert_ptr_equal(t_vector_raw(event + 1, &play->whole.calc, &raw), event + len - 1);
		pmon_stats_lead(&play->whole, &raw);
		pmon_stats_lead(&play->window, &raw);
	} else {
		assert_ptr_equal(t_vector_raw(event, &play->whole.calc, &raw), event + len);
		add_raw(play, &raw);
	}
	return event + len + (event[len] == ' ');
}

static void
check_extreme(const struct t_csv *csv, const char *column, const char *column_at,
	      struct pmon_value got, pmon_time got_at)
{
	const char *label = t_csv_get(csv, "id");
	struct pmon_value want = {.status = PMON_V_NO_DATA};

	if (strcmp(t_csv_get(csv, column), "-") == 0) {
		check_value(got, want, label);
		T_EQ_I64_AT(got_at, PMON_TIME_NONE, label);
		return;
	}
	(void)t_vector_value(t_csv_get(csv, column), &want);
	check_value(got, want, label);
	T_EQ_I64_AT(got_at, strtoll(t_csv_get(csv, column_at), NULL, 10), label);
}

static void
check_counts(const struct t_csv *csv, const struct play *play)
{
	const struct pmon_stats *stats = &play->whole;
	uint64_t samples = strtoull(t_csv_get(csv, "samples"), NULL, 10);

	T_EQ_U64_AT(pmon_stats_samples(stats), samples, play->label);
	T_EQ_U64_AT(pmon_stats_invalid(stats), strtoull(t_csv_get(csv, "invalid"), NULL, 10),
		    play->label);
	for (unsigned i = 0; i < PMON_V_COUNT; i++)
		T_EQ_U64_AT(stats->count[i], play->count[i], play->label);
	if (samples == 0)
		T_EQ_I64_AT(stats->last.status, PMON_V_NO_DATA, play->label);
	T_EQ_I64_AT(stats->first_raw_time, samples > 0 ? 1 : PMON_TIME_NONE, play->label);
	T_EQ_I64_AT(stats->last_raw_time, samples > 0 ? (pmon_time)samples : PMON_TIME_NONE,
		    play->label);
}

static void
check_stats(const struct t_csv *csv, const struct pmon_stats *stats)
{
	const char *label = t_csv_get(csv, "id");
	struct pmon_explanation why;
	struct pmon_value want;

	(void)t_vector_value(t_csv_get(csv, "average"), &want);
	check_value(pmon_stats_average(stats), want, label);
	pmon_explain_average(stats, &why);
	check_value(why.value, want, label);
	check_extreme(csv, "minimum", "minimum_at", stats->minimum, stats->minimum_time);
	check_extreme(csv, "maximum", "maximum_at", stats->maximum, stats->maximum_time);
}

static void
test_series(void **state)
{
	struct t_csv csv;
	size_t n_windows = 0;

	(void)state;
	t_csv_open_vectors(&csv, "series.tsv");
	while (t_csv_next(&csv)) {
		struct pmon_calc calc = t_vector_calc(&csv);
		struct play play = {.values = t_csv_get(&csv, "values"),
				    .label = t_csv_get(&csv, "id")};
		const char *event = t_csv_get(&csv, "events");

		pmon_stats_init(&play.whole, &calc);
		play.merged = play.window = play.whole;
		if (strcmp(event, "-") != 0)
			while (*event != '\0')
				event = play_event(&play, event);
		check_counts(&csv, &play);
		check_stats(&csv, &play.whole);
		end_window(&play);
		if (play.has_windows)
			t_same_stats(&play.merged, &play.whole);
		n_windows += play.has_windows;
	}
	t_csv_close(&csv);
	assert_true(n_windows >= 10);
}

// ---- statuses.tsv ------------------------------------------------------------------------------

static void
test_statuses(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_vectors(&csv, "statuses.tsv");
	for (; t_csv_next(&csv); n++) {
		const char *name = t_csv_get(&csv, "status");
		enum pmon_vstat status = t_vector_status(name);

		T_EQ_U64_AT(pmon_vstat_pdh(status), strtoul(t_csv_get(&csv, "pdh"), NULL, 16),
			    name);
		T_EQ_BOOL_AT(pmon_vstat_has_value(status),
			     strcmp(t_csv_get(&csv, "number"), "yes") == 0, name);
		assert_true(pmon_vstat_text(status)[0] != '\0');
	}
	t_csv_close(&csv);
	T_EQ_U64(n, PMON_V_COUNT);
	T_EQ_STR(pmon_vstat_name((enum pmon_vstat)PMON_V_COUNT), "undefined");
	T_EQ_STR(pmon_vstat_text((enum pmon_vstat)PMON_V_COUNT), "undefined");
	T_EQ_U64(pmon_vstat_pdh((enum pmon_vstat)PMON_V_COUNT), 0xC0000BBD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_statuses),
	};

	return cmocka_run_group_tests_name("core_vectors", tests, NULL, NULL);
}
