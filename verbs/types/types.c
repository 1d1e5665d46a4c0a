// types.c - pmon types: list the counter types, or decode a type word
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "shell/args/args.h"
#include "shell/args/groups.h"
#include "shell/args/type.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"

static const struct out_column columns[] = {
	{"word", "Word", 0, OUT_LEFT},       {"name", "Type", 0, OUT_LEFT},
	{"unit", "Unit", 0, OUT_LEFT},       {"formula", "Value", 0, OUT_LEFT},
	{"average", "Average", 0, OUT_LEFT}, {"base", NULL, 0, OUT_LEFT},
	{"meaning", NULL, 0, OUT_LEFT},      {"source", NULL, 0, OUT_LEFT},
	{"note", NULL, 0, OUT_LEFT},         {"dotnet", NULL, 0, OUT_LEFT},
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void
put_word(struct out *out, uint32_t word)
{
	char buf[16];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_text_hex32(&t, word);
	out_str(out, buf);
}

static void
put_or_null(struct out *out, const char *text)
{
	out_str(out, text != NULL && text[0] != '\0' ? text : NULL);
}

static void
put_type(struct out *out, const struct pmon_counter_type *type)
{
	put_word(out, type->word);
	out_str(out, type->name);
	out_str(out, type->unit);
	put_or_null(out, type->formula_text);
	put_or_null(out, type->average_text);
	put_or_null(out, type->base_name);
	out_str(out, type->meaning);
	out_str(out, type->source);
	put_or_null(out, type->note);
	out_str(out, type->dotnet);
}

// Is this one of the types on the command line? If none is named, all are.
static bool
is_named(const struct args *args, const struct pmon_counter_type *type)
{
	uint32_t word;

	for (size_t i = 0; i < args->operands.n; i++)
		if (type_parse(args->operands.list[i], &word) != PMON_TYPE_FORM_NONE &&
		    word == type->word)
			return true;
	return args->operands.n == 0;
}

static int
print_table(const struct args *args)
{
	static const struct clock utc = {.mode = CLOCK_FIXED};
	struct out out;

	out_begin(&out, stdout, args->format, "types", columns, N_COLUMNS, &utc);
	for (size_t i = 0; i < pmon_type_count(); i++)
		if (is_named(args, pmon_type_at(i)))
			put_type(&out, pmon_type_at(i));
	return out_end(&out);
}

static void
line(const char *name, const char *text)
{
	if (text != NULL && text[0] != '\0')
		printf("  %s%-11s%s %s\n", out_style(STYLE_DIM), name, out_style(STYLE_OFF), text);
}

static void
modifiers(const struct pmon_type_fields *f, char *buf, size_t size)
{
	struct pmon_text t = pmon_text_init(buf, size);

	if (f->delta_counter)
		pmon_text_str(&t, " PERF_DELTA_COUNTER");
	if (f->delta_base)
		pmon_text_str(&t, " PERF_DELTA_BASE");
	if (f->inverse)
		pmon_text_str(&t, " PERF_INVERSE_COUNTER");
	if (f->multi)
		pmon_text_str(&t, " PERF_MULTI_COUNTER");
	if (f->histogram)
		pmon_text_str(&t, " histogram");
	if (t.len == 0)
		pmon_text_str(&t, " none");
}

static void
print_fields(uint32_t word)
{
	struct pmon_type_fields f;
	char mods[128];
	char other[64];
	struct pmon_text t = pmon_text_init(other, sizeof(other));

	pmon_type_decode(word, &f);
	modifiers(&f, mods, sizeof(mods));
	line("size", pmon_type_size_name(&f));
	line("type", pmon_type_type_name(&f));
	line("subtype", pmon_type_subtype_name(&f));
	line("timer", pmon_type_timer_name(&f));
	line("modifiers", mods + 1);
	line("display", pmon_type_display_name(&f));
	if (f.ordinal != 0) {
		pmon_text_str(&t, "ordinal ");
		pmon_text_u64(&t, f.ordinal);
	}
	if (f.reserved != 0) {
		pmon_text_str(&t, t.len > 0 ? ", reserved bits " : "reserved bits ");
		pmon_text_hex32(&t, f.reserved);
	}
	line("other", other);
}

static void
print_one_text(uint32_t word, const struct pmon_counter_type *type)
{
	printf("%s%s%s  0x%08X  %lu\n", out_style(STYLE_BOLD),
	       type != NULL ? type->name : "unknown type", out_style(STYLE_OFF), (unsigned)word,
	       (unsigned long)word);
	if (type == NULL) {
		line("meaning", "No counter type has this word. Its fields are shown below; its "
				"values cannot be computed.");
	} else {
		line("also", type->alias);
		line(".NET", type->dotnet);
		line("meaning", type->meaning);
		line("value", type->formula_text);
		line("average", type->average_text);
		line("unit", type->unit);
		line("base", type->base_name);
		line("source", type->source);
		line("note", type->note);
	}
	print_fields(word);
}

static void
print_one_json(struct json *json, uint32_t word, const struct pmon_counter_type *type)
{
	struct pmon_type_fields f;
	char buf[128];
	struct pmon_text t = pmon_text_init(buf, sizeof(buf));

	pmon_type_decode(word, &f);
	pmon_text_hex32(&t, word);
	json_open(json, '{');
	json_key(json, "word"), json_str(json, buf);
	json_key(json, "name"), json_str(json, type != NULL ? type->name : NULL);
	json_key(json, "unit"), json_str(json, type != NULL ? type->unit : NULL);
	json_key(json, "formula"), json_str(json, type != NULL ? type->formula_text : NULL);
	json_key(json, "average"), json_str(json, type != NULL ? type->average_text : NULL);
	json_key(json, "base"), json_str(json, type != NULL ? type->base_name : NULL);
	json_key(json, "meaning"), json_str(json, type != NULL ? type->meaning : NULL);
	json_key(json, "source"), json_str(json, type != NULL ? type->source : NULL);
	json_key(json, "note"), json_str(json, type != NULL ? type->note : NULL);
	json_key(json, "dotnet"), json_str(json, type != NULL ? type->dotnet : NULL);
	modifiers(&f, buf, sizeof(buf));
	json_key(json, "size"), json_str(json, pmon_type_size_name(&f));
	json_key(json, "type"), json_str(json, pmon_type_type_name(&f));
	json_key(json, "subtype"), json_str(json, pmon_type_subtype_name(&f));
	json_key(json, "timer"), json_str(json, pmon_type_timer_name(&f));
	json_key(json, "modifiers"), json_str(json, buf + 1);
	json_key(json, "display"), json_str(json, pmon_type_display_name(&f));
	json_close(json, '}');
}

// The row of a word from the command line: 0x40030500 has two names, so use the given one.
static const struct pmon_counter_type *
row_of(const char *text, uint32_t word)
{
	const struct pmon_counter_type *type =
		pmon_type_by_name((struct pmon_span){text, strlen(text)});

	return type != NULL ? type : pmon_type_by_word(word);
}

static int
print_some_json(const struct args *args)
{
	struct json json = {.stream = stdout};
	uint32_t word;

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "types"), json_open(&json, '[');
	for (size_t i = 0; i < args->operands.n; i++) {
		(void)type_parse(args->operands.list[i], &word);
		print_one_json(&json, word, row_of(args->operands.list[i], word));
	}
	json_close(&json, ']');
	json_close(&json, '}');
	putchar('\n');
	return EXIT_DONE;
}

static int
types_run(const struct args *args)
{
	uint32_t word;
	int status = EXIT_DONE;

	for (size_t i = 0; status == EXIT_DONE && i < args->operands.n; i++)
		status = type_from_text(args->operands.list[i], &word);
	if (status != EXIT_DONE)
		return status;
	if (args->operands.n == 0 || args->format == OUT_CSV)
		return print_table(args);
	if (args->format == OUT_JSON)
		return print_some_json(args);
	for (size_t i = 0; i < args->operands.n; i++) {
		(void)type_parse(args->operands.list[i], &word);
		if (i > 0)
			putchar('\n');
		print_one_text(word, row_of(args->operands.list[i], word));
	}
	return EXIT_DONE;
}

// ---- The verb -----------------------------------------------------------------------------------

static const struct option options[] = {
	GROUP(options_format),
	GROUP(options_color),
	GROUP(options_pager),
	OPTION_END,
};

const struct verb verb_types = {
	.name = "types",
	.operands = "[TYPE...]",
	.summary = "describe counter types: word, formula, average, unit, source",
	.details = "Examples:\n"
		   "  pmon types\n"
		   "  pmon types PERF_100NSEC_TIMER_INV\n"
		   "  pmon types 0x10410400 272696576\n",
	.options = options,
	.run = types_run,
};
