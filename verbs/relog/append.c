// append.c - pmon relog -a: add to an existing output
// SPDX-License-Identifier: MIT

#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "verbs/relog/relog.h"
#include "shell/output/ask.h"
#include "shell/process/door.h"
#include "os/dir.h"
#include "shell/output/say.h"
#include "shell/output/machines.h"

// Can the input be added to this log? The formats must be the same, and displayed values can be
// added only to displayed values.
static int
check_old_output(const struct relog *r, const struct logs *logs, const struct pmon_source *old,
		 const char *path)
{
	const char *format = pmon_source_info(old)->format;

	if (r->format->reads_as == NULL || strcmp(format, r->format->reads_as) != 0)
		return say(EXIT_FAILED, "%s is a %s log; -a can append only in the same format",
			   path, format);
	if (!r->format->raw && relog_count_formatted(logs->source) <
				       pmon_schema_count(pmon_source_schema(logs->source)))
		return say(EXIT_FAILED,
			   "%s contains displayed values, so -a cannot append raw values; write a "
			   "new log instead",
			   path);
	return EXIT_DONE;
}

// Put all times on the clock of the existing output, as pmon info shows it.
static void
take_clock(struct relog *r, const struct pmon_source *old)
{
	if (r->args->tz != NULL)
		return;
	pmon_time_offset(pmon_source_info(old)->utc_offset_min, r->zone);
	r->request.tz = r->zone;
	r->own_zone = true;
}

// Open the existing output. *old is NULL if there is none yet.
int
relog_open_old(struct relog *r, const char *path, struct pmon_source **old)
{
	struct pmon_log_options options = {.size = sizeof(options), .door = door_get()};
	struct pmon_err err;

	*old = NULL;
	r->request.tz = r->args->tz;
	r->own_zone = false;
	if (!r->append || !pmon_os_stat(path, true).is_there)
		return EXIT_DONE;
	if (pmon_log_open(path, &options, old, &err) != PMON_OK)
		return say_err(path, &err);
	take_clock(r, *old);
	return EXIT_DONE;
}

// Read all counters of a log that does not list them at its beginning.
static int
read_counters(struct pmon_source *source, const char *path)
{
	const struct pmon_sample *sample;
	enum pmon_status status = PMON_OK;
	struct pmon_err err;

	if (pmon_source_info(source)->lists_series)
		return EXIT_DONE;
	while (status == PMON_OK)
		status = pmon_source_next(source, &sample, &err);
	if (status == PMON_END)
		status = pmon_source_rewind(source, &err);
	return status == PMON_OK ? EXIT_DONE : say_err(path, &err);
}

// Find the machines of the inputs for which the existing output has no counter.
static bool
find_new_machines(const struct logs *logs, const struct machines *known, struct machines *out)
{
	const struct pmon_schema *schema = pmon_source_schema(logs->source);

	*out = (struct machines){.n = 0};
	for (size_t i = 0; i < pmon_schema_count(schema); i++) {
		struct pmon_span name = pmon_schema_at(schema, i)->path.machine;

		if (machines_place(known, name) == PMON_MAP_NONE && !machines_add(out, name))
			return false;
	}
	return true;
}

// Adding another machine's counters may be a mistake, so ask.
static int
ask_for_machines(const struct relog *r, const char *path, const struct machines *known,
		 const struct machines *added)
{
	char of_old[MACHINES_TEXT];
	char of_new[MACHINES_TEXT];

	if (known->n == 0 || added->n == 0 || r->args->yes || r->dry_run)
		return EXIT_DONE;
	machines_text(known, of_old, sizeof(of_old));
	machines_text(added, of_new, sizeof(of_new));
	if (!ask_possible())
		return say(EXIT_FAILED,
			   "%s has counters of %s, but the input has counters of %s; use -y to "
			   "append them",
			   path, of_old, of_new);
	return ask_yes("%s has counters of %s; append those of %s", path, of_old, of_new)
		       ? EXIT_DONE
		       : say(EXIT_FAILED, "%s was not changed", path);
}

static int
check_machines(const struct relog *r, const struct logs *logs, struct pmon_source *old,
	       const char *path)
{
	struct machines known = {.n = 0};
	struct machines added = {.n = 0};
	int status = read_counters(old, path);

	if (status == EXIT_DONE && (!machines_find(pmon_source_schema(old), &known) ||
				    !find_new_machines(logs, &known, &added)))
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = ask_for_machines(r, path, &known, &added);
	machines_free(&known);
	machines_free(&added);
	return status;
}

static void
say_clash(void *ctx, const struct pmon_clash *clash)
{
	const struct relog *r = ctx;
	char time[PMON_TIME_SIZE];

	(void)pmon_time_iso(clash->time, time);
	say(0,
	    "%s: values that conflict with appended ones for the same time: %llu; first: %s at %s; "
	    "both were written",
	    r->args->output, (unsigned long long)clash->n, clash->path, time);
}

// Put the contents of the existing output before the inputs, and write both to a new file. The old
// file stays until the new one is complete. Takes ownership of old.
int
relog_add_old(struct relog *r, struct logs *logs, struct pmon_source *old, const char *path)
{
	struct pmon_source *both[2] = {old, logs->source};
	struct pmon_err err;
	int status;

	if (old == NULL)
		return EXIT_DONE;
	status = check_old_output(r, logs, old, path);
	if (status == EXIT_DONE)
		status = check_machines(r, logs, old, path);
	if (status != EXIT_DONE) {
		pmon_source_close(old);
		return status;
	}
	logs->source = NULL;
	if (pmon_merge_open(both, 2, NULL, &logs->source, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_merge_on_clash(logs->source, say_clash, r);
	return EXIT_DONE;
}
