// complete.c - pmon __complete: candidates for shell completion
// SPDX-License-Identifier: MIT

#include "verbs/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmon/pmon.h>

#include "format/format.h"
#include "os/dir.h"
#include "shell/args/args.h"
#include "shell/args/verb.h"
#include "shell/input/logs.h"
#include "shell/output/say.h"
#include "verbs/run.h"

// ---- Lists ----------------------------------------------------------------------------------

static int
put_files(void)
{
	puts(":files");
	return EXIT_DONE;
}

static int
put_folders(void)
{
	puts(":folders");
	return EXIT_DONE;
}

static int
put_verbs(void)
{
	for (size_t i = 0; verb_table[i] != NULL; i++)
		printf("%s\t%s\n", verb_table[i]->name, verb_table[i]->summary);
	return EXIT_DONE;
}

static int
put_types(void)
{
	for (size_t i = 0; i < pmon_type_count(); i++)
		printf("%s\n", pmon_type_at(i)->name);
	return EXIT_DONE;
}

// As relog and typeperf name them.
static int
put_formats(void)
{
	const struct pmon_writer *writer;

	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++)
		printf("%s\n", writer->alias != NULL ? writer->alias : writer->name);
	return EXIT_DONE;
}

// "text|csv|json", one a line.
static int
put_choices(const char *choices)
{
	for (const char *at = choices; *at != '\0'; at++)
		putchar(*at == '|' ? '\n' : *at);
	putchar('\n');
	return EXIT_DONE;
}

// The counters of a log, or of this machine.
static int
put_counters(const char *log)
{
	char *words[] = {(char[]){"--color"}, (char[]){"never"}, (char[]){"--"}, (char *)log};

	return verb_run(verb_named("list"), log != NULL ? 4 : 3, words);
}

static void
put_objects_of(const struct pmon_series *const *series, size_t n)
{
	struct pmon_span last = {NULL, 0};

	for (size_t i = 0; i < n; i++) {
		struct pmon_span object = series[i]->path.object;

		if (!pmon_text_same(object, last))
			printf("%.*s\n", (int)object.len, object.ptr);
		last = object;
	}
}

// The objects of this machine.
static int
put_objects(void)
{
	const struct pmon_series **series = NULL;
	const struct pmon_sample *sample;
	struct logs logs;
	struct request request;
	struct args args;
	size_t n;
	int status = args_parse(&args, verb_named("list"), verb_table, 0, NULL);

	if (status != EXIT_DONE)
		return status;
	request = request_from(&args);
	status = logs_open(&logs, &request);
	while (status == EXIT_DONE && logs_next(&logs, &sample, &status))
		;
	if (status == EXIT_DONE && (series = logs_series(&logs, &n)) == NULL)
		status = EXIT_FAILED;
	if (series != NULL)
		put_objects_of(series, n);
	free(series);
	status = logs_close(&logs, status);
	args_free(&args);
	return status;
}

// ---- Arguments ------------------------------------------------------------------------------

// An incomplete command line.
struct line {
	const struct verb *verb;
	char *const *words; // after the verb; the last one is being typed
	int n;
};

// The first file on the line: counters are completed from it.
static const char *
log_of(const struct line *line)
{
	for (int i = 0; i + 1 < line->n; i++)
		if (pmon_is_regular(line->words[i]))
			return line->words[i];
	return NULL;
}

static int
put_patterns(const struct line *line)
{
	const char *log = log_of(line);

	return log != NULL || line->verb->live != LIVE_NONE ? put_counters(log) : EXIT_DONE;
}

// The completion of an argument, by its name in the help.
static const struct argument {
	const char *name;
	// prints candidates; NULL: use choices, or else the counters of the log
	int (*put)(void);
	const char *choices; // "log|utc"
} arguments[] = {
	{"FILE", put_files, NULL},
	{"FIRST", put_files, NULL},
	{"BEFORE", put_files, NULL},
	{"LOG", put_files, NULL},
	{"DIR", put_folders, NULL},
	{"FOLDER", put_folders, NULL},
	{"FORMAT", put_formats, NULL},
	{"TYPE", put_types, NULL},
	{"VERB", put_verbs, NULL},
	{"OBJECT", put_objects, NULL},
	{"COUNTER", NULL, NULL},
	{"PATTERN", NULL, NULL},
	{"ENCODING", NULL, "UTF-8|CP1252|SHIFT_JIS"},
	{"ZONE", NULL, "log|utc|local"},
	{"KIND", NULL, "line|area|stacked|bar|heatmap"},
	{"URL", NULL,
	 "clickhouse+http://|clickhouse+https://|prometheus+http://|prometheus+https://|"
	 "victoriametrics+http://|victoriametrics+https://|otlp+http://|otlp+https://|"
	 "postgresql://"},
};

// Look up the argument "FILE", "[FILE...]" or the like. NULL if there is no such name.
static const struct argument *
argument_named(const char *text, size_t len)
{
	size_t first = strspn(text, "[");
	size_t end = len;

	while (end > first && strchr(".]", text[end - 1]) != NULL)
		end--;
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		if (strlen(arguments[i].name) == end - first &&
		    strncmp(arguments[i].name, text + first, end - first) == 0)
			return &arguments[i];
	return NULL;
}

static int
put_argument(const struct line *line, const struct argument *argument)
{
	if (argument->put != NULL)
		return argument->put();
	return argument->choices != NULL ? put_choices(argument->choices) : put_patterns(line);
}

static int
put_value(const struct line *line, const struct option *option)
{
	char buf[OPTION_ARG_SIZE];
	const char *arg = option_arg(option, buf);
	const struct argument *argument = argument_named(arg, strlen(arg));

	if (strchr(arg, '|') != NULL)
		return put_choices(arg);
	return argument != NULL ? put_argument(line, argument) : EXIT_DONE;
}

// ---- Options and operands -------------------------------------------------------------------

// The length of the first part of a help text that is meaningful on its own.
static size_t
brief(const char *help)
{
	static const char *const ends[] = {";", " (", ", such", ", or "};
	size_t len = strlen(help);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		const char *end = strstr(help, ends[i]);

		if (end != NULL && (size_t)(end - help) < len)
			len = (size_t)(end - help);
	}
	return len;
}

static void
put_option(const struct option *option)
{
	size_t len = brief(option->help);

	for (size_t i = 0; i < 2 && option->names[i] != NULL; i++)
		printf("%s\t%.*s\n", option->names[i], (int)len, option->help);
}

static int
put_options(const struct verb *verb)
{
	const struct option *option;

	for (size_t i = 0; (option = option_at(verb->options, i)) != NULL; i++)
		put_option(option);
	if (option_find(verb->options, "--help", strlen("--help")) == OPTION_NONE)
		printf("-h\tshow help for the verb\n--help\tshow help for the verb\n");
	return EXIT_DONE;
}

// Complete operands by the usage line, such as "URL [FILE...]": the first known name counts. After
// an option there, it is the option's value, unless more may follow, as in "--replay LOG...".
static int
put_operands(const struct line *line)
{
	const char *at = line->verb->operands;
	bool of_option = false;

	for (size_t len; *at != '\0'; at += len + (at[len] != '\0')) {
		const struct argument *argument;

		len = strcspn(at, " ");
		argument =
			of_option && memchr(at, '.', len) == NULL ? NULL : argument_named(at, len);
		of_option = at[strspn(at, "[")] == '-';
		if (argument != NULL)
			return put_argument(line, argument);
	}
	return EXIT_DONE;
}

int
complete_print(int n, char *const *words)
{
	struct line line = {.n = n - 1, .words = words + 1};
	size_t place = OPTION_NONE;

	if (n < 2) {
		printf("--help\tshow help for pmon\n--version\tprint the version\n");
		put_verbs();
		return put_files();
	}
	line.verb = verb_named(words[0]);
	if (line.verb == NULL)
		line.verb = &verb_file;
	if (n > 2)
		place = option_find(line.verb->options, words[n - 2], strlen(words[n - 2]));
	if (place != OPTION_NONE && option_at(line.verb->options, place)->arg != NULL)
		return put_value(&line, option_at(line.verb->options, place));
	return words[n - 1][0] == '-' ? put_options(line.verb) : put_operands(&line);
}
