// text.c - the lines of OpenMetrics 1.0, and of Prometheus' older text format
// SPDX-License-Identifier: MIT
//
// The two differ in the headers of families and in the times.

#include "format/openmetrics/openmetrics.h"

#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "base/utf.h"

#define UNIX_EPOCH INT64_C(116444736000000000) // as pmon_time

static void
put(const struct om_out *out, const char *text)
{
	out->put(out->ctx, text, strlen(text));
}

// Text in quotes, or help text, in which only OpenMetrics escapes quotes.
static void
put_escaped(const struct om_out *out, struct pmon_span text, bool quotes)
{
	size_t pos = 0;

	while (pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (c == '\n')
			put(out, "\\n");
		else if (c == '\\')
			put(out, "\\\\");
		else if (c == '"' && quotes)
			put(out, "\\\"");
		else if (c == 0 || (c >= 0xDC80 && c <= 0xDCFF)) // invalid UTF-8
			put(out, "\xEF\xBF\xBD");
		else
			out->put(out->ctx, text.ptr + at, pos - at);
	}
}

// ---- Labels ---------------------------------------------------------------------------------

// The labels of a series, among which those of its machine are sorted.
struct giving {
	om_label_fn give;
	void *ctx;
	const struct pmon_labels *labels; // NULL: none
	size_t next;                      // of them
};

static struct giving
giving_of(const struct om_track *track, om_label_fn give, void *ctx)
{
	return (struct giving){.give = give, .ctx = ctx, .labels = track->labels};
}

// Give the labels of the machine that precede a name; NULL: the rest.
static void
give_before(struct giving *g, const char *name)
{
	for (; g->labels != NULL && g->next < g->labels->n; g->next++) {
		const struct pmon_label *label = &g->labels->list[g->next];

		if (name != NULL && strcmp(label->name, name) > 0)
			return;
		g->give(g->ctx, label->name,
			(struct pmon_span){label->value, strlen(label->value)});
	}
}

static void
give_text(struct giving *g, const char *name, struct pmon_span text)
{
	give_before(g, name);
	if (text.ptr != NULL && text.len > 0)
		g->give(g->ctx, name, text);
}

static void
give_number(struct giving *g, const char *name, uint64_t n)
{
	char buf[24];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_u64(&t, n);
	give_text(g, name, (struct pmon_span){buf, n > 0 ? t.len : 0});
}

static void
give_path(struct giving *g, const struct om_track *track)
{
	const struct pmon_path *path = &track->series->path;

	give_number(g, "duplicate", track->same_before);
	give_number(g, "index", (uint64_t)path->index);
	give_text(g, "instance", path->instance);
	give_text(g, "machine", path->machine);
	give_text(g, "object", path->object);
	give_text(g, "parent", path->parent);
}

void
pmon_om_labels(const struct om_track *track, om_label_fn give, void *ctx)
{
	struct giving g = giving_of(track, give, ctx);

	give_path(&g, track);
	give_before(&g, NULL);
}

void
pmon_om_describe(const struct om_family *family, const struct om_track *track, om_label_fn give,
		 void *ctx)
{
	const char *name = family->names[OM_MAIN];
	const char *type = track->plan.type->name;
	struct giving g = giving_of(track, give, ctx);

	give_text(&g, "counter", track->series->path.counter);
	give_text(&g, "family", (struct pmon_span){name, strlen(name)});
	give_path(&g, track);
	give_text(&g, "type", (struct pmon_span){type, strlen(type)});
	give_before(&g, NULL);
}

struct labels {
	const struct om_out *out;
	bool comma;
};

static void
put_label(void *ctx, const char *name, struct pmon_span text)
{
	struct labels *labels = ctx;

	if (labels->out->is_target && strcmp(name, "instance") == 0)
		name = "counter_instance";
	put(labels->out, labels->comma ? "," : "{");
	labels->comma = true;
	put(labels->out, name);
	put(labels->out, "=\"");
	put_escaped(labels->out, text, true);
	put(labels->out, "\"");
}

// ---- Heads and lines ------------------------------------------------------------------------

static void
put_key(const struct om_out *out, const char *key, const char *name, const struct om_part *part)
{
	put(out, "# ");
	put(out, key);
	put(out, " ");
	put(out, name);
	// in the older format, the header has the name used on the lines
	put(out, !out->is_openmetrics && pmon_om_is_counter(part) ? "_total " : " ");
}

void
pmon_om_put_head(const struct om_out *out, const struct om_family *family, int i)
{
	const struct om_part *part = &family->plan.parts[i];
	const struct pmon_path *path = &family->series->path;

	put_key(out, "TYPE", family->names[i], part);
	put(out, pmon_om_is_counter(part) ? "counter\n" : "gauge\n");
	if (out->is_openmetrics && part->unit[0] != '\0') {
		put_key(out, "UNIT", family->names[i], part);
		put(out, part->unit);
		put(out, "\n");
	}
	put_key(out, "HELP", family->names[i], part);
	put_escaped(out, path->object, out->is_openmetrics);
	put(out, ", ");
	put_escaped(out, path->counter, out->is_openmetrics);
	put(out, ": ");
	put(out, part->what);
	put(out, " (");
	put(out, family->plan.type->name);
	put(out, ")\n");
}

// Seconds in OpenMetrics, milliseconds in the older format.
static void
put_time(const struct om_out *out, pmon_time time)
{
	uint64_t t = (uint64_t)(time - UNIX_EPOCH);
	char buf[48];
	size_t n;

	if (out->is_openmetrics) {
		(void)snprintf(buf, sizeof(buf), " %llu.%07llu", (unsigned long long)(t / 10000000),
			       (unsigned long long)(t % 10000000));
		n = strlen(buf);
		while (buf[n - 1] == '0') // after the point
			n--;
		buf[buf[n - 1] == '.' ? n - 1 : n] = '\0';
	} else {
		(void)snprintf(buf, sizeof(buf), " %llu", (unsigned long long)(t / 10000));
	}
	put(out, buf);
}

void
pmon_om_put_line(const struct om_out *out, const struct om_family *family, int part,
		 const struct om_track *track, double number, pmon_time time)
{
	struct labels labels = {.out = out};
	char buf[PMON_NUM_SIZE];

	put(out, family->names[part]);
	put(out, pmon_om_is_counter(&family->plan.parts[part]) ? "_total" : "");
	pmon_om_labels(track, put_label, &labels);
	if (out->says_no_instance && track->series->path.instance.ptr == NULL)
		put_label(&labels, "instance", (struct pmon_span){"", 0});
	put(out, labels.comma ? "} " : " ");
	pmon_num_shortest(number, buf);
	put(out, buf);
	if (time != PMON_TIME_NONE)
		put_time(out, time);
	put(out, "\n");
}

void
pmon_om_put_description_head(const struct om_out *out)
{
	put(out, "# TYPE " OM_DESCRIPTION " gauge\n");
	put(out, out->is_openmetrics ? "# UNIT " OM_DESCRIPTION " seconds\n" : "");
	put(out, "# HELP " OM_DESCRIPTION " description and latest time of a metric\n");
}

void
pmon_om_put_description(const struct om_out *out, const struct om_family *family,
			const struct om_track *track, pmon_time time)
{
	struct labels labels = {.out = out};
	char buf[PMON_NUM_SIZE];

	put(out, OM_DESCRIPTION);
	pmon_om_describe(family, track, put_label, &labels);
	put(out, "} ");
	pmon_num_shortest((double)pmon_om_unix_ms(time) / 1000, buf);
	put(out, buf);
	put_time(out, time);
	put(out, "\n");
}
