// main.c - from a command line to its verb
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "cli/output/say.h"
#include "cli/process/process.h"
#include "cli/verbs/help.h"
#include "cli/verbs/run.h"
#include "cli/verbs/verbs.h"
#include "os/dir.h"

static int
dispatch(int argc, char **argv)
{
	const struct verb *verb = verb_named(pmon_os_name(argv[0]));

	// Under the name of a verb of its own, as by a link: relog.
	if (verb != NULL && verb->run_words != NULL)
		return verb_run(verb, argc - 1, argv + 1);
	if (argc < 2) {
		(void)help_program();
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help_program();
	if (strcmp(argv[1], "--version") == 0) {
		printf("pmon " PMON_VERSION_TEXT "\n");
		return EXIT_DONE;
	}
	verb = verb_named(argv[1]);
	if (verb != NULL)
		return verb_run(verb, argc - 2, argv + 2);
	if (verb_is_file(argv[1]))
		return verb_run_file(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return say(EXIT_USAGE,
			   "%s: options follow the verb, as in pmon stats %s; see pmon --help",
			   argv[1], argv[1]);
	return help_unknown(argv[1], " and no file of that name");
}

int
main(int argc, char **argv)
{
	argv = process_begin(&argc, argv);
	return process_end(dispatch(argc, argv));
}
