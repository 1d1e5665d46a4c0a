// main.c - from a command line to its verb
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/help.h"
#include "cli/input/logs.h"
#include "cli/input/notices.h"
#include "cli/output/say.h"
#include "cli/process/memory.h"
#include "cli/process/sandbox.h"
#include "cli/process/signals.h"
#include "cli/verbs/help.h"
#include "cli/verbs/verbs.h"
#include "os/limit.h"
#include "os/term.h"

#define VERSION PMON_VERSION_TEXT

static bool
wants_colors(const struct args *args)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (args->color != COLOR_AUTO)
		return args->color == COLOR_ALWAYS;
	return pmon_term_is_tty(true) && (no_color == NULL || no_color[0] == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

// These have a network, which the sandbox forbids. Another process parses logs for them (logs_apart.c).
static bool
has_network(const struct verb *verb, const struct args *args)
{
	return (verb->traits & VERB_NETWORK) != 0 && !args_flag(args, "--dry-run");
}

static bool
has_option(const struct verb *verb, const char *name)
{
	return option_find(verb->options, name, strlen(name)) != OPTION_NONE;
}

// Logs come from anywhere and are not trusted. Live sampling reads this machine only, and needs all of it.
static void
enter_sandbox(const struct verb *verb, const struct args *args)
{
	const char *output = args->output;
	bool cache = has_option(verb, "--no-cache") && !args_flag(args, "--no-cache");

	// Of standard input nothing is kept, so that the folder need not be made.
	if (args->operands.n == 1 && strcmp(args->operands.list[0], "-") == 0)
		cache = false;
	if (!has_option(verb, "--no-sandbox") || args->no_sandbox || args->operands.n == 0 ||
	    has_network(verb, args))
		return;
	if (output == NULL && (verb->traits & VERB_WRITES_HERE) != 0)
		output = "."; // a page without a name is written here
	sandbox_enter(args, output, cache);
}

static int
run(const struct verb *verb, int n, char *const *words)
{
	struct args args;
	int status;

	if (verb->run_words != NULL)
		return verb->run_words(verb, n, words);
	status = args_parse(&args, verb, verbs, n, words);
	if (status == EXIT_DONE && args.help)
		status = help_print(verb);
	else if (status == EXIT_DONE) {
		out_use_colors(wants_colors(&args));
		out_use_raw_names(args.raw_names);
		status = verb->load != NULL ? verb->load(&args) : EXIT_DONE;
		if (status == EXIT_DONE) {
			enter_sandbox(verb, &args);
			status = verb->run(&args);
		}
	}
	args_free(&args);
	return status;
}

// The first word that is an option other than --tz and --color, with which two verbs can be run.
static const char *
option_of_a_verb(int n, char *const *words)
{
	for (int i = 0; i < n && strcmp(words[i], "--") != 0; i++) {
		if (strcmp(words[i], "--tz") == 0 || strcmp(words[i], "--color") == 0)
			i++;
		else if (words[i][0] == '-' && words[i][1] != '\0' &&
			 strncmp(words[i], "--tz=", 5) != 0 &&
			 strncmp(words[i], "--color=", 8) != 0)
			return words[i];
	}
	return NULL;
}

// `pmon FILE...`: what it is, then what is in it. Of standard input the latter alone.
static int
run_newcomer(int n, char *const *words)
{
	const char *option = option_of_a_verb(n, words);
	int status;

	if (option != NULL && (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0))
		return help_program();
	if (option != NULL)
		return say(EXIT_USAGE, "%s: name a verb before the file, as in pmon stats %s %s",
			   option, words[0], option);
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], "-") == 0) // can be read only once
			return run(verb_named("stats"), n, words);
	status = run(verb_named("info"), n, words);

	if (status != EXIT_DONE && status != EXIT_DAMAGED)
		return status;
	putchar('\n');
	fflush(stdout);
	notices_mute_known();
	return run(verb_named("stats"), n, words);
}

static bool
is_file(const char *word)
{
	FILE *file;

	if (strcmp(word, "-") == 0)
		return true;
	file = fopen(word, "rb");
	if (file != NULL)
		fclose(file);
	return file != NULL || strpbrk(word, "./\\") != NULL;
}

static int
dispatch(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/');
	const struct verb *verb = verb_named(slash != NULL ? slash + 1 : argv[0]);

	// Under the name of a verb of its own, as by a link: relog.
	if (verb != NULL && verb->run_words != NULL)
		return run(verb, argc - 1, argv + 1);
	if (argc < 2) {
		(void)help_program();
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help_program();
	if (strcmp(argv[1], "--version") == 0) {
		printf("pmon " VERSION "\n");
		return EXIT_DONE;
	}
	verb = verb_named(argv[1]);
	if (verb != NULL)
		return run(verb, argc - 2, argv + 2);
	if (is_file(argv[1]))
		return run_newcomer(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return say(EXIT_USAGE,
			   "%s: options follow the verb, as in pmon stats %s; see pmon --help",
			   argv[1], argv[1]);
	return help_unknown(argv[1], " and no file of that name");
}

// A file that was opened as descriptor 1 would get what is printed. What is written to a descriptor that was
// closed fails as it would have.
static void
reserve_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// Some file systems report only here that the disk is full.
static int
close_stdout(int status)
{
	if (fclose(stdout) == 0 || status == EXIT_FAILED)
		return status;
	return say(EXIT_FAILED, "cannot write the output: %s", strerror(errno));
}

int
main(int argc, char **argv)
{
	reserve_descriptors();
	signals_begin();
	memory_begin();
	pmon_os_raise_open_files(); // that a sample need not open the files of each process again
	return close_stdout(out_check_stdout(memory_check(dispatch(argc, argv))));
}
