// incidents.c - the incidents of the logs that pmon top shows, as text
// SPDX-License-Identifier: MIT

#include "verbs/top/incidents.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/time.h"
#include "shell/input/judged.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"
#include "shell/output/stream.h"

#define TEXT 1024

static void
print_time(FILE *out, const struct clock *clock, pmon_time time)
{
	char buf[PMON_TIME_SIZE];

	pmon_time_local(time, clock_offset(clock, time), buf);
	buf[strlen("2026-03-09 11:33:45")] = '\0';
	fputs(buf, out);
}

static void
print_incident(FILE *out, const struct judged *j, const struct incident *incident)
{
	char text[TEXT];
	struct pmon_text t = pmon_text_init(text, sizeof(text));

	fprintf(out, "%-8s  ", incident_severity_name(incident->severity));
	print_time(out, &j->logs.clock, incident->from);
	fputs(" to ", out);
	print_time(out, &j->logs.clock, incident->to);
	incident_put_headline(&t, &j->incidents, incident);
	fprintf(out, "\n          %s\n", text);
	t = pmon_text_init(text, sizeof(text));
	incident_put_who(&t, incident);
	if (t.len > 0)
		fprintf(out, "          %s\n", text);
}

static char *
text_of(const struct judged *j)
{
	char *text = NULL;
	size_t size;
	FILE *out = text_stream_open(&text, &size);

	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < j->incidents.n; i++) {
		fputs(i > 0 ? "\n" : "", out);
		print_incident(out, j, &j->incidents.list[i]);
	}
	if (text_stream_close(out, &text))
		return text;
	free(text);
	return NULL;
}

int
top_incidents(const struct args *args, char **text)
{
	struct judged judged;
	int status;

	*text = NULL;
	for (size_t i = 0; i < args->operands.n; i++)
		if (strcmp(args->operands.list[i], "-") == 0)
			return EXIT_DONE; // it can be read only once
	status = judged_logs(&judged, args, &args->operands);
	if (status == EXIT_DONE && judged.incidents.n > 0) {
		*text = text_of(&judged);
		if (*text == NULL)
			status = say(EXIT_FAILED, "not enough memory");
	}
	(void)judged_close(&judged, status); // what is damaged was said of the logs that are shown
	return status;
}
