// import.c - pmon rules import: convert thresholds of PAL to rules
// SPDX-License-Identifier: MIT
//
// A call of StaticThreshold with an operator and a number becomes a rule, and so does code of a known form (forms.h).
// Everything else is PowerShell: it becomes a comment with the reason, and is counted. Warning and critical of one
// analysis are one rule.

#include "base/text.h"
#include "verbs/rules/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "verbs/rules/forms.h"
#include "verbs/rules/pal.h"
#include "base/num.h"
#include "base/utf.h"
#include "shell/args/words.h"
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
#define ITEMS     64  // thresholds of one analysis that wait for others of the same counter
#define QUESTIONS 256 // of all files

// A threshold that is a rule, or half of one. The sources are those of the analysis that is read.
struct item {
	const struct pal_source *source;
	const struct pal_source *made; // computed from it; NULL: it is the counter itself
	const struct pal_source *of;   // limits are in percent of it; NULL: they are not
	bool is_of_memory;             // limits are in percent of the memory
	bool is_per_processor;
	bool is_with_work; // judged while `of` is more than 1
	bool is_trend;
	bool is_critical;
	bool is_off;
	bool is_printed;
	double times;
	double limit;
	const char *operator;
	char name[PAL_NAME];
	char note[160]; // what is not in the rule
};

struct import {
	FILE *out;                // in memory: nothing is printed before the whole file was read
	char (*names)[RULE_NAME]; // of the rules so far
	size_t n_names;
	size_t count[REASONS];
	bool has_begun;           // the file that is read
	char (*files)[FILE_NAME]; // read, and still to read
	size_t n_files;
	bool is_missing[FILES + 1];
	struct pal_file file;
	struct item *items;
	size_t n_items;
	char *code; // squeezed
	const struct words *answers;
	struct pal_question *questions;
	size_t n_questions;
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
source_of(const struct pal_threshold *t, struct pmon_span variable)
{
	for (size_t i = 0; i < t->n_sources; i++)
		if (is(variable, t->sources[i].variable))
			return &t->sources[i];
	return NULL;
}

// The source, if it is a counter. One whose path is too long is one, too.
static const struct pal_source *
counter_of(const struct pal_threshold *t, struct pmon_span variable)
{
	const struct pal_source *source = source_of(t, variable);
	struct pmon_path pattern;
	struct pmon_path_error why;

	if (source == NULL || source->is_generated)
		return NULL;
	return source->is_cut || pmon_pattern_parse(
					 (struct pmon_span){source->path, strlen(source->path)},
					 &pattern, &why)
		       ? source
		       : NULL;
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
name_rule(struct import *import, const char *analysis, const char *threshold)
{
	char *name = import->names[import->n_names];
	char both[2 * PAL_NAME + 3];
	char base[RULE_NAME - 16];

	(void)snprintf(both, sizeof(both), "%s: %s", analysis, threshold);
	clean(base, sizeof(base), both);
	for (char *at = base; *at != '\0'; at++)
		*at = *at == '[' ? '(' : *at == ']' ? ')' : *at;
	(void)snprintf(name, RULE_NAME, "%s", base);
	for (int i = 2; is_used(import, name); i++)
		(void)snprintf(name, RULE_NAME, "%s (%d)", base, i);
	import->n_names++;
}

static void
print_limit(const struct import *import, const struct item *item)
{
	const char *unit = item->of != NULL || item->is_of_memory ? "%" : "";

	if (item->is_trend)
		fprintf(import->out, "trend = %s %.15g/h for 1h\n", item->operator, item->limit);
	else
		fprintf(import->out, "%s = %s %.15g%s\n",
			item->is_critical ? "critical" : "warning", item->operator, item->limit,
			unit);
}

static bool
is_excepted(const struct pal_source *source, const char *instance)
{
	for (size_t i = 0; i < source->n_excepts; i++)
		if (strcmp(source->excepts[i], instance) == 0)
			return true;
	return false;
}

static void
print_counters(const struct import *import, const struct item *item)
{
	const struct pal_source *made = item->made;

	print_key(import, "counter", item->source->path);
	for (size_t i = 0; i < item->source->n_excepts; i++)
		print_key(import, "except", item->source->excepts[i]);
	for (size_t i = 0; made != NULL && i < made->n_excepts; i++)
		if (!is_excepted(item->source, made->excepts[i]))
			print_key(import, "except", made->excepts[i]);
	if (item->of != NULL)
		print_key(import, "of", item->of->path);
	if (item->is_of_memory) {
		print_key(import, "of", "\\Memory\\Total Bytes");
		print_key(import, "of", "\\NUMA Node Memory(_Total)\\Total MBytes");
	}
	if (item->times != 1)
		fprintf(import->out, "times = %.15g\n", item->times);
}

// other: the critical limit of the same, NULL if there is none.
static void
print_rule(struct import *import, const struct pal_file *file, const struct pal_threshold *t,
	   const struct item *item, const struct item *other)
{
	char text[4 * PAL_NAME];

	name_rule(import, t->analysis, item->name);
	clean(text, sizeof(text), item->note);
	fprintf(import->out, "\n%s%s%s%s%s[%s]\n",
		item->is_off ? "# This analysis is disabled in the file.\n" : "",
		item->is_trend && item->is_critical
			? "# Critical in the file; trends are always warnings.\n"
			: "",
		text[0] != '\0' ? "# " : "", text, text[0] != '\0' ? "\n" : "",
		import->names[import->n_names - 1]);
	print_counters(import, item);
	print_limit(import, item);
	if (other != NULL)
		print_limit(import, other);
	if (item->is_per_processor)
		print_key(import, "per", "processor");
	if (item->is_with_work) {
		(void)snprintf(text, sizeof(text), "%s > 1", item->of->path);
		print_key(import, "while", text);
	}
	print_key(import, "text", item->name);
	if (other != NULL && strcmp(other->name, item->name) != 0) {
		(void)snprintf(text, sizeof(text), "Critical: %s", other->name);
		print_key(import, "text", text);
	}
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

// The answer on the command line, else the default of the file; NULL if no file asks the question.
static const char *
answer_of(const struct import *import, struct pmon_span question, bool *is_given)
{
	for (size_t i = 0; i < import->answers->n; i++) {
		const char *answer = import->answers->list[i];
		size_t len = strcspn(answer, "=");

		*is_given = true;
		if (pmon_text_same(question, (struct pmon_span){answer, len}))
			return answer + len + 1;
	}
	*is_given = false;
	for (size_t i = 0; i < import->n_questions; i++)
		if (is(question, import->questions[i].name))
			return import->questions[i].answer;
	return NULL;
}

// Rounds half to even, as PowerShell's [Int] does.
static bool
whole_of(const char *answer, double *out)
{
	if (answer == NULL ||
	    !pmon_num_parse_double((struct pmon_span){answer, strlen(answer)}, out))
		return false;
	*out = rint(*out);
	return true;
}

// A share of the memory: in percent, or of the size if the command line has it.
static bool
limit_of_memory(const struct import *import, const struct form *form, struct item *item)
{
	bool is_given;
	double gb;
	const char *answer = answer_of(import, PMON_SPAN("PhysicalMemory"), &is_given);

	if (!is_given) {
		item->is_of_memory = true;
		item->limit *= 100;
		if (form->limit == FORM_MEMORY_FLOOR)
			(void)snprintf(item->note, sizeof(item->note),
				       "PAL takes at least 64 MB; --answer PhysicalMemory=GB "
				       "does, too.");
		return true;
	}
	if (!whole_of(answer, &gb))
		return false;
	item->limit *= gb * (form->limit == FORM_MEMORY ? 0x1p30 : 1024);
	if (form->limit == FORM_MEMORY_FLOOR)
		item->limit = fmax(item->limit, 64);
	return true;
}

static bool
limit_of_answer(const struct import *import, const struct form *form, struct item *item)
{
	bool is_given;
	double number;
	const char *answer = answer_of(import, form->question, &is_given);

	if (answer == NULL)
		return false;
	if (form->limit == FORM_CHOICE) {
		if (strcasecmp(answer, "True") != 0 && !number_of(form->other, &item->limit))
			return false;
	} else if (form->limit == FORM_SYSTEM) {
		item->limit *= strncmp(answer, "32", 2) == 0 ? 0x1p31 : 0x1p43;
	} else {
		if (!whole_of(answer, &number))
			return false;
		item->limit *= form->limit == FORM_FALL ? -number : number;
		item->is_trend = form->limit == FORM_FALL;
	}
	(void)snprintf(item->note, sizeof(item->note),
		       "By the answer \"%.60s\" to PAL's question %.*s (--answer).", answer,
		       (int)form->question.len, form->question.ptr);
	return true;
}

// The limit, by the form of the code.
static bool
compute_limit(const struct import *import, const struct pal_threshold *t, const struct form *form,
	      struct item *item)
{
	const struct pal_source *processors;

	if (!number_of(form->number, &item->limit))
		return false;
	switch (form->limit) {
	case FORM_PLAIN:
		return true;
	case FORM_MEMORY_MB:
	case FORM_MEMORY_FLOOR:
	case FORM_MEMORY:
		return limit_of_memory(import, form, item);
	case FORM_PROCESSORS:
		processors = source_of(t, form->processors);
		item->is_per_processor = true;
		return processors != NULL &&
		       strcmp(processors->path, "\\Processor(*)\\% Processor Time") == 0;
	case FORM_ANSWER:
	case FORM_FALL:
	case FORM_CHOICE:
	case FORM_SYSTEM:
		break;
	}
	return limit_of_answer(import, form, item);
}

// The code without spaces and comments, until the next one.
static const char *
squeezed(const struct import *import, const char *code)
{
	(void)snprintf(import->code, PAL_CODE, "%s", code);
	form_squeeze(import->code);
	return import->code;
}

// > becomes <, because PAL compares 100 % minus the ratio.
static const char *
turned(const char *operator)
{
	return strcmp(operator, ">") == 0    ? "<"
	       : strcmp(operator, ">=") == 0 ? "<="
	       : strcmp(operator, "<") == 0  ? ">"
					     : ">=";
}

// The counter, or those that it is computed from.
static bool
find_sources(const struct import *import, const struct pal_threshold *t, struct pmon_span variable,
	     struct item *item)
{
	struct form_ratio ratio;

	item->source = counter_of(t, variable);
	if (item->source != NULL)
		return true;
	item->made = source_of(t, variable);
	if (item->made == NULL || item->is_of_memory || item->is_per_processor || item->is_trend ||
	    !form_ratio_of(squeezed(import, item->made->code), &ratio))
		return false;
	item->source = counter_of(t, ratio.value);
	item->of = counter_of(t, ratio.of);
	item->times = ratio.times;
	item->is_with_work = ratio.is_with_work;
	item->limit *= ratio.percent;
	if (ratio.is_rest) {
		item->limit = 100 - item->limit;
		item->operator= turned(item->operator);
	}
	return item->source != NULL && item->of != NULL;
}

static enum reason
judge(const struct import *import, const struct pal_threshold *t, struct item *item)
{
	struct call call;
	struct form form = {.limit = FORM_PLAIN};
	char variable[PAL_NAME];
	bool is_call = parse_call(t->code, &call);

	*item = (struct item){.times = 1, .is_off = t->is_off};
	(void)snprintf(item->name, sizeof(item->name), "%s", t->name);
	item->is_critical = strcasecmp(t->condition, "Critical") == 0;
	if (is_call) {
		form.collection =
			(struct pmon_span){call.collection.ptr + 1, call.collection.len - 1};
		form.operator= call.operator;
		form.number = call.limit;
		item->is_trend = call.is_trend;
	} else if (!form_of(squeezed(import, t->code), &form)) {
		return POWERSHELL;
	}
	if (!compute_limit(import, t, &form, item))
		return COMPUTED_LIMIT;
	item->operator= operator_of(form.operator);
	if (item->operator== NULL)
		return OPERATOR;
	// The code of the form is overwritten by that of the source.
	(void)snprintf(variable, sizeof(variable), "%.*s", (int)form.collection.len,
		       form.collection.ptr);
	if (!find_sources(import, t, (struct pmon_span){variable, strlen(variable)}, item))
		return NO_COUNTER;
	if (item->source->is_cut || (item->of != NULL && item->of->is_cut) ||
	    (item->made != NULL && item->made->is_cut))
		return CUT;
	if (strcasecmp(t->condition, "Warning") != 0 && !item->is_critical)
		return SEVERITY;
	return import->n_names + import->n_items < RULES_MOST ? CONVERTED : TOO_MANY;
}

// Are they the warning and the critical limit of the same?
static bool
is_pair(const struct item *warning, const struct item *critical)
{
	bool is_above = critical->operator[0] == '>';

	return !warning->is_critical && !warning->is_printed && critical->is_critical &&
	       !critical->is_printed && !warning->is_trend && !critical->is_trend &&
	       warning->source == critical->source && warning->made == critical->made &&
	       warning->is_of_memory == critical->is_of_memory &&
	       warning->is_per_processor == critical->is_per_processor &&
	       warning->operator[0] == critical->operator[0] &&
		       strcmp(warning->note, critical->note) == 0 &&
	       (is_above ? critical->limit >= warning->limit : critical->limit <= warning->limit);
}

// The rules of an analysis, in the order of its thresholds.
static void
end_analysis(void *ctx, const struct pal_file *file, const struct pal_threshold *t)
{
	struct import *import = ctx;

	for (size_t i = 0; i < import->n_items; i++) {
		struct item *item = &import->items[i];
		struct item *other = NULL;

		for (size_t k = 0; k < import->n_items && other == NULL; k++)
			if (is_pair(item, &import->items[k]))
				other = &import->items[k];
		for (size_t k = i + 1; k < import->n_items && other == NULL; k++)
			if (is_pair(&import->items[k], item)) {
				other = item;
				item = &import->items[k];
			}
		if (item->is_printed)
			continue;
		print_rule(import, file, t, item, other);
		item->is_printed = true;
		if (other != NULL)
			other->is_printed = true;
	}
	import->n_items = 0;
}

static void
convert(void *ctx, const struct pal_file *file, const struct pal_threshold *t)
{
	struct import *import = ctx;
	enum reason reason;
	char text[2 * PAL_NAME + 3];

	if (import->n_items == ITEMS)
		end_analysis(import, file, t);
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
	reason = judge(import, t, &import->items[import->n_items]);
	import->count[reason]++;
	if (reason == CONVERTED)
		import->n_items++;
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

// The first one that asks has the default answer.
static void
add_questions(struct import *import)
{
	for (size_t i = 0; i < import->file.n_questions && import->n_questions < QUESTIONS; i++) {
		const struct pal_question *question = &import->file.questions[i];
		bool is_known = false;

		for (size_t k = 0; k < import->n_questions; k++)
			is_known =
				is_known || strcmp(question->name, import->questions[k].name) == 0;
		if (!is_known)
			import->questions[import->n_questions++] = *question;
	}
}

// PAL takes the thresholds of the files that a file inherits from as its own. One that cannot be read is named.
static int
find_files(struct import *import, const char *name)
{
	static const struct pal_calls nothing = {NULL, NULL};
	int status = snprintf(import->files[0], FILE_NAME, "%s", name) < FILE_NAME
			     ? EXIT_DONE
			     : say(EXIT_USAGE, "rules: the name is too long");

	import->n_files = 1;
	for (size_t i = 0; status == EXIT_DONE && i < import->n_files; i++) {
		const char *file = import->files[i];

		status = pal_read(file, &nothing, NULL, &import->file);
		if (status != EXIT_DONE && i > 0) {
			status = say(EXIT_DONE,
				     "%s inherits from %s: its thresholds are not among these",
				     name, file);
			import->is_missing[i] = true;
			continue;
		}
		if (status == EXIT_DONE)
			add_questions(import);
		for (size_t k = 0; status == EXIT_DONE && k < import->file.n_parents; k++)
			add_parent(import, file, import->file.parents[k]);
	}
	return status;
}

// Each answer must be one to a question.
static int
check_answers(const struct import *import, const char *name)
{
	for (size_t i = 0; i < import->answers->n; i++) {
		const char *answer = import->answers->list[i];
		struct pmon_span asked = {answer, strcspn(answer, "=")};
		bool is_known = false;

		if (answer[asked.len] == '\0')
			return say(EXIT_USAGE, "rules: --answer %s: expected NAME=ANSWER", answer);
		for (size_t k = 0; k < import->n_questions; k++)
			is_known = is_known || is(asked, import->questions[k].name);
		if (!is_known)
			return say(EXIT_USAGE, "rules: --answer %s: %s does not ask this", answer,
				   name);
	}
	return EXIT_DONE;
}

static int
read_files(struct import *import, const char *name)
{
	static const struct pal_calls calls = {convert, end_analysis};
	int status = find_files(import, name);

	if (status == EXIT_DONE)
		status = check_answers(import, name);
	for (size_t i = 0; status == EXIT_DONE && i < import->n_files; i++) {
		import->has_begun = false;
		import->n_items = 0;
		if (!import->is_missing[i])
			status = pal_read(import->files[i], &calls, import, &import->file);
	}
	return status;
}

int
rules_import(const char *name, const struct words *answers)
{
	char *text = NULL;
	size_t len = 0;
	struct import *import = calloc(1, sizeof(*import));
	int status = EXIT_DONE;

	if (import != NULL) {
		import->out = text_stream_open(&text, &len);
		import->names = calloc(RULES_MOST, sizeof(*import->names));
		import->files = calloc(FILES + 1, sizeof(*import->files));
		import->items = calloc(ITEMS, sizeof(*import->items));
		import->code = malloc(PAL_CODE);
		import->questions = calloc(QUESTIONS, sizeof(*import->questions));
		import->answers = answers;
	}
	if (import == NULL || import->out == NULL || import->names == NULL ||
	    import->files == NULL || import->items == NULL || import->code == NULL ||
	    import->questions == NULL)
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
		free(import->items);
		free(import->code);
		free(import->questions);
	}
	free(import);
	return status;
}
