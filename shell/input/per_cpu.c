// per_cpu.c - --per-cpu: show process time as a share of all processors
// SPDX-License-Identifier: MIT

#include "shell/input/per_cpu.h"

#include <string.h>

#include "base/text.h"
#include "query/processors.h"
#include "shell/args/verb.h"
#include "shell/input/notices.h"
#include "shell/output/say.h"

// Does the counter measure time on all processors together?
static bool
is_processor_time(const struct pmon_series *series)
{
	static const char *const counters[] = {"% Processor Time", "% User Time",
					       "% Privileged Time"};
	const struct pmon_path *path = pmon_series_english(series);

	if (!pmon_text_same(path->object, PMON_SPAN("Process")) &&
	    !pmon_text_same(path->object, PMON_SPAN("Process V2")) &&
	    !pmon_text_same(path->object, PMON_SPAN("Thread")))
		return false;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (pmon_text_same(path->counter,
				   (struct pmon_span){counters[i], strlen(counters[i])}))
			return true;
	return false;
}

static void
say_processors(const struct request *request, const struct rules_processors_of *p)
{
	if (notices_are_muted())
		return;
	if (p->n == 0)
		say(0,
		    "%s: --per-cpu: the number of processors of %.*s is unknown: its log has no "
		    "\"%s\"",
		    request->verb->name, (int)p->machine.len, p->machine.ptr,
		    PMON_PROCESSOR_PATTERN);
	else
		say(0, "note: --per-cpu: process times are divided by the %zu processor%s of %.*s",
		    p->n, pmon_text_word(p->n, "", "s"), (int)p->machine.len, p->machine.ptr);
}

int
per_cpu_check(const struct args *args)
{
	bool is_grouped = args->by != NULL && strcmp(args->by, "process") != 0;

	if (!args->per_cpu || (args->identity != IDENTITY_WINDOWS && !is_grouped))
		return EXIT_DONE;
	return say(EXIT_USAGE,
		   "%s: --per-cpu does not go with --by machine and the like, or with "
		   "--identity windows",
		   args->verb->name);
}

size_t
per_cpu_divisor(struct rules_processors *processors, const struct request *request,
		const struct pmon_schema *schema, const struct pmon_series *series)
{
	struct rules_processors_of *p;

	if (!request->per_cpu || !is_processor_time(series))
		return 1;
	if (!rules_processors_take(processors, schema))
		return 0;
	p = rules_processors_at(processors, series->path.machine);
	if (p == NULL)
		return 0;
	if (!p->is_told)
		say_processors(request, p);
	p->is_told = true;
	return p->n;
}
