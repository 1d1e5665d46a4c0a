// explain_text.c - explanations as text
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/text.h"
#include "shell/output/explain_text.h"
#include "shell/output/out.h"

static void
heading(FILE *out, const char *name)
{
	fprintf(out, "  %s%-9s%s ", out_style(STYLE_DIM), name, out_style(STYLE_OFF));
}

static void
print_lines(FILE *out, const char *name, const struct pmon_explain_line *lines, size_t n)
{
	size_t width = 0;
	size_t text_width = 0; // of texts that are followed by something

	for (size_t i = 0; i < n; i++) {
		width = strlen(lines[i].name) > width ? strlen(lines[i].name) : width;
		if (lines[i].what[0] != '\0' && strlen(lines[i].text) > text_width)
			text_width = strlen(lines[i].text);
	}
	for (size_t i = 0; i < n; i++) {
		heading(out, i == 0 ? name : "");
		if (lines[i].what[0] != '\0')
			fprintf(out, "%-*s = %-*s   %s%s%s\n", (int)width, lines[i].name,
				(int)text_width, lines[i].text, out_style(STYLE_DIM), lines[i].what,
				out_style(STYLE_OFF));
		else
			fprintf(out, "%-*s = %s\n", (int)width, lines[i].name, lines[i].text);
	}
}

static void
print_text(FILE *out, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	heading(out, name);
	fprintf(out, "%s\n", text);
}

// All digits; for HEX types also hexadecimal: "0x1F (31)".
static void
put_number(struct pmon_text *t, const struct pmon_explanation *why)
{
	char hex[PMON_HEX_SIZE];
	bool as_hex = pmon_type_is_hex(why->type) && pmon_hex_text(why->value.value, hex) > 0;

	if (as_hex) {
		pmon_text_str(t, hex);
		pmon_text_str(t, " (");
	}
	pmon_text_double(t, why->value.value);
	if (as_hex)
		pmon_text_char(t, ')');
}

static void
print_value(FILE *out, const struct pmon_explanation *why)
{
	char exact[48];
	struct pmon_text t = pmon_text_init(exact, sizeof(exact));

	heading(out, "value");
	if (pmon_vstat_has_value(why->value.status)) {
		put_number(&t, why);
		fprintf(out, "%s%s%s%s%s\n", out_style(STYLE_BOLD), exact,
			why->unit[0] != '\0' ? " " : "", why->unit, out_style(STYLE_OFF));
	} else {
		fprintf(out, "none\n");
	}
	heading(out, "status");
	fprintf(out, "%s: %s", pmon_vstat_name(why->value.status), why->status_text);
	if (why->value.policy != PMON_POLICY_DEFAULT)
		fprintf(out, " (by the %s policy)", pmon_policy_name(why->value.policy));
	putc('\n', out);
}

void
explain_print(FILE *out, const char *title, const struct pmon_explanation *why)
{
	char word[16];
	struct pmon_text t = pmon_text_init(word, sizeof(word));

	if (title != NULL)
		fprintf(out, "%s%s%s\n", out_style(STYLE_BOLD), title, out_style(STYLE_OFF));
	print_value(out, why);
	pmon_text_hex32(&t, why->word);
	heading(out, "type");
	if (why->type == NULL && why->is_displayed)
		fprintf(out, "unknown; specify it with --known-types FILE\n");
	else
		fprintf(out, "%s  %s\n", why->type != NULL ? why->type->name : "unknown", word);
	print_text(out, "", why->type != NULL ? why->type->meaning : NULL);
	if (why->type == NULL && !why->is_displayed)
		fprintf(out, "            pmon types %s shows its fields.\n", word);
	print_text(out, "formula", why->formula);
	print_lines(out, "where", why->operands, why->n_operands);
	print_text(out, "so", why->with_operands);
	print_lines(out, "steps", why->steps, why->n_steps);
	print_text(out, "source", why->source);
	print_text(out, "note", why->note);
}
