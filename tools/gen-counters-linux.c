// gen-counters-linux.c - the tables of docs/reference/counters-linux.md, from the library's own
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include <pmon/live.h>

// Text of a cell: what Markdown would take for its own is escaped.
static void
put_cell(const char *text)
{
	printf(" ");
	for (; *text != '\0'; text++) {
		if (strchr("|*<\\", *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
	printf(" |");
}

static void
put_object(const struct pmon_live_counter *counter)
{
	printf("### %s\n\n%s", counter->object, counter->object_help);
	if (!counter->instances)
		printf(" It has no instances.");
	if (counter->on_request)
		printf(" It is sampled only when it is named without wildcards, as in "
		       "`-c '\\%s%s\\*'`.",
		       counter->object, counter->instances ? "(*)" : "");
	printf("\n\n| Counter | Type | Scale | Unit | From | On Windows | Meaning |\n"
	       "|---|---|---|---|---|---|---|\n");
}

// The default scale is an exponent of ten: what is shown on a scale from 0 to 100 is multiplied by it.
static void
put_scale(int scale)
{
	if (scale == 0)
		printf(" 1 |");
	else
		printf(" 10^%d |", scale);
}

static void
put_counter(const struct pmon_live_counter *counter)
{
	const char *windows = strcmp(counter->windows, "=") == 0 ? "the same"
			      : counter->windows[0] == '\0'	? "none"
								: counter->windows;

	printf("| `%s` | %s |", counter->counter, pmon_type_by_word(counter->type)->name);
	put_scale(counter->default_scale);
	put_cell(counter->unit[0] != '\0' ? counter->unit : "-");
	put_cell(counter->from);
	put_cell(windows);
	put_cell(counter->help);
	printf("\n");
}

int
main(void)
{
	struct pmon_live_counter counter;
	const char *object = "";

	for (size_t i = 0; pmon_live_counter_at(i, &counter); i++) {
		if (strcmp(counter.object, object) != 0) {
			if (i > 0)
				printf("\n");
			put_object(&counter);
		}
		object = counter.object;
		put_counter(&counter);
	}
	return ferror(stdout) != 0;
}
