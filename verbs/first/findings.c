// findings.c - what was wrong, in a few lines each, and how much could be judged
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "verbs/first/first.h"
#include "base/text.h"
#include "base/time.h"
#include "shell/output/sentences.h"
#include "draw/label.h"

#define TEXT     512
#define SEVERITY 10 // columns
#define EVENTS   3  // lines
#define FEW      3  // incidents that leave room for a line of other evidence each

static const char *const severities[INCIDENT_SEVERITIES] = {"NOTE", "WARNING", "CRITICAL"};
static const char *const colours[INCIDENT_SEVERITIES] = {"\033[36m", "\033[33m", "\033[31m"};

// "10:32:15-10:37:00"
static void
put_when(const struct first *f, pmon_time from, pmon_time to, struct pmon_text *t)
{
	char first[FIRST_TIME];
	char last[FIRST_TIME];
	bool same_day;

	first_time(f, from, first);
	first_time(f, to, last);
	same_day = f->judged.spans_days && strncmp(first, last, 6) == 0; // "11-26 "
	pmon_text_str(t, first);
	pmon_text_char(t, '-');
	pmon_text_str(t, same_day ? last + 6 : last);
}

// Words of a text, each in a line where it fits.
static void
put_words(struct first_line *line, const char *gap, char *text)
{
	char *rest = text;

	for (char *word = strtok_r(text, " ", &rest); word != NULL;
	     word = strtok_r(NULL, " ", &rest)) {
		first_put(line, gap, word);
		gap = " ";
	}
}

static void
begin_line(struct first_line *line, const struct first *f, enum incident_severity severity)
{
	*line = (struct first_line){.width = f->width, .indent = SEVERITY, .used = SEVERITY};
	printf("%s%-*s%s", out_style(colours[severity]), SEVERITY, severities[severity],
	       out_style(STYLE_OFF));
}

static void
put_machine(const struct first *f, struct pmon_span machine, struct pmon_text *t)
{
	if (f->machines.n < 2 || machine.len == 0)
		return;
	pmon_text_span(t, machine);
	pmon_text_str(t, ": ");
}

// A part of the line of evidence, behind those before it.
static void
put_part(struct first_line *line, char *text)
{
	if (line->used == SEVERITY)
		printf("%*s", SEVERITY, "");
	else
		line->used += (size_t)printf(";");
	put_words(line, line->used == SEVERITY ? "" : " ", text);
}

// Who rose, and as much of the other evidence as fits into the line; that no process rose comes last.
static void
print_evidence(const struct first *f, const struct incident *incident)
{
	const struct incidents *all = &f->judged.incidents;
	struct first_line line = {.width = f->width, .indent = SEVERITY, .used = SEVERITY};
	char who[TEXT];
	char text[TEXT];
	struct pmon_text t = pmon_text_init(who, sizeof(who));

	incident_put_who(&t, incident);
	if (incident->n_who > 0)
		put_part(&line, who);
	for (size_t i = 0; all->n <= FEW; i++) {
		struct pmon_text part = pmon_text_init(text, sizeof(text));

		if (!incident_put_evidence(&part, all, incident, i) ||
		    line.used + strlen("; ;") + draw_characters(text) > line.width)
			break;
		if (part.len > 0)
			put_part(&line, text);
	}
	if (incident->n_who == 0 && t.len > 0 && all->n <= FEW)
		put_part(&line, who);
	if (line.used > SEVERITY)
		first_end(&line);
}

static void
print_incident(const struct first *f, const struct incident *incident)
{
	struct first_line line;
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	begin_line(&line, f, incident->severity);
	put_when(f, incident->from, incident->to, &t);
	pmon_text_str(&t, "  ");
	first_put(&line, "", text);
	t = pmon_text_init(text, sizeof(text));
	put_machine(f, incident->head->series->path.machine, &t);
	incident_put_headline(&t, &f->judged.incidents, incident);
	put_words(&line, "", text);
	first_end(&line);
	print_evidence(f, incident);
}

static void
print_event(const struct first *f, const struct event *event)
{
	struct first_line line;
	char time[FIRST_TIME];
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	begin_line(&line, f, INCIDENT_NOTE);
	first_time(f, event->to, time);
	first_put(&line, "", time);
	put_machine(f, event->machine, &t);
	event_put(&t, event);
	put_words(&line, "  ", text);
	first_end(&line);
}

static void
print_events(const struct first *f)
{
	const struct events *events = &f->judged.incidents.tracks.events;
	size_t n = events->n < EVENTS ? events->n : EVENTS;

	for (size_t i = 0; i < n; i++)
		print_event(f, &events->list[i]);
	if (events->n + events->others > n)
		printf("and %zu more event%s\n", events->n + events->others - n,
		       pmon_text_word(events->n + events->others - n, "", "s"));
}

// "9 rules within limits; 31 not judged (pmon health --all SQL01.blg says why)"
static void
print_judged(const struct first *f)
{
	const struct judged *j = &f->judged;
	struct first_line line = {.markdown = f->markdown, .width = f->width, .indent = 2};
	char text[2 * TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	pmon_text_str(&t, "");
	if (j->within > 0) {
		pmon_text_u64(&t, j->within);
		pmon_text_str(&t, pmon_text_word(j->within, " rule within its limits",
						 " rules within limits"));
	}
	if (j->not_judged > 0) {
		pmon_text_str(&t, j->within > 0 ? "; " : "");
		pmon_text_u64(&t, j->not_judged);
		pmon_text_str(&t, j->within > 0 ? " not judged" : " rules not judged");
	}
	first_put(&line, "", text);
	t = pmon_text_init(text, sizeof(text));
	pmon_text_str(&t, "(pmon health --all");
	first_files(f, &t);
	pmon_text_str(&t, j->not_judged > 0 ? " says why)" : " lists them)");
	first_put(&line, " ", text);
	first_end(&line);
}

static void
print_beyond(const struct first *f)
{
	struct first_line line = {.markdown = f->markdown, .width = f->width, .indent = 2};
	char text[4 * TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	judged_put_beyond(&f->judged, &t);
	first_put(&line, "", "Beyond the limit throughout, but too short for the rule:");
	first_put(&line, " ", text);
	first_end(&line);
}

// "No limit that could be judged was exceeded."
static void
print_nothing(const struct first *f)
{
	size_t n = f->judged.incidents.within_usual;

	if (n > 0)
		printf("Nothing was unusual; %zu warning limit%s crossed as usual.\n", n,
		       pmon_text_word(n, " was", "s were"));
	else
		puts(f->judged.within == 0 ? "No rule could be judged."
					   : "No limit that could be judged was exceeded.");
}

void
first_judged(const struct first *f)
{
	if (f->judged.beyond > 0)
		print_beyond(f);
	else if (f->judged.incidents.n == 0)
		print_nothing(f);
	if (f->markdown)
		putchar('\n');
	print_judged(f);
}

void
first_findings(const struct first *f)
{
	const struct incidents *incidents = &f->judged.incidents;
	size_t n = incidents->n < FIRST_FINDINGS ? incidents->n : FIRST_FINDINGS;

	for (size_t i = 0; i < n; i++)
		print_incident(f, &incidents->list[i]);
	if (incidents->n > n)
		printf("and %zu more incident%s\n", incidents->n - n,
		       pmon_text_word(incidents->n - n, "", "s"));
	print_events(f);
	first_judged(f);
}
