// gen-counters-doc.c - the tables of docs/reference/counters.md, from the library's own
// SPDX-License-Identifier: MIT
//
//	gen-counters-doc types | statuses

#include <stdio.h>
#include <string.h>

#include <pmon/counter.h>

static const char *
or_dash(const char *text)
{
	return text != NULL && text[0] != '\0' ? text : "-";
}

// A formula between backquotes.
static void
put_code(const char *text)
{
	if (text[0] != '\0')
		printf(" `%s` |", text);
	else
		printf(" - |");
}

static const char *
second_text(enum pmon_second second)
{
	switch (second) {
	case PMON_SECOND_NONE:
		return "-";
	case PMON_SECOND_PERFTIME:
		return "D: performance clock";
	case PMON_SECOND_100NS:
		return "D: 100 ns clock";
	case PMON_SECOND_OBJECT:
		return "D: the object's clock";
	case PMON_SECOND_BASE:
		return "B: the base";
	case PMON_SECOND_TIMESTAMP:
		return "D: the time stamp";
	}
	return "-";
}

static void
print_arithmetic(void)
{
	printf("| Word | Type | Value | Average | Unit | Base that follows | Second value |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		printf("| `0x%08X` | %s |", (unsigned)type->word, type->name);
		put_code(type->formula_text);
		put_code(type->average_text);
		printf(" %s | %s | %s |\n", or_dash(type->unit), or_dash(type->base_name),
		       second_text(type->second));
	}
}

static void
print_sources(void)
{
	printf("\n| Type | What it is | Source | Note |\n|---|---|---|---|\n");
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		printf("| %s", type->name);
		if (type->alias != NULL)
			printf(" (%s)", type->alias);
		if (type->dotnet != NULL)
			printf("; .NET: %s", type->dotnet);
		printf(" | %s", type->meaning);
		if (type->numerator[0] != '\0')
			printf(" N: %s.", type->numerator);
		printf(" | %s | %s |\n", type->source, or_dash(type->note));
	}
}

static void
print_statuses(void)
{
	printf("| Status | Meaning | Number | PDH code |\n|---|---|---|---|\n");
	for (unsigned i = 0; i < PMON_V_COUNT; i++) {
		enum pmon_vstat status = (enum pmon_vstat)i;

		printf("| `%s` | %s | %s | `0x%08X` |\n", pmon_vstat_name(status),
		       pmon_vstat_text(status), pmon_vstat_has_value(status) ? "yes" : "none",
		       (unsigned)pmon_vstat_pdh(status));
	}
}

int
main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (strcmp(what, "types") == 0) {
		print_arithmetic();
		print_sources();
	} else if (strcmp(what, "statuses") == 0) {
		print_statuses();
	} else {
		fprintf(stderr, "usage: gen-counters-doc types | statuses\n");
		return 2;
	}
	return ferror(stdout) != 0;
}
