// rules_file.c - the rules of a verb: those of --rules, or those that pmon ships
// SPDX-License-Identifier: MIT

#include "cli/input/rules_file.h"

#include <string.h>

#include "cli/args/textfile.h"
#include "cli/args/verb.h"
#include "cli/output/say.h"

int
rules_load(const char *name, struct rules *out)
{
	struct pmon_span text = rules_default();
	struct textfile file = {.text = NULL};
	struct rules_error why;
	int status = EXIT_DONE;

	if (name != NULL) {
		// UTF-16 takes twice the bytes. rules_parse() refuses what is too large for it.
		status = textfile_read(name, (size_t)RULES_BYTES * 2 + 2, &file);
		text = (struct pmon_span){file.text, file.len};
	}
	if (status == EXIT_DONE && !rules_parse(text, out, &why)) {
		name = name != NULL ? file_name(name) : "default.rules";
		status = why.line == 0 ? say(EXIT_FAILED, "%s", why.text)
				       : say(EXIT_USAGE, "%s:%u:%u: %s", name, why.line, why.column,
					     why.text);
	}
	textfile_free(&file);
	return status;
}

int
rules_of_condition(const struct args *args, struct rules *out)
{
	const char *text = args->condition;
	const char *show = args_text(args, "--show");
	struct pmon_span shown = {show, show != NULL ? strlen(show) : 0};
	struct rules_error why;

	if (rules_parse_condition((struct pmon_span){text, strlen(text)}, out, &why)) {
		if (show == NULL || rules_parse_show(shown, out, &why))
			return EXIT_DONE;
		return say(EXIT_USAGE, "%s: --show: at \"%s\": %s", args->verb->name,
			   show + (why.column - 1), why.text);
	}
	if (why.line == 0)
		return say(EXIT_FAILED, "%s", why.text);
	return say(EXIT_USAGE, "%s: at \"%s\": %s", args->verb->name, text + (why.column - 1),
		   why.text);
}
