// text.c - times, durations and values in a report
// SPDX-License-Identifier: MIT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "verbs/report/report.h"
#include "base/num.h"
#include "base/time.h"
#include "shell/output/episode.h"
#include "draw/label.h"

void
report_time(const struct report *r, struct html *html, pmon_time t)
{
	char buf[PMON_TIME_SIZE];
	char iso[PMON_TIME_SIZE];
	size_t len;
	size_t skip;

	if (t == PMON_TIME_NONE) {
		html_markup(html, "-");
		return;
	}
	len = pmon_time_local(t, clock_offset(&r->logs.clock, t), buf) - 4; // the decimals
	skip = r->with_dates || len < 8 ? 0 : len - 8;
	pmon_time_iso(t, iso);
	html_format(html, "<time datetime=\"%s\">%.*s</time>", iso, (int)(len - skip), buf + skip);
}

void
report_length(struct html *html, int64_t length_100ns)
{
	char text[64];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	episode_put_length(&t, length_100ns);
	html_str(html, text);
}

void
report_share(struct html *html, double share)
{
	char number[32];

	draw_number(share * 100, number, sizeof(number));
	html_format(html, "%s&#8239;%%", number);
}

void
report_quantity(struct html *html, double value, enum draw_quantity quantity)
{
	const struct draw_unit unit = {.quantity = quantity, .factor = 1};
	char text[2 * DRAW_NUMBER];

	(void)draw_amount(value, &unit, text, sizeof(text));
	html_str(html, text);
}

void
report_value_cell(struct html *html, const struct pmon_value *value, const struct draw_unit *unit,
		  const struct draw_multiple *multiple, const char *mark)
{
	char exact[PMON_NUM_SIZE];
	char number[32];

	if (!pmon_vstat_has_value(value->status)) {
		html_format(html, "<td class=\"n\" title=\"%s\">-</td>",
			    pmon_vstat_name(value->status));
		return;
	}
	pmon_num_shortest(value->value, exact);
	draw_value(value->value, unit, multiple->size, number, sizeof(number));
	html_format(html, "<td class=\"n\"><data value=\"%s\">%s</data>%s</td>", exact, number,
		    mark);
}

void
report_instance(const struct report *r, struct html *html, const struct pmon_series *series)
{
	const struct pmon_path *path = &series->path;

	if (r->two_machines) {
		html_text(html, path->machine);
		html_markup(html, path->instance.ptr != NULL ? " " : "");
	}
	if (path->parent.ptr != NULL) {
		html_text(html, path->parent);
		html_markup(html, "/");
	}
	html_text(html, path->instance);
	if (series->of_process)
		html_format(html, " (%lld)",
			    (long long)(series->thread_id >= 0 ? series->thread_id
							       : series->process_id));
	else if (path->index > 0)
		html_format(html, "#%d", (int)path->index);
}
