// hours.c - the main counters of a log of more than a day: one row per day, one column per hour
// SPDX-License-Identifier: MIT
//
// Recurring events form a column, single ones a cell.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "verbs/report/report.h"
#include "base/time.h"
#include "shell/output/say.h"

#define DAY_HOURS    24
#define HOUR         (INT64_C(3600) * PMON_TIME_PER_SEC)
#define DAY          (DAY_HOURS * HOUR)
#define FINDINGS     3 // findings whose counters come first
#define SERIES       6
#define LONG_DAYS    7 // from this number of days on there are fewer series ...
#define LONG_MOST    4
#define SHADES       5   // of cells; 0 has none
#define WORTH_SHADES 0.2 // share of the largest value by which values must vary

// A row contains hourly averages: of the series, or of its queue length divided by its rate.
struct row {
	const struct pmon_series *series;
	const struct pmon_series *queue; // NULL, as is the rate: use the series
	const struct pmon_series *rate;
};

struct report_hours {
	struct pmon_resampler *resampler;
	struct row rows[SERIES];
	size_t n;
	const struct pmon_series *read[3 * SERIES];
	size_t n_read;
	int64_t first_day; // since 1601, on the clock of the report
	size_t days;
	double *values; // days * DAY_HOURS per series; NAN: none
};

// ---- Filling --------------------------------------------------------------------------------

// A sample exactly on the hour belongs to the hour before it.
static int64_t
local_of(const struct report *r, pmon_time t)
{
	return t + clock_offset(&r->logs.clock, t) * PMON_TIME_PER_MIN - 1;
}

static void
add_series(const struct report *r, struct report_hours *h, const struct pmon_series *series)
{
	struct row row = {.series = series};
	const struct pmon_series *queue;
	const struct pmon_series *rate;

	for (size_t i = 0; i < h->n; i++)
		if (h->rows[i].series == series)
			return;
	if (h->n == (r->to - r->from > LONG_DAYS * DAY ? LONG_MOST : SERIES))
		return;
	h->read[h->n_read++] = series;
	if (pmon_rates_of(&r->rates, series, &queue, &rate)) {
		h->read[h->n_read++] = row.queue = queue;
		h->read[h->n_read++] = row.rate = rate;
	}
	h->rows[h->n++] = row;
}

static void
choose_series(const struct report *r, struct report_hours *h)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	const struct judged *j = &r->ranked;
	uint32_t chosen[SERIES];
	size_t n = pmon_choose(schema, r->statistics, chosen, SERIES);

	for (size_t i = 0; i < j->n_findings && i < FINDINGS; i++)
		add_series(r, h, j->findings[i].series);
	for (size_t i = 0; i < n; i++)
		add_series(r, h, pmon_schema_at(schema, chosen[i]));
}

// Is the log longer than a day, with samples in most hours?
static bool
is_wanted(const struct report *r)
{
	return r->to - r->from > DAY && (r->to - r->from) / (int64_t)r->samples <= HOUR;
}

int
report_hours_begin(struct report *r)
{
	const struct pmon_schema *schema = pmon_source_schema(r->logs.source);
	struct report_hours *h;
	struct pmon_err err;
	int64_t last;

	if (!is_wanted(r))
		return EXIT_DONE;
	h = r->hours = calloc(1, sizeof(*h));
	if (h == NULL)
		return say(EXIT_FAILED, "not enough memory");
	choose_series(r, h);
	last = local_of(r, r->to) / DAY;
	h->first_day =
		// the last sample of the previous day is not worth a row
		(local_of(r, r->from) + 1) / DAY;
	if (last - h->first_day >= REPORT_DAYS)
		h->first_day = last - REPORT_DAYS + 1;
	h->days = (size_t)(last - h->first_day + 1);
	h->values = calloc(SERIES * h->days * DAY_HOURS, sizeof(*h->values));
	if (h->values == NULL ||
	    pmon_resampler_new(schema, HOUR, &r->args->calc, NULL, &h->resampler, &err) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	for (size_t i = 0; i < SERIES * h->days * DAY_HOURS; i++)
		h->values[i] = NAN;
	return EXIT_DONE;
}

size_t
report_hours_series(const struct report *r, const struct pmon_series *const **list)
{
	*list = r->hours != NULL ? r->hours->read : NULL;
	return r->hours != NULL ? r->hours->n_read : 0;
}

// NAN: none.
static double
average_of(const struct pmon_series *series, const struct pmon_sample *step,
	   const struct pmon_value *values)
{
	for (size_t i = 0; i < step->n; i++)
		if (step->series[i] == series->id && pmon_vstat_has_value(values[i].status))
			return values[i].value;
	return NAN;
}

// An hour without operations has the mean of its latencies.
static double
average_of_row(const struct row *row, const struct pmon_sample *step,
	       const struct pmon_value *values)
{
	double rate = row->rate != NULL ? average_of(row->rate, step, values) : 0;

	return rate > 0 ? average_of(row->queue, step, values) / rate
			: average_of(row->series, step, values);
}

static void
add_step(const struct report *r, struct report_hours *h, const struct pmon_sample *step,
	 const struct pmon_value *values)
{
	int64_t local = local_of(r, step->time);
	int64_t day = local / DAY - h->first_day;

	if (day < 0 || day >= (int64_t)h->days)
		return;
	for (size_t k = 0; k < h->n; k++) {
		double average = average_of_row(&h->rows[k], step, values);

		if (!isnan(average))
			h->values[(k * h->days + (size_t)day) * DAY_HOURS +
				  (size_t)(local % DAY / HOUR)] = average;
	}
}

int
report_hours_add(struct report *r, const struct pmon_sample *sample)
{
	const struct pmon_sample *step;
	const struct pmon_value *values;
	struct pmon_err err;

	if (r->hours == NULL)
		return EXIT_DONE;
	if (pmon_resampler_add(r->hours->resampler, sample, &step, &values, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	if (step != NULL)
		add_step(r, r->hours, step, values);
	return EXIT_DONE;
}

void
report_hours_free(struct report *r)
{
	if (r->hours == NULL)
		return;
	pmon_resampler_free(r->hours->resampler);
	free(r->hours->values);
	free(r->hours);
}

// ---- The section ----------------------------------------------------------------------------

struct extremes {
	double smallest; // both NAN if there is no value
	double largest;
};

static struct extremes
extremes_of(const double *values, size_t n)
{
	struct extremes e = {NAN, NAN};

	for (size_t i = 0; i < n; i++) {
		e.smallest = fmin(e.smallest, values[i]); // ignores NAN
		e.largest = fmax(e.largest, values[i]);
	}
	return e;
}

// The extremes of all counters with the same unit, so that equal numbers have equal shades
// everywhere.
static struct extremes
extremes_of_unit(const struct report_hours *h, enum draw_quantity quantity)
{
	struct extremes all = {NAN, NAN};

	for (size_t i = 0; i < h->n; i++) {
		struct draw_unit unit = draw_unit_of(h->rows[i].series);
		struct extremes e =
			extremes_of(h->values + i * h->days * DAY_HOURS, h->days * DAY_HOURS);

		if (unit.quantity != quantity)
			continue;
		all.smallest = fmin(all.smallest, e.smallest * unit.factor);
		all.largest = fmax(all.largest, e.largest * unit.factor);
	}
	return all;
}

// The darkest shade for the largest value, none for the smallest. Values that hardly vary have one
// light shade.
static int
shade_of(const struct extremes *e, double value)
{
	double range = e->largest - e->smallest;

	if (range < WORTH_SHADES * fmax(fabs(e->largest), fabs(e->smallest)))
		return 1;
	return range > 0 ? (int)lround(SHADES * (value - e->smallest) / range) : 0;
}

// At least two digits, and the whole integer part: a cell is narrow.
static void
put_cell(struct html *html, double value, const struct extremes *unit, double multiple)
{
	double shown = value / multiple;

	if (isnan(value))
		html_markup(html, "<td></td>");
	else
		html_format(html,
			    fabs(shown) >= 10 ? "<td class=\"h%d\">%.0f</td>"
					      : "<td class=\"h%d\">%.2g</td>",
			    shade_of(unit, value), shown);
}

// "Mon 2024-01-01"
static void
put_day(struct html *html, int64_t day)
{
	static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
	char text[PMON_TIME_SIZE];

	(void)pmon_time_local(day * DAY, 0, text);
	html_format(html, "<tr><th scope=\"row\">%s %.10s</th>", days[day % 7], text);
}

static void
put_series(const struct report *r, struct html *html, const struct row *row, const double *values)
{
	const struct report_hours *h = r->hours;
	const struct pmon_series *series = row->series;
	size_t n = h->days * DAY_HOURS;
	struct extremes e = extremes_of(values, n);
	double largest = fmax(fabs(e.largest), fabs(e.smallest));
	struct draw_unit unit = draw_unit_of(series);
	struct extremes all = extremes_of_unit(h, unit.quantity);
	const struct draw_multiple *multiple =
		draw_multiple_for(unit.quantity, largest * unit.factor);

	html_format(html, "<tbody><tr><th colspan=\"%d\" scope=\"rowgroup\" class=\"of\">",
		    DAY_HOURS + 1);
	html_text(html, series->path.object);
	html_markup(html, " ");
	html_text(html, series->path.counter);
	html_markup(html, row->queue != NULL ? "*" : "");
	if (series->path.instance.ptr != NULL || r->two_machines) {
		html_markup(html, " <span class=\"i\">");
		report_instance(r, html, series);
		html_markup(html, "</span>");
	}
	html_format(html, "%s%s</th></tr>\n", multiple->name[0] != '\0' ? ", " : "",
		    multiple->name);
	for (size_t d = 0; d < h->days; d++) {
		put_day(html, h->first_day + (int64_t)d);
		for (size_t i = 0; i < DAY_HOURS; i++)
			put_cell(html, values[d * DAY_HOURS + i] * unit.factor, &all,
				 multiple->size);
		html_markup(html, "</tr>\n");
	}
	html_markup(html, "</tbody>");
}

void
report_hours_section(const struct report *r, struct html *html)
{
	const struct report_hours *h = r->hours;

	if (h == NULL || h->n == 0)
		return;
	html_markup(html, "<section id=\"hours\"><h2>Hour by hour</h2>\n<p>The average of each "
			  "hour. Darker is larger; counters with the same unit share one scale. "
			  "Empty cells have no value.</p>\n");
	if (local_of(r, r->to) / DAY - local_of(r, r->from) / DAY >= REPORT_DAYS)
		html_format(html, "<p class=\"more\">The last %d days.</p>\n", REPORT_DAYS);
	html_markup(html, "<div class=\"scroll\" tabindex=\"0\"><table class=\"hours\"><thead><tr>"
			  "<th scope=\"col\">Day</th>");
	for (int i = 0; i < DAY_HOURS; i++)
		html_format(html, "<th scope=\"col\" class=\"n\">%02d</th>", i);
	html_markup(html, "</tr></thead>\n");
	for (size_t i = 0; i < h->n; i++)
		put_series(r, html, &h->rows[i], h->values + i * h->days * DAY_HOURS);
	html_markup(html, "</table></div>\n");
	for (size_t i = 0; i < h->n; i++)
		if (h->rows[i].queue != NULL) {
			html_markup(html, "<p>*: mean queue length of the hour divided by its mean "
					  "rate.</p>\n");
			break;
		}
	html_markup(html, "</section>\n");
}
