// args.c - the command line of a verb
// SPDX-License-Identifier: MIT

#include "cli/args/args.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scan.h"
#include "base/text.h"
#include "cli/args/names.h"
#include "cli/args/suggest.h"
#include "cli/args/verb.h"
#include "cli/output/say.h"

// ---- Values of options ----------------------------------------------------------------------

static void *
field(const struct args *args, const struct option *option)
{
	return (char *)(uintptr_t)args + option->offset;
}

void
args_free(struct args *args)
{
	for (size_t i = 0; args->own != NULL && option_at(args->verb->options, i) != NULL; i++)
		free(args->own[i].words.list);
	free(args->own);
	free(args->patterns.list);
	free(args->pattern_files.list);
	free(args->machines.list);
	free(args->inputs.list);
	free(args->operands.list);
	names_free(&args->texts);
}

static const struct option_value *
own_value(const struct args *args, const char *name)
{
	static const struct option_value none;
	size_t place = args->own != NULL ? option_find(args->verb->options, name, strlen(name))
					 : OPTION_NONE;

	return place != OPTION_NONE ? &args->own[place] : &none;
}

const char *
args_text(const struct args *args, const char *option)
{
	return own_value(args, option)->text;
}

bool
args_flag(const struct args *args, const char *option)
{
	return own_value(args, option)->given;
}

const struct words *
args_words(const struct args *args, const char *option)
{
	return &own_value(args, option)->words;
}

int
args_port(const char *text, uint16_t *port)
{
	uint64_t n = 0;

	if (text != NULL &&
	    (!pmon_num_parse_u64((struct pmon_span){text, strlen(text)}, &n) || n > UINT16_MAX))
		return say(EXIT_USAGE, "a port is a number up to 65535, not \"%s\"", text);
	*port = (uint16_t)n;
	return EXIT_DONE;
}

bool
args_has(const struct args *args, size_t place)
{
	return args->own != NULL && args->own[place].given;
}

// "500KB", "100MB", "1.5GB": a unit of 1024 bytes, or its powers.
static bool
parse_size(const char *text, uint64_t *out)
{
	static const char units[] = "KMGT";
	size_t digits = strspn(text, "0123456789.");
	const char *unit = text[digits] != '\0' ? strchr(units, text[digits] & ~0x20) : NULL;
	const char *rest = text + digits + 1;
	double number;

	*out = 0;
	if (unit == NULL || !pmon_num_parse_double((struct pmon_span){text, digits}, &number) ||
	    (*rest != '\0' && strcmp(rest, "B") != 0 && strcmp(rest, "iB") != 0))
		return false;
	for (const char *u = units; u <= unit; u++)
		number *= 1024;
	if (!(number >= 1 && number < 1e18))
		return false;
	*out = (uint64_t)number;
	return true;
}

int
args_size(const char *option, const char *text, uint64_t *out)
{
	if (text == NULL || parse_size(text, out))
		return EXIT_DONE;
	return say(EXIT_USAGE, "%s takes a size such as 500KB, 100MB or 2G, not \"%s\"", option,
		   text);
}

// The place of a word in "text|csv|json", or -1.
static int
choice_of(const char *choices, const char *word)
{
	size_t len = strlen(word);
	int place = 0;

	for (const char *at = choices; at != NULL; place++) {
		const char *end = strchr(at, '|');
		size_t n = end != NULL ? (size_t)(end - at) : strlen(at);

		if (n == len && strncmp(at, word, n) == 0)
			return place;
		at = end != NULL ? end + 1 : NULL;
	}
	return -1;
}

// "text, csv or json"
static void
put_choices(struct pmon_text *t, const char *choices)
{
	const char *last = strrchr(choices, '|');

	for (const char *at = choices; *at != '\0'; at++)
		if (*at == '|')
			pmon_text_str(t, at == last ? " or " : ", ");
		else
			pmon_text_span(t, (struct pmon_span){at, 1});
}

static int
say_choice(const struct args *args, const struct option *option, const char *value)
{
	char arg[OPTION_ARG_SIZE];
	char choices[2 * OPTION_ARG_SIZE];
	struct pmon_text t = pmon_text_init(choices, sizeof(choices));

	put_choices(&t, option_arg(option, arg));
	return say(EXIT_USAGE, "%s: %s takes %s, not \"%s\"", args->verb->name, option_name(option),
		   choices, value);
}

static int
set_choice(struct args *args, const struct option *option, const char *value)
{
	int place = choice_of(option->arg, value);

	if (place < 0)
		return say_choice(args, option, value);
	memcpy(field(args, option), &place, sizeof(place));
	return EXIT_DONE;
}

static int
set_text(struct args *args, const struct option *option, size_t place, const char *value)
{
	if (option->offset != 0)
		memcpy(field(args, option), &value, sizeof(value));
	args->own[place].text = value;
	return EXIT_DONE;
}

int
args_set(struct args *args, size_t place, const char *value)
{
	const struct option *option = option_at(args->verb->options, place);
	char choices[OPTION_ARG_SIZE];
	bool yes = true;

	args->own[place].given = true;
	switch (option->kind) {
	case OPTION_FLAG:
		if (option->offset != 0)
			memcpy(field(args, option), &yes, sizeof(yes));
		return EXIT_DONE;
	case OPTION_SIZE:
		return args_size(option_name(option), value, field(args, option));
	case OPTION_WORDS:
		return words_take(
			option->offset != 0 ? field(args, option) : &args->own[place].words, value);
	case OPTION_CHOICE:
		return set_choice(args, option, value);
	case OPTION_FILE:
		(void)set_text(args, option, place, value);
		return words_take(&args->inputs, value);
	case OPTION_FORMAT:
		if (choice_of(option_arg(option, choices), value) < 0)
			return say_choice(args, option, value);
		break;
	case OPTION_TEXT:
	case OPTION_TIME:
	case OPTION_MAYBE:
	case OPTION_SETTINGS:
		break;
	}
	return set_text(args, option, place, value);
}

// ---- Options that are not there -------------------------------------------------------------

static const char *
nearest_option(const struct verb *verb, const char *word)
{
	const struct option *option;
	const char *best = NULL;
	size_t best_distance = 3;

	for (size_t i = 0; (option = option_at(verb->options, i)) != NULL; i++) {
		for (size_t j = 0; j < 2 && option->names[j] != NULL; j++) {
			struct pmon_span name = {option->names[j], strlen(option->names[j])};
			size_t distance =
				suggest_distance(name, (struct pmon_span){word, strlen(word)});

			if (distance < best_distance) {
				best = option->names[j];
				best_distance = distance;
			}
		}
	}
	return best;
}

static bool
is_of_another(const struct verb *const *verbs, const char *word, size_t len)
{
	for (; *verbs != NULL; verbs++)
		if ((*verbs)->run_words == NULL &&
		    option_find((*verbs)->options, word, len) != OPTION_NONE)
			return true;
	return false;
}

static int
unknown_option(const struct verb *verb, const char *word, bool other)
{
	const char *near = nearest_option(verb, word);

	if (other)
		return say(EXIT_USAGE, "%s: the option %s is not for this verb; see pmon %s --help",
			   verb->name, word, verb->name);
	if (near != NULL)
		return say(EXIT_USAGE, "%s: there is no option %s; did you mean %s?", verb->name,
			   word, near);
	return say(EXIT_USAGE, "%s: there is no option %s; see pmon %s --help", verb->name, word,
		   verb->name);
}

// ---- Words ----------------------------------------------------------------------------------

struct reader {
	struct args *args;
	const struct verb *const *verbs;
	int n;
	char *const *words;
	int i; // the word at hand
};

// Is the word an operand though it begins with '-'? "-" is standard input, "-5:0" a raw value.
static bool
looks_like_operand(const struct verb *verb, const char *word)
{
	if (word[0] != '-' || word[1] == '\0')
		return true;
	return pmon_is_digit(word[1]) &&
	       option_find(verb->options, "--type", strlen("--type")) != OPTION_NONE;
}

static bool
is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// An option and, where it takes it, the next word.
static int
take_option(struct reader *r, const char *word)
{
	const struct verb *verb = r->args->verb;
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
	size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
	size_t place = option_find(verb->options, word, len);

	if (place == OPTION_NONE)
		return unknown_option(verb, word, is_of_another(r->verbs, word, len));
	if (option_at(verb->options, place)->arg == NULL)
		return equals == NULL ? args_set(r->args, place, NULL)
				      : say(EXIT_USAGE, "%s: %.*s takes no value", verb->name,
					    (int)len, word);
	if (equals != NULL)
		return args_set(r->args, place, equals + 1);
	if (r->i + 1 >= r->n)
		return say(EXIT_USAGE, "%s: %s needs %s", verb->name, word,
			   option_at(verb->options, place)->arg);
	return args_set(r->args, place, r->words[++r->i]);
}

static bool
is_condition(const struct verb *verb, const char *word)
{
	return (verb->traits & VERB_CONDITION) != 0 &&
	       ((verb->traits & VERB_MAYBE_CONDITION) == 0 || strchr(word, '\\') != NULL);
}

static int
take_operand(struct reader *r, bool expand)
{
	struct args *args = r->args;
	const char *word = r->words[r->i];

	if (args->condition == NULL && is_condition(args->verb, word)) {
		args->condition = word;
		return EXIT_DONE;
	}
	return expand ? names_take(&args->operands, &args->texts, word)
		      : words_take(&args->operands, word);
}

static int
take_word(struct reader *r)
{
	const char *word = r->words[r->i];

	if (looks_like_operand(r->args->verb, word))
		return take_operand(r, true);
	if (is_help(word)) {
		r->args->help = true;
		return EXIT_DONE;
	}
	return take_option(r, word);
}

int
args_begin(struct args *args, const struct verb *verb)
{
	size_t n = 0;

	*args = (struct args){.verb = verb};
	while (option_at(verb->options, n) != NULL)
		n++;
	args->own = calloc(n + 1, sizeof(*args->own));
	return args->own != NULL ? EXIT_DONE : say(EXIT_FAILED, "not enough memory");
}

int
args_parse(struct args *args, const struct verb *verb, const struct verb *const *verbs, int n,
	   char *const *words)
{
	struct reader r = {args, verbs, n, words, 0};
	int status = args_begin(args, verb);
	bool operands_only = false;

	for (; r.i < n && status == EXIT_DONE; r.i++) {
		if (operands_only)
			status = take_operand(&r, false);
		else if (strcmp(words[r.i], "--") == 0)
			operands_only = true;
		else
			status = take_word(&r);
	}
	return status;
}
