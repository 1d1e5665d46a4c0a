// defaults.c - the counters of this machine that are read when the user names none
// SPDX-License-Identifier: MIT

#include "shell/input/defaults.h"

#include <stdio.h>
#include <string.h>

#include <pmon/live.h>

#include "shell/output/say.h"

static bool
is_default(const struct pmon_live_counter *counter)
{
	return !counter->on_request && strcmp(counter->object, "Process") != 0;
}

static int
add_all(struct defaults *defaults, struct request *request)
{
	struct pmon_live_counter counter;
	const char *object = "";

	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		char *pattern = defaults->patterns[defaults->n];

		if (strcmp(counter.object, object) == 0)
			continue;
		object = counter.object;
		if (!is_default(&counter) || defaults->n == DEFAULT_OBJECTS)
			continue;
		(void)snprintf(pattern, sizeof(defaults->patterns[0]),
			       counter.instances ? "\\%s(*)\\*" : "\\%s\\*", object);
		defaults->n++;
		if (!words_add(&request->added, pattern))
			return say(EXIT_FAILED, "not enough memory");
	}
	return EXIT_DONE;
}

int
defaults_read(struct defaults *defaults, const struct args *args, struct request *request)
{
	const struct words *words = &args->patterns;
	bool wanted = words->n == 0 && args->pattern_files.n == 0;

	defaults->n = 0;
	request->patterns = (struct words){.list = NULL};
	for (size_t i = 0; i < words->n; i++) {
		if (strcmp(words->list[i], "default") == 0)
			wanted = true;
		else if (!words_add(&request->patterns, words->list[i]))
			return say(EXIT_FAILED, "not enough memory");
	}
	return wanted ? add_all(defaults, request) : EXIT_DONE;
}
