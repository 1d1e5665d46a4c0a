// test_draw_figure.c - panels, axes, and the content of the cells of a terminal
// SPDX-License-Identifier: MIT
//
// The expected pictures were drawn on squared paper; the computation of the cells is next to them.

#include <math.h>

#include <stdlib.h>

#include "draw/figure.h"
#include "draw/term.h"
#include "t.h"

#define SEC     PMON_TIME_PER_SEC
#define COLUMNS 94 // of a terminal of 60 characters: two for each of 60 - 10 - 3

static int32_t
utc(const void *ctx, pmon_time t)
{
	(void)ctx;
	(void)t;
	return 0;
}

static struct pmon_value
number(double value)
{
	return (struct pmon_value){.value = value};
}

// A series of a counter, between two values.
static struct draw_series
series_of(const char *counter, enum draw_quantity quantity, double minimum, double maximum)
{
	struct draw_series s = {.counter = t_span(counter),
				.unit = {.quantity = quantity, .factor = 1},
				.last = number(maximum),
				.average = number((minimum + maximum) / 2),
				.minimum = number(minimum),
				.maximum = number(maximum),
				.average_mark = ""};

	(void)snprintf(s.label, sizeof(s.label), "\\O\\%s", counter);
	return s;
}

static struct draw_figure
figure_of(struct draw_series *series, size_t n)
{
	return (struct draw_figure){.title = "T",
				    .subtitle = "sub",
				    .from = 10 * 3600 * SEC,
				    .to = (10 * 3600 + COLUMNS) * SEC,
				    .clock = {utc, NULL},
				    .columns = COLUMNS,
				    .series = series,
				    .n = n};
}

static void
set(struct pmon_envelope_column *columns, size_t i, double value, bool joined)
{
	columns[i] = (struct pmon_envelope_column){
		.first = value,
		.minimum = value,
		.maximum = value,
		.last = value,
		.time = (10 * 3600 + (pmon_time)i) * SEC,
		.count = 1,
		.joined = joined,
	};
}

static void
assert_near(double got, double want)
{
	if (fabs(got - want) > 1e-9 * fabs(want))
		fail_msg("%g, want %g", got, want);
}

// ---- Panels ---------------------------------------------------------------------------------

static void
a_panel_for_each_quantity(void **state)
{
	struct draw_series series[] = {
		series_of("% a", DRAW_PERCENT, 0, 100), series_of("ms", DRAW_SECONDS, 0, 0.05),
		series_of("% b", DRAW_PERCENT, 0, 0.1), series_of("bytes", DRAW_BYTES, 0, 1e9)};
	struct draw_figure f = figure_of(series, 4);

	(void)state;
	draw_assign_panels(&f, 1); // three, even where there is room for one
	assert_int_equal(f.n_panels, 3);
	assert_int_equal(series[0].panel, 0);
	assert_int_equal(series[1].panel, 1);
	assert_int_equal(series[2].panel, 0);
	assert_int_equal(series[3].panel, 2);
	T_EQ_STR(f.panels[0].heading, "% a, % b");
	draw_fit_axes(&f, 5);
	T_EQ_STR(f.panels[1].multiple->name, "ms");
	assert_near(f.panels[1].axis.high, 1.05 * 50);
	T_EQ_STR(f.panels[2].multiple->name, "MB");
	assert_near(f.panels[2].axis.high, 1.05 * 1e9 / 1048576);
}

// 40000 handles and 60 processes differ by a factor of 667; the series of one counter stay
// together.
static void
counters_of_other_orders_of_magnitude(void **state)
{
	struct draw_series series[] = {series_of("Processes", DRAW_COUNT, 50, 60),
				       series_of("Handles", DRAW_COUNT, 1, 40000),
				       series_of("Threads", DRAW_COUNT, 600, 900),
				       series_of("Handles", DRAW_COUNT, 1, 2)};
	struct draw_figure f = figure_of(series, 4);

	(void)state;
	draw_assign_panels(&f, 6);
	assert_int_equal(f.n_panels, 2); // 40000 | 900, 60: 44 and 15 times apart
	assert_int_equal(series[0].panel, 0);
	assert_int_equal(series[1].panel, 1);
	assert_int_equal(series[2].panel, 0);
	assert_int_equal(series[3].panel, 1);
	draw_assign_panels(&f, 1);
	assert_int_equal(f.n_panels, 1);
}

// Whatever the counters of a unit are, the larger average has the longer bar.
static void
bars_of_a_unit_have_one_axis(void **state)
{
	static const double averages[] = {3512, 642, 642000, 0.5, 40, 99.99, 3e9};
	struct draw_series series[T_LEN(averages)];
	struct draw_figure f;
	char names[T_LEN(averages)][8];

	(void)state;
	for (size_t i = 0; i < T_LEN(averages); i++) {
		(void)snprintf(names[i], sizeof(names[i]), "c%zu", i);
		series[i] = series_of(names[i], i % 2 == 0 ? DRAW_COUNT : DRAW_RATE, averages[i],
				      averages[i]);
	}
	f = figure_of(series, T_LEN(averages));
	f.kind = DRAW_BAR;
	draw_assign_panels(&f, 6);
	draw_fit_axes(&f, 5);
	assert_int_equal(f.n_panels, 2);
	for (size_t i = 0; i < T_LEN(averages); i++)
		for (size_t j = i % 2; j < T_LEN(averages); j += 2)
			assert_int_equal(draw_place(&f, &series[i], averages[i]) <
						 draw_place(&f, &series[j], averages[j]),
					 averages[i] < averages[j]);
}

// Colours mean the same whatever else is shown: 97 % is not the colour of 22 %, of 579 % not that of 1.2 %, and a
// percentage of a whole has the colour of its part.
static void
colours_of_percentages_are_linear(void **state)
{
	static const double noise[] = {0, 0.01, 1.2, 22, 40};
	static const double highs[] = {60, 97, 100, 250, 579};
	static struct pmon_envelope_column columns[COLUMNS];

	(void)state;
	for (size_t i = 0; i < T_LEN(noise); i++)
		for (size_t k = 0; k < T_LEN(highs); k++) {
			struct draw_series series[] = {
				series_of("c", DRAW_PERCENT, noise[i], highs[k])};
			struct draw_figure f = figure_of(series, 1);
			double whole = highs[k] > 100 ? 1.05 * highs[k] : 100;

			series[0].columns = columns;
			for (size_t c = 0; c < COLUMNS; c++)
				set(columns, c, c == 7 ? highs[k] : noise[i], true);
			f.kind = DRAW_HEATMAP;
			draw_assign_panels(&f, 1);
			draw_fit_axes(&f, 5);
			assert_false(f.panels[0].axis.logarithmic);
			assert_near(draw_place(&f, series, highs[k]), highs[k] / whole);
			assert_near(draw_place(&f, series, noise[i]), noise[i] / whole);
		}
}

// Amounts of other orders of magnitude need powers of ten; then the smallest are marked as "or less".
static void
colours_of_amounts_are_linear_unless_they_vary_too_much(void **state)
{
	static const struct {
		double usual, largest;
		bool logarithmic;
	} rows[] = {{10, 20, false},
		    {10, 900, false},
		    {10, 1100, true},
		    {0.001, 19.4, true},
		    {0, 500, false}};
	static struct pmon_envelope_column columns[COLUMNS];

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct draw_series series[] = {
			series_of("c", DRAW_COUNT, rows[i].usual, rows[i].largest)};
		struct draw_figure f = figure_of(series, 1);
		char label[48];

		series[0].columns = columns;
		for (size_t c = 0; c < COLUMNS; c++)
			set(columns, c, c == 7 ? rows[i].largest : rows[i].usual, true);
		f.kind = DRAW_HEATMAP;
		draw_assign_panels(&f, 1);
		draw_fit_axes(&f, 5);
		T_EQ_I64_AT(f.panels[0].axis.logarithmic, rows[i].logarithmic, "logarithmic");
		assert_true(draw_place(&f, series, rows[i].largest) <= 1);
		draw_tick_text(&f.panels[0], 0, label, sizeof(label));
		T_EQ_I64_AT(strncmp(label, "\xE2\x89\xA4", 3) == 0, rows[i].logarithmic, label);
	}
}

// The colours of a heat map go up to the largest value of all rows, and a larger value is never the same colour as
// one below it that the scale shows.
static void
colours_of_a_heat_map_end_at_the_largest_value(void **state)
{
	static const double largest[] = {579, 1.3, 2, 100, 1e6, 1e12};
	static struct pmon_envelope_column columns[3][COLUMNS];

	(void)state;
	for (size_t k = 0; k < T_LEN(largest); k++) {
		struct draw_series series[] = {series_of("c", DRAW_PERCENT, 0, 1.2),
					       series_of("c", DRAW_PERCENT, 0, largest[k]),
					       series_of("c", DRAW_PERCENT, 0, 0.9)};
		struct draw_figure f = figure_of(series, 3);

		// 1.2 % nearly everywhere, and one cell in a hundred that is larger.
		for (size_t i = 0; i < 3; i++)
			for (size_t c = 0; c < COLUMNS; c++) {
				series[i].columns = columns[i];
				set(columns[i], c, i == 1 && c % 100 == 50 ? largest[k] : 1.2,
				    true);
			}
		f.kind = DRAW_HEATMAP;
		draw_assign_panels(&f, 1);
		draw_fit_axes(&f, 5);
		assert_true(draw_place(&f, &series[1], largest[k]) <= 1);
		assert_true(draw_place(&f, &series[1], largest[k]) >
			    draw_place(&f, &series[0], 1.2));
		assert_true(draw_place(&f, &series[1], largest[k]) >
			    draw_place(&f, &series[0], largest[k] * 0.9));
		T_EQ_DBL(draw_place(&f, &series[0], 1.2), draw_place(&f, &series[2], 1.2));
	}
}

// With four digits 100.04 shows as 100.
static void
a_whole_ends_at_100(void **state)
{
	static const double highs[] = {0, 3, 41, 60, 99.9, 100, 100.0000002, 100.04};

	(void)state;
	for (size_t i = 0; i < T_LEN(highs); i++)
		for (int steps = 1; steps <= 12; steps++) {
			struct draw_series series[] = {
				series_of("c", DRAW_PERCENT, highs[i], highs[i])};
			struct draw_figure f = figure_of(series, 1);

			draw_assign_panels(&f, 1);
			draw_fit_axes(&f, steps);
			T_EQ_DBL(f.panels[0].axis.low, 0);
			T_EQ_DBL(f.panels[0].axis.high, 100);
		}
}

static void
zero_is_on_the_axis_where_it_matters(void **state)
{
	static const struct {
		enum draw_kind kind;
		enum draw_quantity quantity;
		double minimum, maximum, low, high;
	} rows[] = {
		// A twentieth of the range is free beyond the values.
		{DRAW_LINE, DRAW_COUNT, 950, 980, 948.5, 981.5},
		{DRAW_AREA, DRAW_COUNT, 950, 980, 0, 1029},
		{DRAW_LINE, DRAW_COUNT, 500, 980, 0, 1029},
		{DRAW_LINE, DRAW_PERCENT, 95, 98, 0, 100},
		{DRAW_LINE, DRAW_PERCENT, 0, 3, 0, 100},
		{DRAW_LINE, DRAW_COUNT, -4, -1, -4.2, 0},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct draw_series series[] = {
			series_of("c", rows[i].quantity, rows[i].minimum, rows[i].maximum)};
		struct draw_figure f = figure_of(series, 1);

		f.kind = rows[i].kind;
		draw_assign_panels(&f, 6);
		draw_fit_axes(&f, 5);
		assert_near(f.panels[0].axis.low, rows[i].low);
		assert_near(f.panels[0].axis.high, rows[i].high);
	}
}

static void
thresholds_are_on_the_panels_of_their_unit(void **state)
{
	struct draw_series series[] = {series_of("ms", DRAW_SECONDS, 0, 0.01),
				       series_of("n", DRAW_COUNT, 0, 5)};
	struct draw_threshold thresholds[2];
	struct draw_figure f = figure_of(series, 2);
	double place;

	(void)state;
	assert_true(draw_threshold_parse("20ms", &thresholds[0]));
	assert_true(draw_threshold_parse("7", &thresholds[1]));
	f.thresholds = thresholds;
	f.n_thresholds = 2;
	draw_assign_panels(&f, 6);
	draw_fit_axes(&f, 4);
	assert_true(draw_threshold_place(&f, &f.panels[0], &thresholds[0], &place));
	assert_near(place, 1 / 1.05); // the axis was made to hold it
	assert_false(draw_threshold_place(&f, &f.panels[1], &thresholds[0], &place));
	assert_true(draw_threshold_place(&f, &f.panels[1], &thresholds[1], &place));
	assert_near(place, 1 / 1.05);
	assert_false(draw_threshold_place(&f, &f.panels[0], &thresholds[1], &place));
}

// If two counters of one unit have panels of their own, the threshold is in the panel of its counter.
static void
a_threshold_of_one_counter(void **state)
{
	struct draw_series series[] = {series_of("large", DRAW_COUNT, 0, 10000),
				       series_of("small", DRAW_COUNT, 0, 5)};
	struct draw_threshold threshold;
	struct draw_figure f = figure_of(series, 2);
	double place;

	(void)state;
	assert_true(draw_threshold_parse("7", &threshold));
	threshold.counter = t_span("Small");
	f.thresholds = &threshold;
	f.n_thresholds = 1;
	draw_assign_panels(&f, 6);
	draw_fit_axes(&f, 4);
	assert_int_equal(f.n_panels, 2);
	assert_true(draw_threshold_place(&f, &f.panels[series[1].panel], &threshold, &place));
	assert_false(draw_threshold_place(&f, &f.panels[series[0].panel], &threshold, &place));
}

// ---- Columns --------------------------------------------------------------------------------

static void
a_value_covers_the_time_that_led_to_it(void **state)
{
	static struct pmon_envelope_column columns[COLUMNS];
	struct draw_series series[] = {series_of("c", DRAW_COUNT, 0, 4)};
	struct draw_figure f = figure_of(series, 1);

	(void)state;
	series[0].columns = columns;
	set(columns, 10, 1, false);
	set(columns, 14, 2, true);
	columns[18].missing = PMON_V_COUNTER_BACK;
	set(columns, 30, 3, false);
	assert_int_equal(draw_column_cover(&f, series, 10), 10);
	assert_int_equal(draw_column_cover(&f, series, 11), 14);
	// The first of a run: as far back as the next sample is ahead.
	assert_int_equal(draw_column_cover(&f, series, 7), 10);
	assert_int_equal(draw_column_cover(&f, series, 6), COLUMNS);
	// No line leads to the value after the gap, and none leaves it.
	assert_int_equal(draw_column_cover(&f, series, 20), COLUMNS);
	assert_int_equal(draw_column_cover(&f, series, 31), COLUMNS);
}

// ---- Terminals ------------------------------------------------------------------------------

static char *
draw(struct draw_figure *f, const struct draw_terminal *terminal)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	assert_true(draw_term(f, terminal, out));
	assert_int_equal(fclose(out), 0);
	return text;
}

static void
check_drawing(struct draw_figure *f, bool ascii, const char *want)
{
	struct draw_terminal terminal = {.width = 60, .height = 10, .ascii = ascii};
	char *text = draw(f, &terminal);

	T_EQ_STR(text, want);
	free(text);
}

// The value goes from 0 at the left to 4 in cell 13 and stays there. The line of five rows is at
// row 4 * x / 13, rounded: 0 in 0-1, 1 in 2-4, 2 in 5-8, 3 in 9-11, 4 from 12 on. Times are half a
// minute apart: of 94 s in 46 cells, at 15, 29 and 44.
static void
a_line_in_ascii(void **state)
{
	static struct pmon_envelope_column columns[COLUMNS];
	struct draw_series series[] = {series_of("c", DRAW_COUNT, 0, 4)};
	struct draw_figure f = figure_of(series, 1);

	(void)state;
	series[0].columns = columns;
	set(columns, 0, 0, false);
	set(columns, 26, 4, true);
	set(columns, 93, 4, true);
	draw_assign_panels(&f, 1);
	draw_fit_axes(&f, 5); // 0, 1, 2, 3, 4
	check_drawing(&f, true,
		      "T  sub\n"
		      "          c\n"
		      "       4 +            aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa a\n"
		      "       3 +         aaa\n"
		      "       2 +     aaaa\n"
		      "       1 +  aaa\n"
		      "       0 +aa\n"
		      "         ++--------------+-------------+--------------+--\n"
		      "      10:00:00       10:00:30      10:01:00       10:01:30\n"
		      "        Last  Average  Minimum  Maximum      Counter\n"
		      "==a        4        2        0        4      \\O\\c\n");
}

// Two values that are not joined, and between them one that is missing. Four rows have 16 dots: a place
// of 1/4 is dot 4 from below (15 / 4, rounded), the lowest of the third row: dot 7 of Braille, U+2840. A
// place of 3/4 is dot 11, the highest of the second row, in column 40 and so cell 20: dot 1, U+2801.
#define CORNER "\xE2\x94\x94"
#define TICK   "\xE2\x94\xAC"
#define DASH   "\xE2\x94\x80"
#define DASHES DASH DASH DASH DASH DASH DASH

static void
dots_of_braille(void **state)
{
	static struct pmon_envelope_column columns[COLUMNS];
	struct draw_series series[] = {series_of("c", DRAW_COUNT, 0, 4)};
	struct draw_figure f = figure_of(series, 1);

	(void)state;
	series[0].columns = columns;
	set(columns, 0, 1, false);
	columns[10].missing = PMON_V_COUNTER_BACK;
	set(columns, 40, 3, false);
	draw_assign_panels(&f, 1);
	draw_fit_axes(&f, 2);
	check_drawing(&f, false,
		      "T  sub\n"
		      "\xC3\x97 no value: the counter decreased: it was reset or restarted\n"
		      "          c\n"
		      "       4 \xE2\x94\xA4\n"
		      "         \xE2\x94\x82                    \xE2\xA0\x81                       "
		      "    a\n"
		      "       2 \xE2\x94\xA4\xE2\xA1\x80\n"
		      "       0 \xE2\x94\xA4     \xC3\x97\n"
		      "         " CORNER TICK DASHES DASHES DASH DASH TICK DASHES DASHES DASH TICK
			      DASHES DASHES DASH DASH TICK DASH DASH "\n"
		      "      10:00:00       10:00:30      10:01:00       10:01:30\n"
		      "        Last  Average  Minimum  Maximum      Counter\n"
		      "\xE2\x94\x81\xE2\x94\x81"
		      "a        4        2        0        4      \\O\\c\n");
}

static void
colours_only_where_they_are_wanted(void **state)
{
	static struct pmon_envelope_column columns[COLUMNS];
	struct draw_series series[] = {series_of("c", DRAW_COUNT, 0, 4)};
	struct draw_figure f = figure_of(series, 1);
	static const enum draw_kind kinds[] = {DRAW_LINE, DRAW_AREA, DRAW_STACKED, DRAW_BAR,
					       DRAW_HEATMAP};

	(void)state;
	series[0].columns = columns;
	set(columns, 0, 0, false);
	set(columns, 93, 4, true);
	for (size_t i = 0; i < T_LEN(kinds); i++) {
		struct draw_terminal terminal = {.width = 60, .height = 10, .colour = true};
		char *text;

		f.kind = kinds[i];
		draw_assign_panels(&f, 1);
		draw_fit_axes(&f, 2);
		text = draw(&f, &terminal);
		assert_non_null(strstr(text, "\033[38;5;"));
		assert_string_equal(text + strlen(text) - 1, "\n");
		free(text);
		terminal.colour = false;
		text = draw(&f, &terminal);
		assert_null(strchr(text, '\033'));
		free(text);
	}
}

// A tower of two: 1 below, 2 on it, of an axis up to 3.15. Of four rows a has one and b the three above; the sums
// are the same from the first column to the last.
static void
a_stack_in_ascii(void **state)
{
	static struct pmon_envelope_column sums[2][COLUMNS];
	struct draw_series series[] = {series_of("c", DRAW_COUNT, 1, 1),
				       series_of("c", DRAW_COUNT, 2, 2)};
	struct draw_figure f = figure_of(series, 2);
	struct draw_terminal terminal = {.width = 60, .height = 10, .ascii = true};
	char *text;

	(void)state;
	f.kind = DRAW_STACKED;
	for (int i = 0; i < 2; i++) {
		series[i].columns = sums[i];
		set(sums[i], 0, i == 0 ? 1 : 3, false);
		set(sums[i], 93, i == 0 ? 1 : 3, true);
	}
	draw_assign_panels(&f, 1);
	draw_fit_axes(&f, 2); // 0, 2
	text = draw(&f, &terminal);
	assert_non_null(strstr(text, "       2 +bbbb"));
	assert_non_null(strstr(text, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb b\n"));
	assert_non_null(strstr(text, "       0 +aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	assert_non_null(strstr(text, "aaa        1        1        1        1"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_panel_for_each_quantity),
		cmocka_unit_test(counters_of_other_orders_of_magnitude),
		cmocka_unit_test(zero_is_on_the_axis_where_it_matters),
		cmocka_unit_test(colours_of_percentages_are_linear),
		cmocka_unit_test(colours_of_amounts_are_linear_unless_they_vary_too_much),
		cmocka_unit_test(bars_of_a_unit_have_one_axis),
		cmocka_unit_test(colours_of_a_heat_map_end_at_the_largest_value),
		cmocka_unit_test(a_whole_ends_at_100),
		cmocka_unit_test(thresholds_are_on_the_panels_of_their_unit),
		cmocka_unit_test(a_threshold_of_one_counter),
		cmocka_unit_test(a_value_covers_the_time_that_led_to_it),
		cmocka_unit_test(a_line_in_ascii),
		cmocka_unit_test(dots_of_braille),
		cmocka_unit_test(colours_only_where_they_are_wanted),
		cmocka_unit_test(a_stack_in_ascii),
	};

	return cmocka_run_group_tests_name("draw_figure", tests, NULL, NULL);
}
