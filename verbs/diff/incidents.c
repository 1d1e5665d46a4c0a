// incidents.c - the incidents of both logs that pmon diff compares
// SPDX-License-Identifier: MIT

#include "verbs/diff/incidents.h"

#include <string.h>

#include "shell/output/say.h"
#include "verbs/health/incidents.h"

static void
print_name(const struct judged *j)
{
	const char *name = j->request.logs.list[0];

	if (j->args->format == OUT_MARKDOWN)
		out_markdown(stdout, (struct pmon_span){name, strlen(name)});
	else
		out_clean(stdout, (struct pmon_span){name, strlen(name)});
}

static bool
has_any(const struct judged *j)
{
	return j->incidents.n + j->incidents.tracks.events.n > 0;
}

static int
print_side(const struct judged *j)
{
	bool any = has_any(j);

	fputs(any ? "\nIncidents of " : "\nNo incidents in ", stdout);
	print_name(j);
	fputs(any ? ":\n\n" : "\n", stdout);
	return health_incidents(stdout, j, j->args->format, &any);
}

int
diff_print_incidents(const struct judged *const judged[2])
{
	int status = EXIT_DONE;

	if (judged[0] == NULL || (!has_any(judged[0]) && !has_any(judged[1])))
		return EXIT_DONE;
	for (size_t side = 0; status == EXIT_DONE && side < 2; side++)
		status = print_side(judged[side]);
	return status;
}
