// script.c - the numbers of the charts, for readers with scripts enabled
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verbs/report/report.h"
#include "verbs/report/script.h"
#include "draw/picture.h"

#define COLUMNS 432              // per chart: two pixels each
#define TO_1970 11644473600000.0 // milliseconds since 1601

double
report_ms(pmon_time t)
{
	return (double)t / (PMON_TIME_PER_SEC / 1000.0) - TO_1970;
}

// The extreme of the envelope columns that one chart column covers; NAN: no value.
static double
extreme(const struct pmon_envelope_column *columns, size_t from, size_t to, bool largest)
{
	double value = NAN;

	for (size_t i = from; i < to; i++)
		if (columns[i].count > 0)
			value = largest ? fmax(value, columns[i].maximum)
					: fmin(value, columns[i].minimum);
	return value;
}

// Write the values of columns, separated by commas: "28.5", "27:29.5" for extremes that differ, or
// nothing.
static void
put_numbers(const struct report *r, struct html *html, const struct pmon_series *series,
	    double scale)
{
	const struct pmon_envelope_column *columns = pmon_envelope_at(r->envelope, series->id);
	size_t n = report_columns();

	for (size_t i = 0; columns != NULL && i < COLUMNS; i++) {
		size_t from = i * n / COLUMNS;
		size_t to = (i + 1) * n / COLUMNS;
		double least = extreme(columns, from, to, false) / scale;
		double most = extreme(columns, from, to, true) / scale;
		char low[32];
		char high[32];

		html_markup(html, i > 0 ? "," : "");
		if (!isfinite(least) || !isfinite(most))
			continue;
		(void)snprintf(low, sizeof(low), "%.4g", least);
		(void)snprintf(high, sizeof(high), "%.4g", most);
		html_markup(html, low);
		if (strcmp(low, high) != 0)
			html_format(html, ":%s", high);
	}
}

// A power of 1000, so that most numbers have neither leading zeros nor exponents.
static double
scale_of(const struct report *r, const struct pmon_series *series)
{
	const struct pmon_stats *stats = report_stats(r, series);
	double largest = fmax(fabs(stats->minimum.value), fabs(stats->maximum.value));
	double power = largest > 0 ? 3 * floor(log10(largest) / 3) : 0;

	return fabs(power) <= 300 ? pow(10, power) : 1;
}

static void
put_series(const struct report *r, struct html *html, const struct pmon_series *series)
{
	struct draw_unit unit = draw_unit_of(series);
	double scale = scale_of(r, series);

	html_format(html,
		    "{\"unit\":{\"quantity\":\"%s\",\"factor\":%.17g,\"hex\":%s},\"scale\":%.0e,"
		    "\"values\":\"",
		    draw_quantity_name(unit.quantity), unit.factor, unit.is_hex ? "true" : "false",
		    scale);
	put_numbers(r, html, series, scale);
	html_markup(html, "\"}");
}

// It contains no names from the log: the script takes names from the tables.
void
report_numbers(const struct report *r, struct html *html)
{
	double width = (double)report_columns() / REPORT_WIDTH;

	html_format(html,
		    "<script type=\"application/json\" id=\"charts\">{\"from\":%.3f,\"to\":%.3f,"
		    "\"offset_min\":%d,\"columns\":%d,\"left\":%.6f,\"width\":%.6f,\"charts\":[",
		    report_ms(r->from), report_ms(r->to),
		    (int)clock_offset(&r->logs.clock, r->from), COLUMNS,
		    DRAW_PICTURE_LEFT / (double)REPORT_WIDTH, width);
	for (size_t i = 0; i < r->n_charts; i++) {
		html_markup(html, i > 0 ? ",\n{\"series\":[" : "{\"series\":[");
		for (size_t j = 0; j < r->charts[i].n; j++) {
			html_markup(html, j > 0 ? ",\n" : "");
			put_series(r, html, r->charts[i].series[j]);
		}
		html_markup(html, "]}");
	}
	html_markup(html, "]}</script>\n<script type=\"module\">");
	html_markup(html, (const char *)report_script);
	html_markup(html, "</script>\n");
}
