// gen-counters-linux.c - the tables of docs/reference/counters-linux.md, from the library's own
// SPDX-License-Identifier: MIT

#include <stdbool.h>
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

// Words in lines of at most 80 columns.
static void
put_words(const char *text, size_t *column)
{
	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		bool fits = *column + 1 + len <= 80;

		printf("%s%.*s", *column == 0 ? "" : fits ? " " : "\n", (int)len, text);
		*column = *column == 0 ? len : fits ? *column + 1 + len : len;
		text += len;
		text += strspn(text, " ");
	}
}

static void
put_object(const struct pmon_live_counter *counter)
{
	char example[200];
	size_t column = 0;

	printf("### %s\n\n", counter->object);
	put_words(counter->object_help, &column);
	if (!counter->instances)
		put_words("It has no instances.", &column);
	if (counter->on_request) {
		put_words("It is sampled only when it is named without wildcards, as in", &column);
		(void)snprintf(example, sizeof(example), "`-c '\\%s%s\\*'`.", counter->object,
			       counter->instances ? "(*)" : "");
		put_words(example, &column);
	}
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
