// object.c - one object of a report: its charts, largest instances and values
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "verbs/report/key_numbers.h"
#include "verbs/report/report.h"
#include "draw/picture.h"
#include "os/outfile.h"

#define PANEL_HEIGHT 130 // of pictures
#define PANEL_EXTRA  44
#define LINES        8   // thresholds per picture
#define OPEN_ROWS    30  // rows of a table that is not collapsed, if there is no chart
#define WORTH_A_LINE 0.5 // values above this share of the limit make it visible

static struct draw_picture
picture_of(size_t panels)
{
	return (struct draw_picture){.type = DRAW_SVG,
				     .theme = DRAW_LIGHT,
				     .width = REPORT_WIDTH,
				     .height = (int)panels * PANEL_HEIGHT + PANEL_EXTRA,
				     .in_page = true};
}

// ---- Tables of values -----------------------------------------------------------------------

const struct draw_multiple *
report_multiple(const struct pmon_stats *stats, const struct draw_unit *unit)
{
	double largest = fmax(fabs(stats->minimum.value), fabs(stats->maximum.value));

	return draw_multiple_for(unit->quantity, unit->is_hex ? 1 : largest * unit->factor);
}

static void
begin_values(struct html *html, bool swatches)
{
	html_format(html,
		    "<div class=\"scroll\" tabindex=\"0\"><table class=\"values\"><thead><tr>%s"
		    "<th scope=\"col\">Counter</th><th scope=\"col\" class=\"n\">Last</th>"
		    "<th scope=\"col\" class=\"n\">Average</th>%s"
		    "<th scope=\"col\" class=\"n\">Minimum</th><th scope=\"col\">at</th>"
		    "<th scope=\"col\" class=\"n\">Maximum</th><th scope=\"col\">at</th>"
		    "<th scope=\"col\">Unit</th></tr></thead><tbody>\n",
		    swatches ? "<td></td>" : "",
		    swatches ? "<th scope=\"col\" class=\"n\">95&#8239;%</th>" : "");
}

static void
put_path(struct html *html, const struct pmon_series *series)
{
	html_markup(html, " data-path=\"");
	html_text(html, series->name);
	html_markup(html, "\"");
	if (series->of_process && series->process_id >= 0)
		html_format(html, " data-pid=\"%lld\"", (long long)series->process_id);
}

void
report_percentile(const struct report *r, struct html *html, const struct pmon_series *series,
		  const struct draw_unit *unit, const struct draw_multiple *multiple,
		  double percent)
{
	struct pmon_value value = pmon_statistics_percentile(r->charted, series->id, percent);
	char number[DRAW_NUMBER] = "-";

	if (pmon_vstat_has_value(value.status))
		(void)draw_value(value.value, unit, multiple->size, number, sizeof(number));
	html_format(html, "<td class=\"n\">%s</td>", number);
}

// The average by the counter's type, or computed from other counters, with the mark that
// distinguishes these.
static void
put_average(const struct report *r, struct html *html, const struct pmon_series *series,
	    const struct draw_multiple *multiple)
{
	struct draw_series s;

	chart_describe(series, report_stats(r, series), &s);
	chart_take_derived(r->statistics, series, &s);
	report_value_cell(html, &s.average, &s.unit, multiple,
			  pmon_vstat_has_value(s.average.status) ? s.average_mark : "");
}

// swatch: the index of its color, -1 for none
static void
put_values(const struct report *r, struct html *html, const struct pmon_series *series, int swatch)
{
	const struct pmon_stats *stats = report_stats(r, series);
	struct draw_unit unit = draw_unit_of(series);
	const struct draw_multiple *multiple = report_multiple(stats, &unit);

	html_markup(html, "<tr");
	put_path(html, series);
	html_markup(html, ">");
	if (swatch >= 0)
		html_format(html, "<td><span class=\"swatch c%d\"></span></td>", swatch);
	html_markup(html, "<th scope=\"row\">");
	html_text(html, series->path.counter);
	if (series->path.instance.ptr != NULL || r->two_machines) {
		html_markup(html, " <span class=\"i\">");
		report_instance(r, html, series);
		html_markup(html, "</span>");
	}
	html_markup(html, "</th>");
	report_value_cell(html, &stats->last, &unit, multiple, "");
	put_average(r, html, series, multiple);
	if (swatch >= 0)
		report_percentile(r, html, series, &unit, multiple, 95);
	report_value_cell(html, &stats->minimum, &unit, multiple, "");
	html_markup(html, "<td class=\"t\">");
	report_time(r, html, stats->minimum_time);
	html_markup(html, "</td>");
	report_value_cell(html, &stats->maximum, &unit, multiple, "");
	html_markup(html, "<td class=\"t\">");
	report_time(r, html, stats->maximum_time);
	html_markup(html, "</td><td class=\"u\">");
	html_str(html, multiple->name);
	html_markup(html, "</td></tr>\n");
}

static void
end_table(struct html *html)
{
	html_markup(html, "</tbody></table></div>\n");
}

void
report_key_numbers(const struct report *r, struct html *html)
{
	struct key_number list[KEY_NUMBERS];
	size_t n = key_numbers(r, list);

	if (n == 0)
		return;
	html_markup(html, "<section class=\"key\" id=\"key\"><h2>Key numbers</h2>\n");
	begin_values(html, false);
	for (size_t i = 0; i < n; i++) {
		enum meaning_resource resource = list[i].meaning->resource;

		if (i == 0 || resource != list[i - 1].meaning->resource)
			html_format(html,
				    "</tbody><tbody><tr><th colspan=\"8\" scope=\"rowgroup\" "
				    "class=\"of\">%s</th></tr>\n",
				    meaning_resource_name(resource));
		put_values(r, html, list[i].series, -1);
	}
	end_table(html);
	html_markup(html, "</section>\n");
}

// ---- Charts ---------------------------------------------------------------------------------

// Does any series of the counter come near the limit? A distant line would flatten all values.
static bool
is_near(const struct report *r, const struct report_chart *chart, const struct draw_threshold *t)
{
	for (size_t i = 0; i < chart->n; i++) {
		const struct pmon_series *series = chart->series[i];
		const struct pmon_stats *stats = report_stats(r, series);
		double factor = draw_unit_of(series).factor;

		if (!pmon_text_same(pmon_series_english(series)->counter, t->counter))
			continue;
		if (t->below ? stats->minimum.value * factor * WORTH_A_LINE <= t->value
			     : stats->maximum.value * factor >= t->value * WORTH_A_LINE)
			return true;
	}
	return false;
}

// A series of the chart that the rule applies to; NULL if there is none.
static const struct pmon_series *
series_for(const struct report_chart *chart, const struct rules_rule *rule)
{
	for (size_t i = 0; i < chart->n; i++)
		for (size_t j = 0; j < rule->counters.n; j++)
			if (pmon_series_match(&rule->counters.list[j]->path, chart->series[i]))
				return chart->series[i];
	return NULL;
}

// Add the limits of a rule as lines. Limits relative to another counter move with it, and limits of
// slopes do not correspond to a value: these have no line.
static size_t
add_lines(const struct report *r, const struct report_chart *chart, const struct rules_rule *rule,
	  struct draw_threshold *lines, size_t n)
{
	size_t processors = rules_judge_processors(r->judge, chart->series[0]->path.machine);
	const struct pmon_series *series = series_for(chart, rule);
	struct draw_unit unit;

	if (rule->of.n > 0 || rule->times != 1 || rule->trend_100ns > 0 || series == NULL ||
	    (rule->per_processor && (processors == 0 || r->two_machines)))
		return n;
	unit = draw_unit_of(series);
	for (size_t level = 0; level < RULES_LEVELS && n < LINES; level++) {
		struct draw_threshold t = rule->limits[level].threshold;

		draw_threshold_of(&t, &unit);
		if (rule->per_processor) {
			t.value *= (double)processors;
			(void)snprintf(t.text, sizeof(t.text), "%.10s per processor",
				       rule->limits[level].threshold.text);
		}
		t.counter = pmon_series_english(series)->counter;
		if (rule->limits[level].given && is_near(r, chart, &t))
			lines[n++] = t;
	}
	return n;
}

static size_t
choose_lines(const struct report *r, const struct report_chart *chart,
	     struct draw_threshold lines[LINES])
{
	size_t judged;
	size_t n = 0;

	if (chart->rule != NULL)
		return add_lines(r, chart, chart->rule, lines, 0);
	for (size_t i = 0; i < r->rules.n; i++)
		if (rules_judge_outcome(r->judge, i, &judged) >= RULES_KEPT)
			n = add_lines(r, chart, &r->rules.list[i], lines, n);
	return n;
}

bool
report_take_bytes(void *html, const void *bytes, size_t len)
{
	pmon_outfile_write(((struct html *)html)->file, bytes, len);
	return true;
}

const char *
report_draw(const struct report *r, struct html *html, size_t number)
{
	const struct report_chart *chart = &r->charts[number];
	struct draw_threshold lines[LINES];
	struct draw_series series[REPORT_CHART_SERIES];
	struct draw_figure f = {.kind = DRAW_LINE,
				.title = "",
				.subtitle = "",
				.from = r->from,
				.to = r->to,
				.clock = chart_clock(&r->logs.clock),
				.columns = report_columns(),
				.series = series,
				.n = chart->n,
				.thresholds = lines};
	struct draw_picture picture;

	f.n_thresholds = choose_lines(r, chart, lines);
	for (size_t i = 0; i < chart->n; i++) {
		chart_describe(chart->series[i], report_stats(r, chart->series[i]), &series[i]);
		chart_take_derived(r->statistics, chart->series[i], &series[i]);
		draw_clean(naming_path(&r->logs.naming, chart->series[i]), series[i].label,
			   sizeof(series[i].label));
		redaction_apply(&r->names, series[i].label, sizeof(series[i].label));
		series[i].columns = pmon_envelope_at(r->envelope, chart->series[i]->id);
		if (series[i].columns == NULL)
			return "the log changed while it was being read";
	}
	draw_assign_panels(&f, REPORT_PANELS);
	picture = picture_of(f.n_panels);
	draw_fit_axes(&f, draw_picture_steps(&picture, &f));
	return draw_picture(&f, &picture, report_take_bytes, html);
}

size_t
report_columns(void)
{
	struct draw_picture picture = picture_of(1);

	return draw_picture_columns(&picture);
}

static const char *
put_chart(const struct report *r, struct html *html, size_t number)
{
	const struct report_chart *chart = &r->charts[number];
	const char *wrong;

	html_markup(html, "<figure><figcaption>");
	html_str(html, chart->title);
	if (chart->of > chart->n)
		html_format(html, " <span class=\"limit\">%zu of %zu counters</span>", chart->n,
			    chart->of);
	html_format(html,
		    "</figcaption>\n<div class=\"picture\" tabindex=\"0\" data-chart=\"%zu\">",
		    number);
	wrong = report_draw(r, html, number);
	html_markup(html, "</div>\n");
	begin_values(html, true);
	for (size_t i = 0; i < chart->n; i++)
		put_values(r, html, chart->series[i], (int)i);
	end_table(html);
	html_markup(html, "</figure>\n");
	return wrong;
}

// ---- The largest instances ------------------------------------------------------------------

struct top {
	const char *object;
	const char *counter;
	const char *title;
};

static const struct top tops[] = {
	{"Process", "% Processor Time", "Processes by processor time"},
	{"Process", "Working Set", "Processes by working set"},
	{"Process", "IO Data Bytes/sec", "Processes by bytes read and written"},
	{"PhysicalDisk", "Avg. Disk sec/Read", "Disks by read latency"},
	{"PhysicalDisk", "Avg. Disk sec/Write", "Disks by write latency"},
	{"PhysicalDisk", "Disk Bytes/sec", "Disks by bytes"},
	{"LogicalDisk", "Avg. Disk sec/Read", "File systems by read latency"},
	{"LogicalDisk", "Avg. Disk sec/Write", "File systems by write latency"},
	{"Network Interface", "Bytes Total/sec", "Interfaces by bytes"},
	{"Network Adapter", "Bytes Total/sec", "Adapters by bytes"},
	{"Cgroup", "% Processor Time", "Control groups by processor time"},
};

#define TOP_WORTH 3 // a ranking needs this many instances

// The largest average fills the bar.
static void
put_bar(struct html *html, double average, double largest)
{
	double width = largest > 0 && average > 0 ? 100 * average / largest : 0;

	html_format(html, "<td class=\"bar\"><span style=\"width:%.1f%%\"></span></td>", width);
}

static void
put_top_row(const struct report *r, struct html *html, const struct pmon_series *series,
	    double largest, const struct draw_multiple *multiple)
{
	const struct pmon_stats *stats = report_stats(r, series);
	struct pmon_value average = pmon_stats_average(stats);
	struct draw_unit unit = draw_unit_of(series);

	html_markup(html, "<tr");
	put_path(html, series);
	html_markup(html, "><th scope=\"row\">");
	report_instance(r, html, series);
	html_markup(html, "</th>");
	put_bar(html, average.value, largest);
	put_average(r, html, series, multiple);
	report_value_cell(html, &stats->maximum, &unit, multiple, "");
	html_markup(html, "<td class=\"t\">");
	report_time(r, html, stats->maximum_time);
	html_markup(html, "</td></tr>\n");
}

static void
put_top(const struct report *r, struct html *html, const struct top *top)
{
	struct pmon_span object = {top->object, strlen(top->object)};
	const struct pmon_series *list[REPORT_TOP];
	size_t n = report_largest(r, object, top->counter, list, REPORT_TOP);
	const struct draw_multiple *multiple;
	struct draw_unit unit;
	double largest;

	if (n < TOP_WORTH)
		return;
	unit = draw_unit_of(list[0]);
	largest = pmon_stats_average(report_stats(r, list[0])).value;
	if (largest <= 0)
		return;
	multiple = draw_multiple_for(unit.quantity, largest * unit.factor);
	html_markup(html, "<div class=\"top\"><h3>");
	html_str(html, top->title);
	html_format(html,
		    "</h3>\n<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th "
		    "scope=\"col\">Instance</th>"
		    "<td></td><th scope=\"col\" class=\"n\">Average</th>"
		    "<th scope=\"col\" class=\"n\">Maximum, %s</th><th scope=\"col\">at</th></tr>"
		    "</thead><tbody>\n",
		    multiple->name[0] != '\0' ? multiple->name : "plain");
	for (size_t i = 0; i < n && i < REPORT_TOP; i++)
		put_top_row(r, html, list[i], largest, multiple);
	end_table(html);
	if (n > REPORT_TOP)
		html_format(html, "<p class=\"more\">%d of %zu</p>\n", REPORT_TOP, n);
	html_markup(html, "</div>\n");
}

static void
put_tops(const struct report *r, struct html *html, struct pmon_span object)
{
	html_markup(html, "<div class=\"tops\">\n");
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++)
		if (pmon_text_same(object,
				   (struct pmon_span){tops[i].object, strlen(tops[i].object)}))
			put_top(r, html, &tops[i]);
	html_markup(html, "</div>\n");
}

// ---- The object -----------------------------------------------------------------------------

static size_t
count_series(const struct report *r, struct pmon_span object)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += pmon_text_same(pmon_series_english(r->series[i])->object, object);
	return n;
}

static bool
has_charts(const struct report *r, struct pmon_span object)
{
	for (size_t i = 0; i < r->n_charts; i++)
		if (pmon_text_same(r->charts[i].object, object))
			return true;
	return false;
}

// All counters of the object, in a collapsed table, which is not printed.
static void
put_table(struct report *r, struct html *html, struct pmon_span object)
{
	size_t all = count_series(r, object);
	size_t room =
		REPORT_ALL_ROWS - r->rows < REPORT_ROWS ? REPORT_ALL_ROWS - r->rows : REPORT_ROWS;
	size_t n = 0;

	html_format(html, "<details%s><summary>All %zu counter%s with values</summary>\n",
		    all <= OPEN_ROWS && !has_charts(r, object) ? " open" : "", all,
		    pmon_text_word(all, "", "s"));
	begin_values(html, false);
	for (size_t i = 0; i < r->n && n < room; i++) {
		if (!pmon_text_same(pmon_series_english(r->series[i])->object, object))
			continue;
		put_values(r, html, r->series[i], -1);
		n++;
	}
	end_table(html);
	if (n < all)
		html_format(html, "<p class=\"more\">and %zu more, which pmon stats lists</p>\n",
			    all - n);
	html_markup(html, "</details>\n");
	r->rows += n;
}

static bool
is_of_processes(struct pmon_span object)
{
	return pmon_text_same(object, PMON_SPAN("Process")) ||
	       pmon_text_same(object, PMON_SPAN("Thread"));
}

const char *
report_object(struct report *r, struct html *html, size_t number)
{
	struct pmon_span object = r->objects[number];
	const char *wrong = NULL;

	html_format(html, "<section class=\"unprinted\" id=\"object-%zu\"><h2>", number);
	html_text(html, object);
	html_markup(html, "</h2>\n");
	if (is_of_processes(object) && r->logs.identity.step != NULL &&
	    pmon_identity_is_unknown(r->logs.identity.step))
		html_markup(html, "<p>Some processes have no <code>ID Process</code>; those with "
				  "the same name cannot be distinguished.</p>\n");
	for (size_t i = 0; wrong == NULL && i < r->n_charts; i++)
		if (pmon_text_same(r->charts[i].object, object))
			wrong = put_chart(r, html, i);
	put_tops(r, html, object);
	put_table(r, html, object);
	html_markup(html, "</section>\n");
	return wrong;
}
