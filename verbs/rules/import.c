// import.c - pmon rules import: convert thresholds of PAL to rules
// SPDX-License-Identifier: MIT
//
// A call of StaticThreshold with an operator and a number becomes a rule. Everything else is
// PowerShell: it becomes a comment with the reason, and is counted.

#include "base/text.h"
#include "verbs/rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verbs/rules/pal.h"
#include "base/num.h"
#include "base/utf.h"
#include "shell/output/out.h"
#include "shell/output/say.h"
#include "shell/output/stream.h"
#include "rules/rules.h"

enum reason {
	CONVERTED,
	POWERSHELL,
	COMPUTED_LIMIT,
	OPERATOR,
	NO_COUNTER,
	CUT,
	SEVERITY,
	TOO_MANY,
	REASONS
};

static const char *const reasons[REASONS] = {
	[POWERSHELL] = "the code does more than call StaticThreshold",
	[COMPUTED_LIMIT] = "the limit is computed",
	[OPERATOR] = "rules do not support this operator",
	[NO_COUNTER] = "the values do not come from a counter",
	[CUT] = "a path or an instance is longer than 511 bytes, or more than 64 instances are "
		"left out",
	[SEVERITY] = "it has neither a warning nor a critical threshold",
	[TOO_MANY] = "there cannot be more than 1000 rules",
};

#define FILES     64 // one, and those that it inherits from
#define FILE_NAME 1024

struct import {
	FILE *out;                // in memory: nothing is printed before the whole file was read
	char (*names)[RULE_NAME]; // of the rules so far
	size_t n_names;
	size_t count[REASONS];
	bool has_begun;           // the file that is read
	char (*files)[FILE_NAME]; // read, and still to read
	size_t n_files;
	struct pal_file file;
};

// The arguments of StaticThreshold, as spans of its code.
struct call {
	struct pmon_span collection;
	struct pmon_span operator;
	struct pmon_span limit;
	bool is_trend;
};

// ---- The code -------------------------------------------------------------------------------

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
is(struct pmon_span a, const char *text)
{
	return pmon_text_same(a, (struct pmon_span){text, strlen(text)});
}

// The next word of the code, without quotes; skips comments. Empty at the end.
static struct pmon_span
next_word(const char **at)
{
	struct pmon_span word = {NULL, 0};

	for (;;) {
		while (is_space(**at))
			(*at)++;
		if (**at != '#')
			break;
		*at += strcspn(*at, "\r\n");
	}
	word.ptr = *at;
	while (**at != '\0' && !is_space(**at))
		(*at)++;
	word.len = (size_t)(*at - word.ptr);
	if (word.len >= 2 && (word.ptr[0] == '\'' || word.ptr[0] == '"') &&
	    word.ptr[word.len - 1] == word.ptr[0])
		word = (struct pmon_span){word.ptr + 1, word.len - 2};
	return word;
}

static bool
parse_call(const char *code, struct call *out)
{
	struct pmon_span word = next_word(&code);

	*out = (struct call){.is_trend = false};
	if (!is(word, "StaticThreshold"))
		return false;
	for (word = next_word(&code); word.len > 0; word = next_word(&code)) {
		struct pmon_span value = next_word(&code);

		if (is(word, "-CollectionOfCounterInstances"))
			out->collection = value;
		else if (is(word, "-Operator"))
			out->operator= value;
		else if (is(word, "-Threshold"))
			out->limit = value;
		else if (is(word, "-IsTrendOnly"))
			out->is_trend = !is(value, "$False");
		else
			return false;
	}
	return out->collection.len > 1 && out->limit.len > 0;
}

static const char *
operator_of(struct pmon_span name)
{
	static const char *const names[][2] = {
		{"gt", ">"}, {"ge", ">="}, {"lt", "<"}, {"le", "<="}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is(name, names[i][0]))
			return names[i][1];
	return NULL;
}

// Parse a PowerShell number: 5, 0.5, 100MB.
static bool
number_of(struct pmon_span text, double *out)
{
	static const struct {
		const char *name;
		double size;
	} units[] = {{"KB", 0x1p10}, {"MB", 0x1p20}, {"GB", 0x1p30}, {"TB", 0x1p40}};
	double size = 1;

	for (size_t i = 0; text.len > 2 && i < sizeof(units) / sizeof(units[0]); i++) {
		struct pmon_span end = {text.ptr + text.len - 2, 2};

		if (!is(end, units[i].name))
			continue;
		size = units[i].size;
		text.len -= 2;
		break;
	}
	if (!pmon_num_parse_double(text, out))
		return false;
	*out *= size;
	return true;
}

static const struct pal_source *
source_of(const struct pal_threshold *t, struct pmon_span collection)
{
	struct pmon_path pattern;
	struct pmon_path_error why;

	for (size_t i = 0; i < t->n_sources; i++) {
		const struct pal_source *source = &t->sources[i];
		struct pmon_span path = {source->path, strlen(source->path)};

		if (is((struct pmon_span){collection.ptr + 1, collection.len - 1},
		       source->variable))
			return !source->is_generated && (source->is_cut ||
							 pmon_pattern_parse(path, &pattern, &why))
				       ? source
				       : NULL;
	}
	return NULL;
}

// ---- Output ---------------------------------------------------------------------------------

// Reduce a text to one line, without characters that a rule file cannot contain.
static void
clean(char *out, size_t size, const char *text)
{
	struct pmon_span span = {text, strlen(text)};
	size_t pos = 0;
	size_t len = 0;

	while (pos < span.len) {
		size_t at = pos;
		bool is_unsafe = pmon_utf_is_unsafe(pmon_utf8_next(span, &pos));

		if (len + (pos - at) >= size)
			break;
		memcpy(out + len, is_unsafe ? " " : text + at, is_unsafe ? 1 : pos - at);
		len += is_unsafe ? 1 : pos - at;
	}
	out[len] = '\0';
}

static void
print_key(const struct import *import, const char *key, const char *text)
{
	char cleaned[2 * PAL_NAME];

	clean(cleaned, sizeof(cleaned), text);
	if (cleaned[strspn(cleaned, " ")] != '\0')
		fprintf(import->out, "%s = %s\n", key, cleaned);
}

static bool
is_used(const struct import *import, const char *name)
{
	for (size_t i = 0; i < import->n_names; i++)
		if (is((struct pmon_span){name, strlen(name)}, import->names[i]))
			return true;
	return false;
}

// Make a unique name that is valid between brackets.
static void
name_rule(struct import *import, const struct pal_threshold *t)
{
	char *name = import->names[import->n_names];
	char both[2 * PAL_NAME + 3];
	char base[RULE_NAME - 16];

	(void)snprintf(both, sizeof(both), "%s: %s", t->analysis, t->name);
	clean(base, sizeof(base), both);
	for (char *at = base; *at != '\0'; at++)
		*at = *at == '[' ? '(' : *at == ']' ? ')' : *at;
	(void)snprintf(name, RULE_NAME, "%s", base);
	for (int i = 2; is_used(import, name); i++)
		(void)snprintf(name, RULE_NAME, "%s (%d)", base, i);
	import->n_names++;
}

static void
print_rule(struct import *import, const struct pal_file *file, const struct pal_threshold *t,
	   const struct pal_source *source, const struct call *call, double limit)
{
	char text[4 * PAL_NAME];
	bool is_critical = strcasecmp(t->condition, "Critical") == 0;

	name_rule(import, t);
	fprintf(import->out, "\n%s%s[%s]\n",
		t->is_off ? "# This analysis is disabled in the file.\n" : "",
		call->is_trend && is_critical
			? "# Critical in the file; trends are always warnings.\n"
			: "",
		import->names[import->n_names - 1]);
	print_key(import, "counter", source->path);
	for (size_t i = 0; i < source->n_excepts; i++)
		print_key(import, "except", source->excepts[i]);
	if (call->is_trend)
		fprintf(import->out, "trend = %s %.15g/h for 1h\n", operator_of(call->operator),
			limit);
	else
		fprintf(import->out, "%s = %s %.15g\n", is_critical ? "critical" : "warning",
			operator_of(call->operator), limit);
	print_key(import, "text", t->name);
	(void)snprintf(text, sizeof(text), "PAL threshold file \"%s\" %s, %s", file->name,
		       file->version, file->owners);
	print_key(import, "source", text);
}

static void
print_comment(const struct import *import, const struct pal_threshold *t, enum reason reason)
{
	char line[2 * PAL_NAME + 3];
	char text[2 * PAL_NAME + 3];
	const char *at = t->code;

	(void)snprintf(text, sizeof(text), "%s: %s", t->analysis, t->name);
	clean(line, sizeof(line), text);
	fprintf(import->out, "\n# Not converted: %s\n# Reason: %s.\n", line, reasons[reason]);
	while (*at != '\0') {
		size_t len = strcspn(at, "\r\n");

		(void)snprintf(text, sizeof(text), "%.*s", (int)(len < PAL_NAME ? len : PAL_NAME),
			       at);
		clean(line, sizeof(line), text);
		if (line[strspn(line, " ")] != '\0')
			fprintf(import->out, "#   %s\n", line);
		at += len + (at[len] != '\0');
	}
}

// ---- One threshold --------------------------------------------------------------------------

static enum reason
judge(const struct import *import, const struct pal_threshold *t, struct call *call, double *limit,
      const struct pal_source **source)
{
	if (!parse_call(t->code, call))
		return POWERSHELL;
	*source = source_of(t, call->collection);
	if (!number_of(call->limit, limit))
		return COMPUTED_LIMIT;
	if (operator_of(call->operator) == NULL)
		return OPERATOR;
	if (*source == NULL)
		return NO_COUNTER;
	if ((*source)->is_cut)
		return CUT;
	if (strcasecmp(t->condition, "Warning") != 0 && strcasecmp(t->condition, "Critical") != 0)
		return SEVERITY;
	return import->n_names < RULES_MOST ? CONVERTED : TOO_MANY;
}

static void
convert(void *ctx, const struct pal_file *file, const struct pal_threshold *t)
{
	struct import *import = ctx;
	const struct pal_source *source = NULL;
	struct call call;
	double limit = 0;
	enum reason reason = judge(import, t, &call, &limit, &source);
	char text[2 * PAL_NAME + 3];

	if (!import->has_begun) {
		clean(text, sizeof(text), file->name);
		fprintf(import->out,
			"# Rules converted from the PAL threshold file \"%s\" by pmon rules "
			"import.\n# PAL compares each sample, so a single one beyond the limit is "
			"enough. It computes trends\n# over the whole log; these rules use one "
			"hour.\n",
			text);
		import->has_begun = true;
	}
	import->count[reason]++;
	if (reason == CONVERTED)
		print_rule(import, file, t, source, &call, limit);
	else
		print_comment(import, t, reason);
}

static void
print_summary(const struct import *import)
{
	size_t all = 0;

	for (size_t i = 0; i < REASONS; i++)
		all += import->count[i];
	fprintf(import->out, "\n# %zu %s: %zu converted, %zu not\n", all,
		pmon_text_word(all, "threshold", "thresholds"), import->count[CONVERTED],
		all - import->count[CONVERTED]);
	for (size_t i = CONVERTED + 1; i < REASONS; i++)
		if (import->count[i] > 0)
			fprintf(import->out, "#   %zu: %s\n", import->count[i], reasons[i]);
}

// ---- Files ----------------------------------------------------------------------------------

// A file beside another one. What else its path says is of the machine that PAL runs on.
static void
add_parent(struct import *import, const char *child, const char *parent)
{
	const char *slash = strrchr(child, '/');
	int folder = slash != NULL ? (int)(slash - child) + 1 : 0;
	const char *name = parent + strlen(parent);
	char *path = import->files[import->n_files];

	while (name > parent && name[-1] != '/' && name[-1] != '\\')
		name--;
	if (import->n_files == FILES ||
	    snprintf(path, FILE_NAME, "%.*s%s", folder, child, name) >= FILE_NAME) {
		say(0, "%s: it inherits from %s too, which is not read", child, parent);
		return;
	}
	for (size_t i = 0; i < import->n_files; i++)
		if (strcmp(import->files[i], path) == 0)
			return;
	import->n_files++;
}

// PAL takes the thresholds of the files that a file inherits from as its own. One that cannot be read is named.
static int
read_files(struct import *import, const char *name)
{
	int status = snprintf(import->files[0], FILE_NAME, "%s", name) < FILE_NAME
			     ? EXIT_DONE
			     : say(EXIT_USAGE, "rules: the name is too long");

	import->n_files = 1;
	for (size_t i = 0; status == EXIT_DONE && i < import->n_files; i++) {
		const char *file = import->files[i];

		import->has_begun = false;
		status = pal_read(file, convert, import, &import->file);
		if (status != EXIT_DONE && i > 0) {
			status = say(EXIT_DONE,
				     "%s inherits from %s: its thresholds are not among these",
				     name, file);
			continue;
		}
		for (size_t k = 0; status == EXIT_DONE && k < import->file.n_parents; k++)
			add_parent(import, file, import->file.parents[k]);
	}
	return status;
}

int
rules_import(const char *name)
{
	char *text = NULL;
	size_t len = 0;
	struct import *import = calloc(1, sizeof(*import));
	int status = EXIT_DONE;

	if (import != NULL) {
		import->out = text_stream_open(&text, &len);
		import->names = calloc(RULES_MOST, sizeof(*import->names));
		import->files = calloc(FILES + 1, sizeof(*import->files));
	}
	if (import == NULL || import->out == NULL || import->names == NULL || import->files == NULL)
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		status = read_files(import, name);
	if (status == EXIT_DONE)
		print_summary(import);
	if (import != NULL && import->out != NULL && !text_stream_close(import->out, &text) &&
	    status == EXIT_DONE)
		status = say(EXIT_FAILED, "not enough memory");
	if (status == EXIT_DONE)
		out_exact(stdout, (struct pmon_span){text, len});
	free(text);
	if (import != NULL) {
		free(import->names);
		free(import->files);
	}
	free(import);
	return status;
}
