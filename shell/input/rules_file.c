// rules_file.c - load the rules of a verb: --rules, --pack, or all shipped packs
// SPDX-License-Identifier: MIT

#include "shell/input/rules_file.h"

#include <string.h>

#include "shell/args/suggest.h"
#include "shell/args/textfile.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"

#define TEXTS_MOST 64 // packs plus one file

struct texts {
	struct pmon_span list[TEXTS_MOST];
	size_t n;
};

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, strlen(text)};
}

// NULL after a message with suggestions.
static const struct rules_pack *
pack_of(const char *name)
{
	const struct rules_pack *near = NULL;
	size_t least = 4;

	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		size_t distance = suggest_distance(span_of(pack->name), span_of(name));

		if (strcmp(pack->name, name) == 0)
			return pack;
		if (distance < least) {
			near = pack;
			least = distance;
		}
	}
	if (near != NULL)
		(void)say(EXIT_USAGE, "there is no pack \"%s\"; did you mean %s?", name,
			  near->name);
	else
		(void)say(EXIT_USAGE, "there is no pack \"%s\"; pmon rules list shows the packs",
			  name);
	return NULL;
}

// Collect the requested packs, each once, in the order in which they are shipped; all if none is
// named.
static int
take_packs(const struct words *names, bool all, struct texts *texts)
{
	for (size_t i = 0; i < names->n; i++)
		if (pack_of(names->list[i]) == NULL)
			return EXIT_USAGE;
	for (const struct rules_pack *pack = rules_packs(); pack->name != NULL; pack++) {
		bool wanted = all;

		for (size_t i = 0; !wanted && i < names->n; i++)
			wanted = strcmp(pack->name, names->list[i]) == 0;
		if (wanted && texts->n < TEXTS_MOST - 1)
			texts->list[texts->n++] = pack->text;
	}
	return EXIT_DONE;
}

int
rules_load(const struct args *args, struct rules *out)
{
	const struct words *packs = &args->rules.packs;
	const char *name = args->rules.file;
	struct texts texts = {.n = 0};
	struct textfile file = {.text = NULL};
	struct rules_error why;
	int status = take_packs(packs, packs->n == 0 && name == NULL, &texts);

	if (status == EXIT_DONE && name != NULL) {
		// UTF-16 needs twice the bytes. rules_parse() rejects what is too large for it.
		status = textfile_read(name, (size_t)RULES_BYTES * 2 + 2, &file);
		texts.list[texts.n++] = (struct pmon_span){file.text, file.len};
	}
	if (status == EXIT_DONE && !rules_parse_texts(texts.list, texts.n, out, &why))
		status = why.line == 0 ? say(EXIT_FAILED, "%s", why.text)
				       : say(EXIT_USAGE, "%s:%u:%u: %s",
					     name != NULL ? file_name(name) : "packs", why.line,
					     why.column, why.text);
	textfile_free(&file);
	return status;
}

int
rules_of_condition(const struct args *args, struct rules *out)
{
	const char *text = args->condition;
	const char *show = args->show;
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
	if (strchr(text, '\\') == NULL)
		return say(
			EXIT_USAGE,
			"%s: \"%s\" is no condition: it begins with the path of a counter, as in "
			"pmon %s '\\Memory\\Available MBytes < 500' server.blg; pmon list -c "
			"WORD finds paths",
			args->verb->name, text, args->verb->name);
	return say(EXIT_USAGE, "%s: at \"%s\": %s", args->verb->name, text + (why.column - 1),
		   why.text);
}
