// facts.c - the facts about a log, and what to do next
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/first/first.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/output/say.h"
#include "draw/label.h"

#define PART       256 // bytes for a part of a line
#define MOST_FILES 50  // bytes for several names

// ---- Facts ----------------------------------------------------------------------------------

static struct pmon_span
machine_of(const struct first *f)
{
	const char *name = pmon_source_info(f->judged.logs.source)->machine;

	if (f->machines.n > 0)
		return f->machines.list[0];
	return (struct pmon_span){name, name != NULL ? strlen(name) : 0};
}

static void
put_machine(const struct first *f, struct first_line *line)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.source);
	struct pmon_span path_machine = {NULL, 0};
	char text[PART];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	size_t processors;

	if (f->machines.n > 1) {
		(void)machines_text(&f->machines, text, MACHINES_TEXT);
		first_put(line, "  ", text);
		return;
	}
	if (pmon_schema_count(schema) > 0)
		path_machine = pmon_schema_at(schema, 0)->path.machine;
	processors = rules_judge_processors(f->judged.judge, path_machine);
	if (machine_of(f).len > 0) {
		pmon_text_span(&t, machine_of(f));
		first_put(line, "", text);
	}
	if (processors == 0)
		return;
	t = pmon_text_init(text, sizeof(text));
	pmon_text_u64(&t, processors);
	pmon_text_str(&t, pmon_text_word(processors, " processor", " processors"));
	first_put(line, "  ", text);
}

// "2007-08-14 15:40:38 - 15:50:38 (UTC-04:00)"
static void
put_times(const struct first *f, struct first_line *line)
{
	const struct clock *clock = &f->judged.logs.clock;
	const struct survey *s = &f->survey;
	char text[PART];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	char from[PMON_TIME_SIZE];
	char to[PMON_TIME_SIZE];
	char zone[ZONE_SIZE];
	size_t len = strlen("2007-08-14 15:40:38");

	if (s->samples == 0)
		return;
	(void)pmon_time_local(s->first, clock_offset(clock, s->first), from);
	(void)pmon_time_local(s->last, clock_offset(clock, s->last), to);
	logs_zone(&f->judged.logs, zone);
	pmon_text_span(&t, (struct pmon_span){from, len});
	pmon_text_str(&t, " - ");
	if (f->judged.spans_days)
		pmon_text_span(&t, (struct pmon_span){to, len});
	else
		pmon_text_span(&t, (struct pmon_span){to + 11, len - 11});
	pmon_text_str(&t, " (");
	pmon_text_str(&t, zone);
	pmon_text_str(&t, ")");
	first_put(line, "  ", text);
}

static void
put_samples(const struct first *f, struct first_line *line)
{
	const struct survey *s = &f->survey;
	const struct pmon_source_info *info = pmon_source_info(f->judged.logs.source);
	char text[PART];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	if (s->samples == 0) {
		first_put(line, "  ", "no samples");
		return;
	}
	out_put_count(&t, s->samples, " sample", " samples");
	// If times are rounded, several samples have the same time, and this is not their interval.
	if (s->usual > 0 && (int64_t)s->samples * s->usual < 2 * (survey_length(s) + s->usual)) {
		pmon_text_str(&t, ", one every ");
		out_put_length(&t, s->usual);
	}
	pmon_text_str(&t, s->n_gaps > 0 || s->usual > 0 ? ", " : "");
	if (s->n_gaps > 0)
		out_put_count(&t, s->n_gaps, " gap", " gaps");
	else if (s->usual > 0)
		pmon_text_str(&t, "no gaps");
	if (info->losses > 0) {
		pmon_text_str(&t, ", ");
		out_put_count(&t, info->losses, " damaged place", " damaged places");
	}
	first_put(line, "  ", text);
}

// Count the objects of a log, each once. Counters of an object are adjacent.
static size_t
count_objects(const struct pmon_schema *schema, struct machines *objects)
{
	for (size_t i = 0; i < pmon_schema_count(schema); i++)
		if (!machines_add(objects, pmon_schema_at(schema, i)->path.object))
			break;
	return objects->n;
}

static void
put_counters(const struct first *f)
{
	const struct pmon_schema *schema = pmon_source_schema(f->judged.logs.input);
	struct first_line line = {.markdown = f->markdown, .width = f->width};
	struct machines objects = {.n = 0};
	char text[PART];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	size_t zero = filter_count_zero(f->filter);

	out_put_count(&t, pmon_schema_count(schema), " counter", " counters");
	pmon_text_str(&t, " in ");
	out_put_count(&t, count_objects(schema, &objects), " object", " objects");
	machines_free(&objects);
	if (zero > 0) {
		char number[DRAW_NUMBER];

		(void)draw_whole(zero, number, sizeof(number));
		pmon_text_str(&t, "; ");
		pmon_text_str(&t, number);
		pmon_text_str(&t, " of them stayed at 0");
	}
	first_put(&line, "", text);
	first_end(&line);
}

void
first_facts(const struct first *f)
{
	struct first_line line = {.markdown = f->markdown, .width = f->width, .indent = 2};

	fputs(f->markdown ? "**" : out_style(STYLE_BOLD), stdout);
	put_machine(f, &line);
	fputs(f->markdown ? "** " : out_style(STYLE_OFF), stdout);
	put_times(f, &line);
	put_samples(f, &line);
	first_end(&line);
	put_counters(f);
}

// ---- Commands -------------------------------------------------------------------------------

void
first_files(const struct first *f, struct pmon_text *t)
{
	const struct words *files = &f->judged.request.logs;

	size_t most = t->len + MOST_FILES;
	size_t i;

	for (i = 0; i < files->n; i++) {
		if (i > 0 && t->len + strlen(files->list[i]) > most)
			break;
		pmon_text_char(t, ' ');
		out_put_word(t, files->list[i]);
	}
	pmon_text_str(t, i < files->n ? " ..." : "");
}

void
first_commands(const struct first *f)
{
	static const char *const commands[] = {"all counters: pmon stats", "page: pmon view",
					       "send: pmon report"};
	struct first_line line = {.markdown = f->markdown, .width = f->width};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		char text[4 * PART];
		struct pmon_text t = pmon_text_init(text, sizeof(text));

		pmon_text_str(&t, commands[i]);
		first_files(f, &t);
		first_put(&line, "     ", text);
	}
	first_end(&line);
}
