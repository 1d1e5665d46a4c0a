// main.c - dispatch a command line to its verb
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "shell/output/say.h"
#include "shell/process/door.h"
#include "shell/process/pager.h"
#include "shell/process/process.h"
#include "verbs/complete.h"
#include "verbs/help/help.h"
#include "verbs/manual.h"
#include "verbs/run.h"
#include "os/dir.h"

static int
dispatch(int argc, char **argv)
{
	const struct verb *verb = verb_named(pmon_os_name(argv[0]));

	// Called under the name of a verb, for example by a link: relog.
	if (verb != NULL && verb->run_words != NULL)
		return verb_run(verb, argc - 1, argv + 1);
	if (argc < 2)
		return verb_run_here(0, NULL);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help_program();
	if (strcmp(argv[1], "--version") == 0) {
		printf("pmon " PMON_VERSION_TEXT "\n");
		return EXIT_DONE;
	}
	verb = verb_named(argv[1]);
	if (verb != NULL)
		return verb_run(verb, argc - 2, argv + 2);
	if (strcmp(argv[1], "__complete") == 0) // for shells; not shown in the help
		return complete_print(argc - 2, argv + 2);
	if (strcmp(argv[1], "__manual") == 0) // for the build; not shown in the help
		return manual_write(argc - 2, argv + 2);
	if (verb_is_file(argv[1]) || verb_file_takes(argv[1]))
		return verb_run_file(argc - 1, argv + 1);
	if (argv[1][0] == '-')
		return help_option(argv[1], argc - 1, argv + 1);
	return help_unknown(argv[1], " and no file with that name", argc - 2, argv + 2);
}

int
main(int argc, char **argv)
{
	int status;

	argv = process_begin(&argc, argv);
	status = process_end(dispatch(argc, argv));
	door_close();
	pager_end();
	return status;
}
