// option.c - option tables of verbs
// SPDX-License-Identifier: MIT

#include "shell/args/option.h"

#include <string.h>

#include "base/text.h"
#include "format/format.h"

static const struct option *
walk(const struct option *table, size_t *left)
{
	for (; table != NULL && (table->names[0] != NULL || table->group != NULL); table++) {
		const struct option *found = table;

		if (table->group != NULL)
			found = walk(table->group, left);
		else if ((*left)-- != 0)
			found = NULL;
		if (found != NULL)
			return found;
	}
	return NULL;
}

const struct option *
option_at(const struct option *table, size_t i)
{
	return walk(table, &i);
}

static bool
is_named(const struct option *option, const char *name, size_t len)
{
	for (size_t i = 0; i < 2 && option->names[i] != NULL; i++)
		if (strlen(option->names[i]) == len && strncmp(option->names[i], name, len) == 0)
			return true;
	return false;
}

size_t
option_find(const struct option *table, const char *name, size_t len)
{
	for (size_t i = 0; option_at(table, i) != NULL; i++)
		if (is_named(option_at(table, i), name, len))
			return i;
	return OPTION_NONE;
}

bool
option_goes_to(const struct option *table, size_t offset)
{
	const struct option *option;

	for (size_t i = 0; (option = option_at(table, i)) != NULL; i++)
		if (!option->own && option->kind != OPTION_SETTINGS && option->offset == offset)
			return true;
	return false;
}

const char *
option_name(const struct option *option)
{
	return option->names[1] != NULL ? option->names[1] : option->names[0];
}

const char *
option_arg(const struct option *option, char buf[OPTION_ARG_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, OPTION_ARG_SIZE);
	const struct pmon_writer *writer;

	if (option->kind != OPTION_FORMAT)
		return option->arg;
	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++) {
		if (!writer->record)
			continue;
		if (t.len > 0)
			pmon_text_str(&t, "|");
		pmon_text_str(&t, writer->name);
	}
	return buf;
}
