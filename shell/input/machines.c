// machines.c - --machine: rename the machines of logs
// SPDX-License-Identifier: MIT

#include "shell/input/machines.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/utf.h"
#include "shell/output/say.h"

#define NAME_MAX_BYTES 255

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// ---- Words ----------------------------------------------------------------------------------

// Is it valid between "\\" and "\" in a counter path? Wildcards are not.
static bool
is_name(struct pmon_span name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7F ||
		    strchr("\\/*?\"()=", name.ptr[i]) != NULL)
			return false;
	return name.len > 0 && name.len <= NAME_MAX_BYTES && pmon_utf8_valid(name);
}

// Split "OLD=NEW"; without '=' old is {NULL, 0}.
static void
split(const char *word, struct pmon_span *old, struct pmon_span *new)
{
	const char *equals = strchr(word, '=');

	*old = (struct pmon_span){NULL, 0};
	*new = span_of(equals != NULL ? equals + 1 : word);
	if (equals != NULL)
		*old = (struct pmon_span){word, (size_t)(equals - word)};
}

int
machines_check(const struct request *request)
{
	const struct words *words = &request->machines;
	struct pmon_span old;
	struct pmon_span new;

	for (size_t i = 0; i < words->n; i++) {
		split(words->list[i], &old, &new);
		if (!is_name(new) || (old.ptr != NULL && !is_name(old)))
			return say(EXIT_USAGE,
				   "--machine must be NAME or OLD=NEW, where names do not contain "
				   "\\ / * ? \" ( ) =, not \"%s\"",
				   words->list[i]);
		if (old.ptr == NULL && words->n > 1)
			return say(EXIT_USAGE,
				   "--machine %s can rename only a single machine; for several, "
				   "give --machine OLD=NEW for each",
				   words->list[i]);
		if (old.ptr != NULL && request->logs.n == 0)
			return say(EXIT_USAGE,
				   "--machine OLD=NEW applies only to logs; to name this machine, "
				   "use --machine %s",
				   words->list[i] + old.len + 1);
	}
	return EXIT_DONE;
}

// ---- Names ----------------------------------------------------------------------------------

// With "NAME", logs may have one machine, of any name, the same in all of them.
static enum pmon_status
name_only(struct machines_rename *rename, struct pmon_span machine, struct pmon_err *err)
{
	size_t len = machine.len < sizeof(rename->known) ? machine.len : sizeof(rename->known) - 1;

	if (!rename->is_known && len > 0)
		memcpy(rename->known, machine.ptr, len);
	if (rename->is_known && !pmon_text_same(machine, span_of(rename->known)))
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "there are several machines, %.80s and %.*s; rename each with "
				    "--machine OLD=NEW",
				    rename->known, (int)len, machine.ptr);
	rename->is_known = true;
	return PMON_OK;
}

static enum pmon_status
find_name(struct machines_rename *rename, struct pmon_span machine, const char *id,
	  struct pmon_span *name, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	struct pmon_span old;
	struct pmon_span new;

	for (size_t i = 0; status == PMON_OK && i < rename->words->n; i++) {
		split(rename->words->list[i], &old, &new);
		if (old.ptr == NULL)
			status = name_only(rename, machine, err);
		else if (!pmon_text_same(old, machine) &&
			 (id == NULL || !pmon_text_same(old, span_of(id))))
			continue;
		if (status == PMON_OK)
			*name = new;
		rename->hits[i] = true;
		return status;
	}
	return status;
}

enum pmon_status
machines_name(void *ctx, struct pmon_span machine, const char *id, struct pmon_span *name,
	      struct pmon_err *err)
{
	struct machines_rename *rename = ctx;
	enum pmon_status status;

	pmon_lock_take(rename->lock);
	status = find_name(rename, machine, id, name, err);
	pmon_lock_give(rename->lock);
	return status;
}

int
machines_check_hits(const struct machines_rename *rename, const struct request *request)
{
	struct pmon_span old;
	struct pmon_span new;

	for (size_t i = 0; i < rename->words->n; i++) {
		split(rename->words->list[i], &old, &new);
		if (!rename->hits[i] && old.ptr != NULL && !request->is_one_of_several)
			return say(EXIT_FAILED,
				   "--machine %s: no machine has this name or ID; pmon info shows "
				   "both",
				   rename->words->list[i]);
	}
	return EXIT_DONE;
}

// ---- Logs of one name -----------------------------------------------------------------------

bool
machines_note(struct machines_of *of, const struct pmon_source_info *info)
{
	if (of->list != NULL || info->n_machines == 0)
		return true;
	of->list = calloc(info->n_machines, sizeof(*of->list));
	for (size_t i = 0; of->list != NULL && i < info->n_machines; i++) {
		struct pmon_machine *machine = &of->list[i];

		machine->name = strdup(info->machines[i].name);
		machine->id = strdup(info->machines[i].id);
		of->n++;
		if (machine->name == NULL || machine->id == NULL)
			return false;
	}
	return of->list != NULL;
}

void
machines_forget(struct machines_of *of)
{
	for (size_t i = 0; i < of->n; i++) {
		free((void *)(uintptr_t)of->list[i].name);
		free((void *)(uintptr_t)of->list[i].id);
	}
	free(of->list);
	*of = (struct machines_of){.n = 0};
}

// A machine of a log, in a list by name.
struct entry {
	const struct machines_of *log;
	const struct pmon_machine *machine;
};

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;
	int order = pmon_utf_compare_folded(span_of(x->machine->name), span_of(y->machine->name));

	if (order != 0)
		return order;
	if (x->log == y->log)
		return 0;
	return x->log < y->log ? -1 : 1;
}

static bool
are_two(const struct entry *a, const struct entry *b)
{
	return pmon_text_same(span_of(a->machine->name), span_of(b->machine->name)) &&
	       strcmp(a->machine->id, b->machine->id) != 0 &&
	       !(a->log->is_named && b->log->is_named);
}

static int
say_two(const struct entry *a, const struct entry *b)
{
	const char *name = a->machine->name;

	(void)say(EXIT_FAILED, "%s and %s come from two machines named %s: their ids are %s and %s",
		  a->log->file, b->log->file, name, a->machine->id, b->machine->id);
	say(0,
	    "  rename one with --machine %s=NAME; if it is the same machine, reinstalled, use "
	    "--machine %s=%s",
	    b->machine->id, name, name);
	return EXIT_FAILED;
}

int
machines_compare(const struct machines_of *logs, size_t n)
{
	struct entry *list;
	size_t n_entries = 0;
	int status = EXIT_DONE;

	for (size_t i = 0; i < n; i++)
		n_entries += logs[i].n;
	if (n_entries < 2)
		return EXIT_DONE;
	list = calloc(n_entries, sizeof(*list));
	if (list == NULL)
		return say(EXIT_FAILED, "not enough memory");
	n_entries = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < logs[i].n; k++)
			list[n_entries++] = (struct entry){&logs[i], &logs[i].list[k]};
	qsort(list, n_entries, sizeof(*list), by_name);
	for (size_t i = 1; status == EXIT_DONE && i < n_entries; i++)
		if (are_two(&list[i - 1], &list[i]))
			status = say_two(&list[i - 1], &list[i]);
	free(list);
	return status;
}
