// rules_file.c - the rules of a verb: those of --rules, or those that pmon ships
// SPDX-License-Identifier: MIT

#include "cli/input/rules_file.h"

#include "cli/args/textfile.h"
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
