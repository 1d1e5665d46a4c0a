// test_core_increments.c - averages computed by increments equal those of the statistics
// SPDX-License-Identifier: MIT
//
// Each range of each series is summed up by the rows of increments.h and compared with pmon_stats_average(), whose
// results test_core_vectors.c and tests/oracle/test_vectors.py verify. Where the header says that they differ, the
// expected values are computed by hand.

#include <math.h>
#include <stdlib.h>

#include <pmon/increments.h>

#include "events.h"
#include "t.h"
#include "vector.h"

// ---- The table of the header ------------------------------------------------------------------

// The row of the raw values 10:100:7 and 40:300:7 with F = 1000: dN = 30, dD = 200, U = 7, by the calculations
// of winperf.h and the Platform SDK. Types without an average have no row here.
static const struct {
	uint32_t word;
	double add;
	double mul;
	int64_t n;
	int64_t d;
	int64_t b;
	double x;
} pairs[] = {
	{PMON_PERF_COUNTER_RAWCOUNT_HEX, 0, 1, 40, 1, 0, 0},
	{PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX, 0, 1, 40, 1, 0, 0},
	{PMON_PERF_COUNTER_RAWCOUNT, 0, 1, 40, 1, 0, 0},
	{PMON_PERF_COUNTER_LARGE_RAWCOUNT, 0, 1, 40, 1, 0, 0},
	{PMON_PERF_DOUBLE_RAW, 0, 1, 0, 1, 0,
	 40 * 0x1p-1074}, // the bits of the 40th subnormal number
	{PMON_PERF_COUNTER_DELTA, 0, 1, 30, 1, 0, 0},
	{PMON_PERF_COUNTER_LARGE_DELTA, 0, 1, 30, 1, 0, 0},
	{PMON_PERF_SAMPLE_COUNTER, 0, 1000, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_QUEUELEN_TYPE, 0, 1, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE, 0, 1, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, 0, 1, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, 0, 1, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_COUNTER, 0, 1000, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_BULK_COUNT, 0, 1000, 30, 200, 0, 0},
	{PMON_PERF_RAW_FRACTION, 0, 1, 40, 1, 300, 13.333333333333334}, // 100 * (40 / 300)
	{PMON_PERF_LARGE_RAW_FRACTION, 0, 1, 40, 1, 300, 13.333333333333334},
	{PMON_PERF_COUNTER_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_PRECISION_SYSTEM_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_100NSEC_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_PRECISION_100NS_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_OBJ_TIME_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_PRECISION_OBJECT_TIMER, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_SAMPLE_FRACTION, 0, 100, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_TIMER_INV, 100, -100, 30, 200, 0, 0},
	{PMON_PERF_100NSEC_TIMER_INV, 100, -100, 30, 200, 0, 0},
	{PMON_PERF_COUNTER_MULTI_TIMER, 0, 100, 30, 1400, 7, 0}, // 7 * 200
	{PMON_PERF_100NSEC_MULTI_TIMER, 0, 100, 30, 1400, 7, 0},
	{PMON_PERF_COUNTER_MULTI_TIMER_INV, 0, 100, 1370, 200, 7, 0}, // 7 * 200 - 30
	{PMON_PERF_100NSEC_MULTI_TIMER_INV, 0, 100, 1370, 200, 7, 0},
	{PMON_PERF_AVERAGE_TIMER, 0, 0.001, 30, 200, 0, 0},
	{PMON_PERF_AVERAGE_BULK, 0, 1, 30, 200, 0, 0},
};

static struct pmon_calc
calc_of(uint32_t word, int64_t ticks)
{
	struct pmon_counter counter = {.type = word, .time_base = ticks};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return calc;
}

static void
check_pair(size_t i)
{
	static const struct pmon_raw first = {.time = 1, .first = 10, .second = 100, .multi = 7};
	static const struct pmon_raw second = {.time = 2, .first = 40, .second = 300, .multi = 7};
	struct pmon_calc calc = calc_of(pairs[i].word, 1000);
	struct pmon_increment_form form = pmon_increment_form(&calc);
	const char *name = calc.type->name;
	struct pmon_increments rows;
	struct pmon_increment row;

	T_EQ_DBL_AT(form.add, pairs[i].add, name);
	T_EQ_DBL_AT(form.mul, pairs[i].mul, name);
	assert_ptr_equal(form.type, calc.type);
	pmon_increments_begin(&rows, &calc);
	row = pmon_increments_next(&rows, &first);
	T_EQ_STR_AT(pmon_increment_kind_name(row.kind),
		    pmon_calc_needs_two(&calc) ? "start" : "pair", name);
	row = pmon_increments_next(&rows, &second);
	T_EQ_STR_AT(pmon_increment_kind_name(row.kind), "pair", name);
	T_EQ_I64_AT(row.status, PMON_V_OK, name);
	T_EQ_I64_AT(row.time, 2, name);
	T_EQ_I64_AT(row.n, pairs[i].n, name);
	T_EQ_I64_AT(row.d, pairs[i].d, name);
	T_EQ_I64_AT(row.b, pairs[i].b, name);
	T_EQ_DBL_AT(row.x, pairs[i].x, name);
	T_EQ_BOOL_AT(form.is_real, pairs[i].x != 0, name);
}

static void
test_rows_of_each_type(void **state)
{
	size_t n_averages = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++)
		check_pair(i);
	for (size_t i = 0; i < pmon_type_count(); i++) {
		struct pmon_calc calc = calc_of(pmon_type_at(i)->word, 1000);

		n_averages += pmon_increment_form(&calc).type != NULL;
	}
	T_EQ_U64(n_averages, T_LEN(pairs));
	T_EQ_STR(pmon_increment_kind_name((enum pmon_increment_kind)3), "undefined");
}

// ---- Any range of any series ------------------------------------------------------------------

#define MAX_EVENTS 64

// A series of events with its rows; rows for gaps are `none` and have no time.
struct series {
	struct pmon_calc calc;
	struct pmon_increment_form form;
	const struct t_event *events;
	struct pmon_increment rows[MAX_EVENTS];
	size_t n;
	const char *label;
};

static size_t n_compared;

static void
make_rows(struct series *series)
{
	struct pmon_increments rows;

	assert_true(series->n <= MAX_EVENTS);
	series->form = pmon_increment_form(&series->calc);
	pmon_increments_begin(&rows, &series->calc);
	for (size_t i = 0; i < series->n; i++) {
		series->rows[i] = (struct pmon_increment){.kind = PMON_INCREMENT_NONE};
		if (series->events[i].gap)
			pmon_increments_gap(&rows);
		else
			series->rows[i] = pmon_increments_next(&rows, &series->events[i].raw);
	}
}

static struct pmon_increment_sums
sums_of(const struct series *series, size_t begin, size_t end)
{
	struct pmon_increment_sums sums = {.rows = 0};

	for (size_t i = begin; i < end; i++)
		pmon_increment_add(&sums, &series->form, &series->rows[i]);
	return sums;
}

// Statistics of the events [begin, end), which follow on the ones before.
static struct pmon_stats
stats_of(const struct series *series, size_t begin, size_t end)
{
	struct pmon_stats before;
	struct pmon_stats stats;

	t_play(&before, &series->calc, series->events, begin);
	pmon_stats_init(&stats, &series->calc);
	if (pmon_calc_needs_two(&series->calc) && before.has_tail && before.tail_open)
		pmon_stats_lead(&stats, &before.tail);
	for (size_t i = begin; i < end; i++)
		t_play_one(&stats, &series->events[i]);
	return stats;
}

// Does the header promise the average of stats for these rows?
static bool
is_promised(const struct series *series, size_t begin, size_t end, uint32_t units)
{
	enum pmon_formula formula = series->calc.type->formula;

	for (size_t i = begin; i < end; i++) {
		const struct pmon_increment *row = &series->rows[i];

		if (row->kind == PMON_INCREMENT_START && row->status == PMON_V_NO_DATA)
			return false; // out of range, or no units
		if ((formula == PMON_FORMULA_MULTI || formula == PMON_FORMULA_MULTI_INV) &&
		    row->kind == PMON_INCREMENT_PAIR && row->b != units)
			return false;
	}
	return formula != PMON_FORMULA_ELAPSED;
}

static void
check_average(const struct series *series, struct pmon_value got, struct pmon_value want,
	      uint32_t units)
{
	enum pmon_formula formula = series->calc.type->formula;
	double scale = fabs(want.value) + series->form.add;

	n_compared++;
	if (want.status == PMON_V_CLAMPED) // the 0 of the policy is no sum
		return;
	T_EQ_BOOL_AT(pmon_vstat_has_value(got.status), pmon_vstat_has_value(want.status),
		     series->label);
	if (!pmon_vstat_has_value(want.status))
		return;
	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(want.status), series->label);
	if (formula == PMON_FORMULA_MULTI_INV)
		scale += 100.0 * units;
	if (formula == PMON_FORMULA_COUNT || formula == PMON_FORMULA_DELTA ||
	    formula == PMON_FORMULA_DOUBLE || formula == PMON_FORMULA_FRACTION)
		T_EQ_DBL_AT(got.value, want.value, series->label);
	else if (fabs(got.value - want.value) > 1e-15 * scale)
		T_EQ_DBL_AT(got.value, want.value, series->label);
}

static void
check_range(const struct series *series, size_t begin, size_t end)
{
	struct pmon_increment_sums sums = sums_of(series, begin, end);
	struct pmon_stats stats = stats_of(series, begin, end);
	struct pmon_value got = pmon_increment_average(&series->form, &sums);

	if (series->calc.type == NULL || series->form.type == NULL)
		T_EQ_I64_AT(got.status, PMON_V_NO_DATA, series->label);
	else if (is_promised(series, begin, end, stats.tail.multi))
		check_average(series, got, pmon_stats_average(&stats), stats.tail.multi);
	for (size_t i = begin; i <= end; i++) {
		struct pmon_increment_sums left = sums_of(series, begin, i);
		struct pmon_increment_sums right = sums_of(series, i, end);

		pmon_increment_merge(&left, &right);
		assert_memory_equal(&left.n, &sums.n, sizeof(sums.n));
		assert_memory_equal(&left.d, &sums.d, sizeof(sums.d));
		assert_memory_equal(&left.parts, &sums.parts, sizeof(sums.parts));
		assert_memory_equal(&left.wholes, &sums.wholes, sizeof(sums.wholes));
		T_EQ_U64_AT(left.rows, sums.rows, series->label);
		T_EQ_BOOL_AT(left.wrapped, sums.wrapped, series->label);
	}
}

// The numbers in a raw value that the type uses.
static void
check_raw(const struct pmon_calc *calc, const struct pmon_raw *got, const struct pmon_raw *want,
	  const char *label)
{
	enum pmon_formula formula = calc->type != NULL ? calc->type->formula : PMON_FORMULA_NONE;

	T_EQ_I64_AT(got->time, want->time, label);
	T_EQ_U64_AT(got->status, want->status, label);
	T_EQ_I64_AT(got->first, want->first, label);
	if (formula != PMON_FORMULA_COUNT && formula != PMON_FORMULA_DOUBLE &&
	    formula != PMON_FORMULA_DELTA)
		T_EQ_I64_AT(got->second, want->second, label);
	if (formula == PMON_FORMULA_MULTI || formula == PMON_FORMULA_MULTI_INV)
		T_EQ_U64_AT(got->multi, want->multi, label);
}

static void
check_raw_again(const struct series *series)
{
	struct pmon_increments rows;

	pmon_increments_begin(&rows, &series->calc);
	for (size_t i = 0; i < series->n; i++) {
		struct pmon_raw raw;

		if (series->events[i].gap)
			continue;
		assert_true(pmon_increment_raw(&rows, &series->rows[i], &raw));
		check_raw(&series->calc, &raw, &series->events[i].raw, series->label);
	}
}

static void
check_series(struct series *series)
{
	make_rows(series);
	check_raw_again(series);
	for (size_t begin = 0; begin <= series->n; begin++)
		for (size_t end = begin; end <= series->n; end++)
			check_range(series, begin, end);
}

// ---- The conformance vectors ------------------------------------------------------------------

// Averages are of the policy of the row, but of no options of the display.
static struct pmon_calc
plain_calc(const struct t_csv *csv)
{
	struct pmon_calc calc = t_vector_calc(csv);

	calc.options.cap_100 = calc.options.default_scale = calc.options.times_1000 = false;
	return calc;
}

// One event, unless it is a mark between windows, or a lead that is not usable and so does nothing.
static bool
read_event(const char *text, const struct pmon_calc *calc, struct t_event *event)
{
	bool is_lead = *text == '(';

	*event = (struct t_event){.gap = *text == 'g'};
	if (*text == '|' || event->gap)
		return event->gap;
	(void)t_vector_raw(text + is_lead, calc, &event->raw);
	if (is_lead && event->raw.status >= PMON_RAW_NO_MACHINE)
		return false;
	if (is_lead) // not a sample
		event->raw.status = PMON_RAW_STARTED;
	return true;
}

static size_t
read_events(const char *text, const struct pmon_calc *calc, struct t_event events[MAX_EVENTS])
{
	size_t n = 0;

	while (*text != '\0' && strcmp(text, "-") != 0) {
		size_t len = strcspn(text, " ");

		assert_true(n < MAX_EVENTS);
		if (read_event(text, calc, &events[n])) {
			events[n].raw.time = (pmon_time)n;
			n++;
		}
		text += len + (text[len] == ' ');
	}
	return n;
}

// The statuses of rows are those of displayed values in the vectors.
static void
check_statuses(const struct series *series, const char *values)
{
	for (size_t i = 0; i < series->n; i++) {
		struct pmon_value want;

		if (series->events[i].gap || series->events[i].raw.status == PMON_RAW_STARTED)
			continue;
		values = t_vector_value(values, &want);
		values += *values == ' ';
		T_EQ_STR_AT(pmon_vstat_name(series->rows[i].status), pmon_vstat_name(want.status),
			    series->label);
	}
}

static void
test_vectors_of_series(void **state)
{
	struct t_csv csv;

	(void)state;
	t_csv_open_vectors(&csv, "series.tsv");
	while (t_csv_next(&csv)) {
		struct t_event events[MAX_EVENTS];
		struct series series = {.calc = plain_calc(&csv), .label = t_csv_get(&csv, "id")};

		series.events = events;
		series.n = read_events(t_csv_get(&csv, "events"), &series.calc, events);
		check_series(&series);
		check_statuses(&series, t_csv_get(&csv, "values"));
	}
	t_csv_close(&csv);
	assert_true(n_compared > 1500);
}

// A single pair has the value of that pair.
static void
test_vectors_of_values(void **state)
{
	struct t_csv csv;

	(void)state;
	t_csv_open_vectors(&csv, "values.tsv");
	while (t_csv_next(&csv)) {
		struct pmon_calc calc = plain_calc(&csv);
		struct t_event events[2] = {{.raw = {.time = 1}}, {.raw = {.time = 2}}};
		struct series series = {.calc = calc, .label = t_csv_get(&csv, "id")};
		bool has_older = t_vector_raw_at(&csv, "older", &calc, &events[0].raw);

		assert_true(t_vector_raw_at(&csv, "newer", &calc, &events[1].raw));
		series.events = events + !has_older;
		series.n = 1 + has_older;
		check_series(&series);
	}
	t_csv_close(&csv);
}

// ---- Made-up series ---------------------------------------------------------------------------

static void
check_made_up(struct t_rand *r, uint32_t type, bool constant_units)
{
	struct t_event events[T_MAX_EVENTS];
	struct series series = {.calc = t_make_calc(r, type), .events = events};

	series.label = series.calc.type->name;
	series.n = t_make_events(r, type, events);
	for (size_t i = 0; constant_units && i < series.n; i++)
		events[i].raw.multi = 4;
	series.calc.options.cap_100 = series.calc.options.default_scale = false;
	series.calc.options.times_1000 = false;
	check_series(&series);
}

static void
test_made_up_series_of_each_type(void **state)
{
	const size_t runs = t_runs("PMON_TEST_SERIES", 20);
	struct t_rand r = {36};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		n_compared = 0;
		for (size_t k = 0; k < runs; k++)
			check_made_up(&r, type->word, k % 2 == 0);
		if (pmon_type_is_displayed(type->word) && type->formula != PMON_FORMULA_ELAPSED)
			assert_true(n_compared >= runs);
	}
}

// ---- Groups -----------------------------------------------------------------------------------

// Two series of one counter, each with its own number of units.
static void
check_group(struct t_rand *r, uint32_t type)
{
	struct t_event events[2][T_MAX_EVENTS];
	struct series series[2] = {{.calc = t_make_calc(r, type)}};
	struct pmon_increment_sums sums[2];
	struct pmon_stats stats[2];
	struct pmon_value got;
	bool promised = true;
	bool is_one;

	series[0].calc.options = (struct pmon_calc_options){.size = sizeof(series[0].calc.options)};
	series[1].calc = series[0].calc;
	for (int i = 0; i < 2; i++) {
		series[i].label = series[i].calc.type->name;
		series[i].events = events[i];
		series[i].n = t_make_events(r, type, events[i]);
		for (size_t k = 0; k < series[i].n; k++)
			events[i][k].raw.multi = 3 + (uint32_t)i;
		make_rows(&series[i]);
		sums[i] = sums_of(&series[i], 0, series[i].n);
		stats[i] = stats_of(&series[i], 0, series[i].n);
		promised = promised && series[i].form.type != NULL &&
			   is_promised(&series[i], 0, series[i].n, stats[i].tail.multi);
	}
	if (!promised)
		return;
	T_EQ_I64(pmon_stats_gather(&stats[0], &stats[1]), PMON_OK);
	is_one = sums[0].rows == 0 || sums[1].rows == 0;
	pmon_increment_merge(&sums[0], &sums[1]);
	got = is_one ? pmon_increment_average(&series[0].form, &sums[0])
		     : pmon_increment_group_average(&series[0].form, &sums[0]);
	check_average(&series[0], got, pmon_stats_average(&stats[0]), 4);
}

static void
test_groups_of_each_type(void **state)
{
	struct t_rand r = {37};

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++) {
		n_compared = 0;
		for (size_t k = 0; k < 200; k++)
			check_group(&r, pairs[i].word);
		assert_true(n_compared > 20);
	}
}

// A full disk counts by its size; one of nothing does not.
static void
test_a_group_of_fractions_is_parts_of_wholes(void **state)
{
	static const struct pmon_raw disks[] = {{.first = 20, .second = 100},
						{.first = 1500, .second = 2000},
						{.first = 7, .second = 0}};
	struct pmon_calc calc = calc_of(PMON_PERF_RAW_FRACTION, 0);
	struct pmon_increment_form form = pmon_increment_form(&calc);
	struct pmon_increment_sums sums = {.rows = 0};
	struct pmon_increments rows;

	(void)state;
	pmon_increments_begin(&rows, &calc);
	for (size_t i = 0; i < T_LEN(disks); i++) {
		struct pmon_increment row = pmon_increments_next(&rows, &disks[i]);

		pmon_increment_add(&sums, &form, &row);
	}
	// docs/reference/counters.md, Groups: (20 + 1500) / (100 + 2000); the mean is (20 + 75 + 0) / 3
	T_EQ_DBL(pmon_increment_group_average(&form, &sums).value, 100 * (1520.0 / 2100));
	T_EQ_DBL(pmon_increment_average(&form, &sums).value, 95.0 / 3);
}

// ---- Where rows know more, or less ------------------------------------------------------------

// Two units are busy for 100 of 2 * 100 ticks, then four for 200 of 4 * 100: half of the time of all units. (The
// units of the newest sample for all would be 300 / 200 / 4 = 37.5 %.) Inverse: 300 of 600 idle in 200 ticks, so
// 300 busy: 150 %. A pair without units, and one that is too large, are not there.
static void
test_units_that_change(void **state)
{
	static const struct {
		uint32_t word;
		double want;
	} types[] = {{PMON_PERF_COUNTER_MULTI_TIMER, 50}, {PMON_PERF_COUNTER_MULTI_TIMER_INV, 150}};
	static const struct t_event events[] = {
		{.raw = {.multi = 2}},
		{.raw = {.first = 100, .second = 100, .multi = 2}},
		{.raw = {.first = 300, .second = 200, .multi = 4}},
		{.raw = {.first = 350, .second = 300}},
		{.raw = {.first = 350, .second = INT64_MAX, .multi = 2}},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(types); i++) {
		struct series series = {
			.calc = calc_of(types[i].word, 0), .events = events, .n = 5};
		struct pmon_increment_sums sums;

		series.label = series.calc.type->name;
		check_series(&series);
		sums = sums_of(&series, 0, 5);
		T_EQ_DBL(pmon_increment_average(&series.form, &sums).value, types[i].want);
		T_EQ_U64(sums.rows, 2);
		T_EQ_I64(series.rows[3].kind, PMON_INCREMENT_START);
		T_EQ_I64(series.rows[4].kind, PMON_INCREMENT_START);
	}
}

// A pair without a predecessor cannot be a raw value, nor can one of a type without raw values.
// Numbers not used in the sums are skipped.
static void
test_rows_that_were_not_written(void **state)
{
	struct pmon_increment row = {.kind = PMON_INCREMENT_PAIR, .n = 1, .d = 1};
	static const uint32_t words[] = {PMON_PERF_COUNTER_BULK_COUNT, 0x12345678,
					 PMON_PERF_COUNTER_MULTI_TIMER};
	struct pmon_increment_form form = {.is_real = true};
	struct pmon_increment_sums sums = {.rows = 0};
	struct pmon_increments rows;
	struct pmon_raw raw = {.first = 1};

	(void)state;
	for (size_t i = 0; i < T_LEN(words); i++) {
		struct pmon_calc calc = calc_of(words[i], 1);

		pmon_increments_begin(&rows, &calc);
		if (i > 0)
			pmon_increments_lead(&rows, &raw);
		assert_false(pmon_increment_raw(&rows, &row, &raw)); // MULTI: without units
	}
	pmon_increment_add(&sums, &form, &(struct pmon_increment){.kind = row.kind, .x = NAN});
	pmon_increment_add(&sums, &form, &(struct pmon_increment){.kind = row.kind, .x = 0x1p80});
	T_EQ_U64(sums.rows, 0);
}

// The first row of a later log forms a pair with the last one of an earlier log.
static void
test_a_lead_makes_a_pair(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_COUNTER_BULK_COUNT, 1);
	struct pmon_raw last = {.first = 10, .second = 10};
	struct pmon_raw next = {.first = 30, .second = 20};
	struct pmon_increments rows;
	struct pmon_increment row;

	(void)state;
	pmon_increments_begin(&rows, &calc);
	pmon_increments_lead(&rows, &last);
	last.status = PMON_RAW_INVALID;
	pmon_increments_lead(&rows, &last);
	row = pmon_increments_next(&rows, &next);
	T_EQ_I64(row.kind, PMON_INCREMENT_PAIR);
	T_EQ_I64(row.n, 20);
	T_EQ_I64(row.d, 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_of_each_type),
		cmocka_unit_test(test_vectors_of_series),
		cmocka_unit_test(test_vectors_of_values),
		cmocka_unit_test(test_made_up_series_of_each_type),
		cmocka_unit_test(test_groups_of_each_type),
		cmocka_unit_test(test_a_group_of_fractions_is_parts_of_wholes),
		cmocka_unit_test(test_units_that_change),
		cmocka_unit_test(test_rows_that_were_not_written),
		cmocka_unit_test(test_a_lead_makes_a_pair),
	};

	return cmocka_run_group_tests_name("core_increments", tests, NULL, NULL);
}
