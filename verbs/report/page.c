// page.c - the frame of a report: heading, facts, gaps and damage, and how numbers were computed
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/report/report.h"
#include "verbs/report/script.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/process/memory.h"

#define VERSION PMON_VERSION_TEXT

// ---- Head -----------------------------------------------------------------------------------

// List several machines with their number and names.
static void
name_machines(const struct report *r, char buf[MACHINES_TEXT])
{
	struct machines machines = {.n = 0};

	for (size_t i = 0; i < r->n; i++)
		if (!machines_add(&machines, r->series[i]->path.machine)) {
			memory_was_short();
			break;
		}
	machines_text(&machines, buf, MACHINES_TEXT);
	machines_free(&machines);
}

struct pmon_span
report_title(const struct report *r, char buf[MACHINES_TEXT])
{
	const char *title = "Performance";

	if (r->args->title != NULL) {
		title = r->args->title;
	} else if (r->two_machines) {
		name_machines(r, buf);
		title = buf;
	} else if (r->n > 0 && r->series[0]->path.machine.ptr != NULL) {
		return r->series[0]->path.machine;
	} else if (r->n_files == 1 && r->files[0].machine[0] != '\0') {
		title = r->files[0].machine;
	}
	return (struct pmon_span){title, strlen(title)};
}

static void
put_title(const struct report *r, struct html *html)
{
	char buf[MACHINES_TEXT];

	html_text(html, report_title(r, buf));
}

static void
put_range(const struct report *r, struct html *html)
{
	struct draw_clock clock = chart_clock(&r->logs.clock);
	char text[256];

	draw_time_range(r->from, r->to, &clock, text, sizeof(text));
	html_str(html, text);
}

static void
put_fact(struct html *html, const char *name, const char *text)
{
	if (text[0] == '\0')
		return;
	html_markup(html, "<div><dt>");
	html_str(html, name);
	html_markup(html, "</dt><dd>");
	html_str(html, text);
	html_markup(html, "</dd></div>\n");
}

static void
put_count(struct html *html, const char *name, uint64_t n)
{
	char number[DRAW_NUMBER];

	(void)out_count(n, number, sizeof(number));
	html_format(html, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, number);
}

static void
put_length(struct html *html, const char *name, int64_t length_100ns)
{
	html_format(html, "<div><dt>%s</dt><dd>", name);
	report_length(html, length_100ns);
	html_markup(html, "</dd></div>\n");
}

static void
put_contents(const struct report *r, struct html *html)
{
	html_markup(html, "<nav aria-label=\"Contents\"><ul><li><a href=\"#incidents\">Incidents"
			  "</a></li><li><a href=\"#findings\">Crossed limits</a></li>");
	html_markup(html, r->two_machines ? "<li><a href=\"#machines\">Machines</a></li>" : "");
	html_markup(html, r->baseline != NULL ? "<li><a href=\"#baseline\">Baseline</a></li>" : "");
	html_markup(html, r->hours != NULL ? "<li><a href=\"#hours\">Hour by hour</a></li>" : "");
	html_markup(html, "<li><a href=\"#facts\">Facts</a></li>\n");
	for (size_t i = 0; i < r->n_objects; i++) {
		html_format(html, "<li><a href=\"#object-%zu\">", i);
		html_text(html, r->objects[i]);
		html_markup(html, "</a></li>\n");
	}
	html_markup(html, "<li><a href=\"#gaps\">Gaps and damage</a></li>"
			  "<li><a href=\"#numbers\">How numbers were computed</a></li>"
			  "<li><a href=\"#glossary\">Glossary</a></li>"
			  "</ul></nav>\n");
}

// 0 if the logs have several.
static int64_t
usual_interval(const struct report *r)
{
	int64_t usual = r->files[0].survey.usual;

	for (size_t i = 1; i < r->n_files && i < REPORT_FILES; i++)
		if (r->files[i].survey.usual != usual)
			return 0;
	return usual;
}

static void
put_head(const struct report *r, struct html *html)
{
	int64_t usual = usual_interval(r);
	uint64_t losses = 0;

	html_markup(html,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'; script-src '");
	html_markup(html, report_script_hash);
	html_markup(html,
		    "'; base-uri 'none'; form-action 'none'\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"referrer\" content=\"no-referrer\">\n"
		    "<meta name=\"generator\" content=\"pmon " VERSION "\">\n<title>");
	put_title(r, html);
	html_markup(html, "</title>\n");
	report_style(html);
	html_markup(html, "</head>\n<body>\n<header>\n<h1>");
	put_title(r, html);
	html_markup(html, "</h1>\n<p class=\"sub\">");
	put_range(r, html);
	html_markup(html, "</p>\n");
	report_summary(r, html);
	if (r->n_failed > 0)
		html_format(html,
			    "<p class=\"summary\">%zu of %zu logs could not be opened and %s left "
			    "out.</p>\n",
			    r->n_failed, r->n_failed + r->n_files,
			    pmon_text_word(r->n_failed, "is", "are"));
	for (size_t i = 0; i < r->n_files && i < REPORT_FILES; i++)
		losses += r->files[i].info.losses;
	if (losses > 0)
		html_markup(html, "<p class=\"summary\">Some data could not be read: see <a "
				  "href=\"#gaps\">Gaps and damage</a>.</p>\n");
	report_baseline_summary(r, html);
	html_markup(html, "<dl class=\"facts\">\n");
	put_length(html, "Duration", r->to - r->from);
	put_count(html, "Samples", r->samples);
	if (usual > 0)
		put_length(html, "Interval", usual);
	put_count(html, "Counters with values", r->n);
	html_markup(html, "</dl>\n</header>\n");
	put_contents(r, html);
}

// ---- Facts ----------------------------------------------------------------------------------

static void
put_moment(const struct report *r, struct html *html, const char *name, pmon_time t)
{
	char buf[PMON_TIME_SIZE];

	if (t == PMON_TIME_NONE)
		return;
	pmon_time_local(t, clock_offset(&r->logs.clock, t), buf);
	put_fact(html, name, buf);
}

static void
put_host(const struct report *r, struct html *html, const struct report_file *file)
{
	struct pmon_span machine = {file->machine, strlen(file->machine)};
	size_t processors;

	if (r->n > 0 && !r->two_machines)
		machine = r->series[0]->path.machine;
	processors = rules_judge_processors(r->judge, machine);
	if (processors > 0)
		put_count(html, "Processors", processors);
	if (file->info.host == NULL)
		return;
	if (file->host.cpu_mhz > 0)
		put_count(html, "Processor clock, MHz", file->host.cpu_mhz);
	put_moment(r, html, "Started", file->host.boot);
}

static void
put_file(const struct report *r, struct html *html, const struct report_file *file)
{
	const struct survey *s = &file->survey;

	html_markup(html, "<article><h3>");
	html_str(html, file->name);
	html_markup(html, "</h3>\n<dl class=\"facts\">\n");
	put_fact(html, file->n_machines > 1 ? "Machines" : "Machine", file->machine);
	put_fact(html, "Recorded by", file->writer);
	put_fact(html, "Converted by", file->converter);
	put_host(r, html, file);
	put_fact(html, "Format", file->format);
	if (file->info.size_bytes > 0)
		put_count(html, "Bytes", file->info.size_bytes);
	put_fact(html, "Time zone", file->zone);
	if (s->samples > 0) {
		put_moment(r, html, "First sample", s->first);
		put_moment(r, html, "Last sample", s->last);
	}
	put_count(html, "Samples", s->samples);
	if (s->usual > 0)
		put_length(html, "Interval", s->usual);
	put_count(html, "Counters", file->counters);
	put_count(html, "Raw values", s->values);
	put_count(html, "Gaps", s->n_gaps);
	put_count(html, "Damaged places", file->info.losses);
	html_markup(html, "</dl></article>\n");
}

static void
put_facts(const struct report *r, struct html *html)
{
	html_markup(html, "<section id=\"facts\"><h2>Facts</h2>\n");
	if (request_has_window(&r->request) || request_has_patterns(&r->request))
		html_markup(
			html,
			r->files_done
				? "<p class=\"sub\">This section covers each log as a whole; the "
				  "rest of this page covers the chosen counters and time.</p>\n"
				: "");
	for (size_t i = 0; i < r->n_files && i < REPORT_FILES; i++)
		put_file(r, html, &r->files[i]);
	if (r->n_files > REPORT_FILES)
		html_format(html, "<p class=\"more\">and %zu more %s</p>\n",
			    r->n_files - REPORT_FILES,
			    pmon_text_word(r->n_files - REPORT_FILES, "log", "logs"));
	html_markup(html, "</section>\n");
}

// ---- Gaps and damage ------------------------------------------------------------------------

static void
put_gaps(const struct report *r, struct html *html, const struct report_file *file)
{
	const struct survey *s = &file->survey;
	uint64_t shown = s->n_gaps < REPORT_GAPS ? s->n_gaps : REPORT_GAPS;

	if (s->n_gaps == 0 && s->steps_back == 0 && file->info.records_unknown == 0)
		return;
	html_element(html, "h3", file->name);
	html_markup(html, "<ul>\n");
	for (uint64_t i = 0; i < shown; i++) {
		html_markup(html, "<li>no sample for ");
		report_length(html, s->gaps[i].length_100ns);
		html_markup(html, " from ");
		report_time(r, html, s->gaps[i].from);
		html_markup(html, "</li>\n");
	}
	if (s->n_gaps > shown)
		html_format(html, "<li class=\"more\">gaps after these: %llu</li>\n",
			    (unsigned long long)(s->n_gaps - shown));
	if (s->steps_back > 0)
		html_format(html, "<li>samples earlier than their predecessor: %llu</li>\n",
			    (unsigned long long)s->steps_back);
	if (file->info.records_unknown > 0)
		html_format(html, "<li>skipped records of unknown kinds: %llu</li>\n",
			    (unsigned long long)file->info.records_unknown);
	html_markup(html, "</ul>\n");
}

static void
put_notice(struct html *html, const struct report_notice *n)
{
	html_markup(html, "<tr><td>");
	html_str(html, n->file);
	html_format(html, "</td><td>%s</td><td class=\"n\">%llu</td><td class=\"n\">",
		    n->is_loss ? "lost" : "note", (unsigned long long)n->offset);
	if (n->length > 0)
		html_format(html, "%llu", (unsigned long long)n->length);
	html_markup(html, "</td><td>");
	html_str(html, n->text);
	html_markup(html, "</td></tr>\n");
}

static void
put_damage(const struct report *r, struct html *html)
{
	size_t shown = r->n_notices < REPORT_NOTICES ? r->n_notices : REPORT_NOTICES;
	uint64_t losses = 0;
	uint64_t bytes = 0;

	for (size_t i = 0; i < r->n_files && i < REPORT_FILES; i++) {
		losses += r->files[i].info.losses;
		bytes += r->files[i].info.bytes_lost;
	}
	if (losses > 0)
		html_format(html,
			    "<p><strong>%llu place%s damaged, about %llu byte%s lost.</strong> "
			    "Intact data was read.</p>\n",
			    (unsigned long long)losses, pmon_text_word(losses, " is", "s are"),
			    (unsigned long long)bytes, pmon_text_word(bytes, "", "s"));
	else
		html_markup(html, "<p>No damage was found.</p>\n");
	if (shown == 0)
		return;
	html_markup(
		html,
		"<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Log</th>"
		"<th scope=\"col\">What</th><th scope=\"col\" class=\"n\">At byte</th>"
		"<th scope=\"col\" class=\"n\">Bytes</th><th scope=\"col\">Reason</th>"
		"</tr></thead><tbody>\n");
	for (size_t i = 0; i < shown; i++)
		put_notice(html, &r->notices[i]);
	html_markup(html, "</tbody></table></div>\n");
	if (r->n_notices > shown)
		html_format(html, "<p class=\"more\">and %zu more</p>\n", r->n_notices - shown);
}

// List raw values without a number, by reason.
static void
put_missing(const struct report *r, struct html *html)
{
	uint64_t count[PMON_V_COUNT] = {0};
	bool any = false;

	for (size_t i = 0; i < r->n; i++)
		for (size_t v = 0; v < PMON_V_COUNT; v++)
			count[v] += report_stats(r, r->series[i])->count[v];
	for (size_t v = 0; v < PMON_V_COUNT; v++)
		any |= count[v] > 0 && v != PMON_V_OK && v != PMON_V_FIRST && v != PMON_V_BASE_ZERO;
	if (!any)
		return;
	html_markup(html, "<h3>Missing and adjusted values</h3>\n"
			  "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th "
			  "scope=\"col\">Status</th>"
			  "<th scope=\"col\" class=\"n\">Values</th><th scope=\"col\">Means</th>"
			  "</tr></thead><tbody>\n");
	for (size_t v = 0; v < PMON_V_COUNT; v++)
		if (count[v] > 0 && v != PMON_V_OK && v != PMON_V_FIRST && v != PMON_V_BASE_ZERO)
			html_format(html,
				    "<tr><th scope=\"row\">%s</th><td class=\"n\">%llu</td>"
				    "<td>%s</td></tr>\n",
				    pmon_vstat_name((enum pmon_vstat)v),
				    (unsigned long long)count[v],
				    pmon_vstat_text((enum pmon_vstat)v));
	html_markup(html, "</tbody></table></div>\n");
}

static void
put_holes(const struct report *r, struct html *html)
{
	bool any = false;

	html_markup(html, "<section id=\"gaps\"><h2>Gaps and damage</h2>\n");
	for (size_t i = 0; i < r->n_files && i < REPORT_FILES; i++) {
		put_gaps(r, html, &r->files[i]);
		any |= r->files[i].survey.n_gaps > 0;
	}
	if (!any)
		html_markup(html, r->samples < 3
					  ? "<p>There are too few samples to detect gaps.</p>\n"
					  : "<p>There are no gaps: no interval is more than 1.5 "
					    "times the usual one.</p>\n");
	put_damage(r, html);
	put_missing(r, html);
	html_markup(html, "</section>\n");
}

// ---- How numbers were computed --------------------------------------------------------------

// Count the counters of a type: with raw values, or as displayed values in a text log.
static size_t
count_type(const struct report *r, const struct pmon_counter_type *type, bool formatted)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += pmon_series_type(r->series[i]) == type && r->series[i]->formatted == formatted;
	return n;
}

static size_t
count_formatted(const struct report *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->series[i]->formatted;
	return n;
}

static void
put_type(struct html *html, const struct pmon_counter_type *type, size_t n, bool formatted)
{
	if (n == 0)
		return;
	html_format(html, "<tr><th scope=\"row\">%s</th><td class=\"n\">%zu</td><td>", type->name,
		    n);
	html_str(html, formatted ? "as displayed" : type->formula_text);
	html_markup(html, "</td><td>");
	html_str(html, formatted ? "mean of displayed values" : type->average_text);
	html_str(html, formatted && pmon_type_mean_flaw(type) != NULL ? " ~" : "");
	html_markup(html, "</td></tr>\n");
}

static void
put_types(const struct report *r, struct html *html)
{
	html_markup(
		html,
		"<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">Type</th>"
		"<th scope=\"col\" class=\"n\">Counters</th>"
		"<th scope=\"col\">Value</th><th scope=\"col\">Average</th></tr></thead>"
		"<tbody>\n");
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		put_type(html, type, count_type(r, type, false), false);
		put_type(html, type, count_type(r, type, true), true);
	}
	html_markup(html, "</tbody></table></div>\n");
}

static void
put_marks(const struct report *r, struct html *html)
{
	size_t count[PMON_AVERAGE_DERIVED + 1] = {0};
	enum pmon_average_kind kind;

	for (size_t i = 0; i < r->n; i++) {
		(void)pmon_statistics_average(r->statistics, r->series[i]->id, &kind);
		count[kind]++;
	}
	if (count[PMON_AVERAGE_DERIVED] > 0)
		html_format(html,
			    "<p>* marks average disk latencies weighted by the operation rate, "
			    "because the log has no raw values: %zu.</p>\n",
			    count[PMON_AVERAGE_DERIVED]);
	if (count[PMON_AVERAGE_MEAN] > 0)
		html_format(html,
			    "<p>~ marks means of displayed values, which are not the averages of "
			    "their counter types; counters: %zu.</p>\n",
			    count[PMON_AVERAGE_MEAN]);
	if (count[PMON_AVERAGE_UNKNOWN] > 0)
		html_format(html,
			    "<p>? marks means of displayed values of counters whose type is "
			    "unknown; counters: %zu.</p>\n",
			    count[PMON_AVERAGE_UNKNOWN]);
	if (count[PMON_AVERAGE_INFERRED] > 0)
		html_format(html,
			    "<p>? marks means of displayed values of counters whose type is "
			    "inferred from their name; counters: %zu.</p>\n",
			    count[PMON_AVERAGE_INFERRED]);
}

// How averages are computed for counters with raw values, and for those without.
static void
put_how(const struct report *r, struct html *html)
{
	size_t formatted = count_formatted(r);

	if (formatted < r->n)
		html_markup(
			html,
			"<p>Each value is computed from raw values according to the "
			"counter&#8217;s type. Each average is computed by the formula of the type "
			"from the first and the last raw value, or from the differences in between "
			"if there are gaps; it is never a mean of displayed values.");
	if (formatted > 0 && formatted < r->n)
		html_format(html,
			    " The exceptions are %zu of %zu %s without raw values. Their values "
			    "are the displayed values of the log, and their averages are means of "
			    "those, except where marked *.",
			    formatted, r->n, pmon_text_word(r->n, "counter", "counters"));
	else if (formatted > 0)
		html_markup(html, "<p>The log has displayed values, but no raw values. Values are "
				  "shown as they are in the log, and each average is the mean of "
				  "displayed values, except where marked *.");
	html_markup(html, " A value that is missing or cannot be computed is left out, never "
			  "treated as zero.</p>\n");
}

static void
put_methods(const struct report *r, struct html *html)
{
	html_markup(html, "<section id=\"numbers\"><h2>How numbers were computed</h2>\n");
	put_how(r, html);
	put_marks(r, html);
	put_types(r, html);
	if (count_formatted(r) < r->n)
		html_markup(html, "<p>N is the counter&#8217;s raw value, D its clock, B its base, "
				  "and F the frequency of the clock in ticks per second; 0 is the "
				  "older sample, 1 the newer, x the newest.</p>\n");
	html_markup(html, "<p>KB, MB and GB are powers of 1024 bytes. Charts show the smallest and "
			  "the largest value of each column of pixels, so that no extreme is lost. "
			  "For rules, a value covers the time since the preceding value; intervals "
			  "without a value are not judged.</p>\n</section>\n");
}

const char *
report_page(struct report *r, struct html *html)
{
	const char *wrong;

	put_head(r, html);
	html_markup(html, "<main>\n");
	report_machines(r, html);
	wrong = report_incidents(r, html);
	report_key_numbers(r, html);
	if (wrong == NULL)
		wrong = report_findings(r, html);
	report_baseline_section(r, html);
	report_hours_section(r, html);
	put_facts(r, html);
	html_markup(html, "<p class=\"paper more\">The file also has charts and tables of all "
			  "counters, which are not printed.</p>\n");
	for (size_t i = 0; wrong == NULL && i < r->n_objects; i++)
		wrong = report_object(r, html, i);
	if (r->more_objects)
		html_format(html,
			    "<p class=\"more\">Objects after the first %d are left out; pmon stats "
			    "lists them.</p>\n",
			    REPORT_OBJECTS);
	put_holes(r, html);
	put_methods(r, html);
	report_glossary(r, html);
	html_markup(html, "</main>\n<footer>Made by pmon " VERSION ".</footer>\n");
	report_numbers(r, html);
	html_markup(html, "</body>\n</html>\n");
	return wrong;
}
