// script.c - the numbers of the charts, for who reads the report where scripts run
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>

#include "apps/report/report.h"
#include "apps/report/script.h"
#include "draw/cairo.h"

#define COLUMNS 240              // of a chart: about four pixels each
#define TO_1970 11644473600000.0 // milliseconds from 1601

double
report_ms(pmon_time t)
{
	return (double)t / (PMON_TIME_PER_SEC / 1000.0) - TO_1970;
}

// The extreme of the columns that one of ours covers; NAN: no value.
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

static void
put_numbers(const struct report *r, struct html *html, const struct pmon_series *series,
	    bool largest)
{
	const struct pmon_envelope_column *columns = pmon_envelope_at(r->envelope, series->id);
	size_t n = report_columns();

	for (size_t i = 0; columns != NULL && i < COLUMNS; i++) {
		double value = extreme(columns, i * n / COLUMNS, (i + 1) * n / COLUMNS, largest);

		html_markup(html, i > 0 ? "," : "");
		if (isfinite(value))
			html_format(html, "%.5g", value);
		else
			html_markup(html, "null");
	}
}

static void
put_series(const struct report *r, struct html *html, const struct pmon_series *series)
{
	static const char *const quantities[] = {
		[DRAW_COUNT] = "count",     [DRAW_RATE] = "rate",   [DRAW_PERCENT] = "percent",
		[DRAW_SECONDS] = "seconds", [DRAW_BYTES] = "bytes", [DRAW_BYTE_RATE] = "byte_rate"};
	struct draw_unit unit = draw_unit_of(series);

	html_format(html, "{\"unit\":{\"quantity\":\"%s\",\"factor\":%.17g,\"hex\":%s},\"low\":[",
		    quantities[unit.quantity], unit.factor, unit.is_hex ? "true" : "false");
	put_numbers(r, html, series, false);
	html_markup(html, "],\"high\":[");
	put_numbers(r, html, series, true);
	html_markup(html, "]}");
}

// No name of the log is in it: the script takes names from the tables.
void
report_numbers(const struct report *r, struct html *html)
{
	double width = (double)report_columns() / REPORT_WIDTH;

	html_format(html,
		    "<script type=\"application/json\" id=\"charts\">{\"from\":%.3f,\"to\":%.3f,"
		    "\"offset_min\":%d,\"columns\":%d,\"left\":%.6f,\"width\":%.6f,\"charts\":[",
		    report_ms(r->from), report_ms(r->to),
		    (int)clock_offset(&r->logs.clock, r->from), COLUMNS,
		    DRAW_CAIRO_LEFT / (double)REPORT_WIDTH, width);
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
