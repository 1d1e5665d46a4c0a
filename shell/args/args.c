// args.c - the command line of a verb
// SPDX-License-Identifier: MIT

#include "shell/args/args.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/scan.h"
#include "base/text.h"
#include "model/zones.h"
#include "shell/args/names.h"
#include "shell/args/suggest.h"
#include "shell/args/verb.h"
#include "shell/args/zone.h"
#include "shell/output/say.h"
#include "os/dir.h"

// ---- Values of options ----------------------------------------------------------------------

static void *
field(const struct args *args, const struct option *option)
{
	char *base = option->own ? args->own : (char *)(uintptr_t)args;

	return base + option->offset;
}

static void
free_words(struct words *words)
{
	free(words->list);
	*words = (struct words){.list = NULL};
}

void
args_free(struct args *args)
{
	const struct option *option;

	for (size_t i = 0; args->given != NULL && args->own != NULL &&
			   (option = option_at(args->verb->options, i)) != NULL;
	     i++)
		if (option->kind == OPTION_WORDS)
			free_words(field(args, option));
	free(args->own);
	free(args->given);
	free_words(&args->inputs);
	free_words(&args->operands);
	names_free(&args->texts);
}

int
args_port(const char *text, uint16_t *port)
{
	uint64_t n = 0;

	if (text != NULL &&
	    (!pmon_num_parse_u64((struct pmon_span){text, strlen(text)}, &n) || n > UINT16_MAX))
		return say(EXIT_USAGE, "the port must be a number up to 65535, not \"%s\"", text);
	*port = (uint16_t)n;
	return EXIT_DONE;
}

size_t
args_rows(const struct args *args, size_t n)
{
	return args->limit > 0 && n > args->limit ? (size_t)args->limit : n;
}

bool
args_has(const struct args *args, size_t place)
{
	return args->given != NULL && args->given[place];
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
	return say(EXIT_USAGE, "%s must be a size such as 500KB, 100MB or 2G, not \"%s\"", option,
		   text);
}

// The index of a word in "text|csv|json", or -1.
static int
choice_of(const char *choices, const char *word)
{
	size_t len = strlen(word);
	int place = 0;

	for (const char *at = choices; at != NULL; place++) {
		const char *end = strchr(at, '|');
		size_t n = end != NULL ? (size_t)(end - at) : strlen(at);

		if (pmon_text_same((struct pmon_span){at, n}, (struct pmon_span){word, len}))
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
	return say(EXIT_USAGE, "%s: %s must be %s, not \"%s\"", args->verb->name,
		   option_name(option), choices, value);
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
set_text(struct args *args, const struct option *option, const char *value)
{
	memcpy(field(args, option), &value, sizeof(value));
	return EXIT_DONE;
}

static bool
is_path(const struct option *option)
{
	static const char *const args[] = {"FILE", "DIR", "FOLDER"};

	for (size_t i = 0; option->arg != NULL && i < sizeof(args) / sizeof(args[0]); i++)
		if (strcmp(option->arg, args[i]) == 0)
			return true;
	return false;
}

// /dev/stdout means "-", so that it gets the same special treatment.
static const char *
output_of(const struct option *option, const char *value)
{
	bool is_output = !option->own && option->offset == offsetof(struct args, output);

	return is_output && pmon_os_descriptor(value) == 1 ? "-" : value;
}

static int
set_number(struct args *args, const struct option *option, const char *value)
{
	uint64_t number;

	if (!pmon_num_parse_u64((struct pmon_span){value, strlen(value)}, &number) || number == 0)
		return say(EXIT_USAGE, "%s: %s must be a number of at least 1, not \"%s\"",
			   args->verb->name, option_name(option), value);
	memcpy(field(args, option), &number, sizeof(number));
	return EXIT_DONE;
}

static int
set_local(struct args *args, const struct option *option, const char *value)
{
	pmon_time time;

	if (!pmon_time_parse((struct pmon_span){value, strlen(value)}, 0, &time) || time <= 0)
		return say(EXIT_USAGE,
			   "%s: %s must be a date, such as 2026-02-25 or \"2026-02-25 "
			   "10:00\", not \"%s\"; to choose a window, use --from",
			   args->verb->name, option_name(option), value);
	memcpy(field(args, option), &time, sizeof(time));
	return EXIT_DONE;
}

static int
set_zone(struct args *args, const struct option *option, const char *value)
{
	struct pmon_span name = {value, strlen(value)};
	struct option_zone zone = {.is_given = true};
	const struct pmon_zone *rules = pmon_zone_find(name);

	if (!zone_read_offset(value, &zone.offset_min) &&
	    !pmon_zone_offset(name, false, &zone.offset_min)) {
		if (rules == NULL && zone_of_city(value) != NULL)
			return say(EXIT_USAGE, "%s: %s: there is no zone \"%s\"; did you mean %s?",
				   args->verb->name, option_name(option), value,
				   zone_of_city(value)->name);
		if (rules == NULL)
			return say(EXIT_USAGE,
				   "%s: %s must be utc, an offset such as +01:00, a zone such as "
				   "Europe/Berlin, or one of Windows such as \"W. Europe Standard "
				   "Time\", not \"%s\"",
				   args->verb->name, option_name(option), value);
		zone.name = rules->name;
	}
	memcpy(field(args, option), &zone, sizeof(zone));
	return EXIT_DONE;
}

int
args_set(struct args *args, size_t place, const char *value)
{
	const struct option *option = option_at(args->verb->options, place);
	char choices[OPTION_ARG_SIZE];

	args->given[place] = true;
	if (is_path(option) && value[0] == '\0')
		return say(EXIT_USAGE, "%s: %s needs the name of a %s, not \"\"", args->verb->name,
			   option_name(option),
			   strcmp(option->arg, "FILE") == 0 ? "file" : "folder");
	switch (option->kind) {
	case OPTION_FLAG:
		*(bool *)field(args, option) = true;
		return EXIT_DONE;
	case OPTION_SIZE:
		return args_size(option_name(option), value, field(args, option));
	case OPTION_NUMBER:
		return set_number(args, option, value);
	case OPTION_LOCAL:
		return set_local(args, option, value);
	case OPTION_ZONE:
		return set_zone(args, option, value);
	case OPTION_WORDS:
		return words_take(field(args, option), value);
	case OPTION_CHOICE:
		return set_choice(args, option, value);
	case OPTION_FILE:
		(void)set_text(args, option, value);
		return words_take(&args->inputs, value);
	case OPTION_FORMAT:
		if (choice_of(option_arg(option, choices), value) < 0)
			return say_choice(args, option, value);
		break;
	case OPTION_MAYBE:
		return set_text(args, option, value != NULL ? value : "");
	case OPTION_SETTINGS:
		return EXIT_DONE;
	case OPTION_TEXT:
		value = output_of(option, value);
		break;
	case OPTION_TIME:
		break;
	}
	return set_text(args, option, value);
}

// ---- Other spellings --------------------------------------------------------------------------

// What people type for an option, where the verb has no option with that name.
static const struct {
	const char *name;
	const char *option;
	const char *value; // of the option; NULL: that of the command line
} spellings[] = {
	{"--csv", "--format", "csv"},
	{"--json", "--format", "json"},
	{"--text", "--format", "text"},
	{"-f", "--format", NULL},
	{"--since", "--from", NULL},
	{"--start", "--from", NULL},
	{"--until", "--to", NULL},
	{"--end", "--until", NULL},
	{"--end", "--to", NULL},
	{"--every", "--step", NULL},
	{"--step", "--every", NULL},
	{"--bucket", "--every", NULL},
	{"--top", "--limit", NULL},
	{"--limit", "--top", NULL},
	{"--max-rows", "--limit", NULL},
	{"--order-by", "--sort", NULL},
	{"--sort-by", "--sort", NULL},
	{"--group-by", "--by", NULL},
	{"--counters", "--counter", NULL},
	{"--filter", "--counter", NULL},
	{"--pattern", "--counter", NULL},
	{"--out", "--output", NULL},
	{"--out", "-o", NULL},
	{"--output", "-o", NULL},
	{"--timezone", "--tz", NULL},
	{"--time-zone", "--tz", NULL},
	{"--zone", "--tz", NULL},
	{"--colour", "--color", NULL},
	{"--samples", "--count", NULL},
};

// The place of the option that the verb has for this spelling; OPTION_NONE: it has none.
static size_t
find_spelling(const struct verb *verb, const char *name, size_t len, const char **value)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++) {
		size_t place;

		if (strlen(spellings[i].name) != len || strncmp(spellings[i].name, name, len) != 0)
			continue;
		place = option_find(verb->options, spellings[i].option,
				    strlen(spellings[i].option));
		*value = spellings[i].value;
		if (place != OPTION_NONE)
			return place;
	}
	return OPTION_NONE;
}

bool
args_know(const struct verb *verb, const char *name)
{
	const char *value;
	size_t len = strcspn(name, "=");

	return option_find(verb->options, name, len) != OPTION_NONE ||
	       find_spelling(verb, name, len, &value) != OPTION_NONE;
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

// What to do instead, where no option has a similar name.
static const char *
instead_of(const char *word)
{
	static const char *const hints[][2] = {
		{"-o", "add > FILE to write what it prints, or use pmon relog LOG -o FILE"},
		{"--output", "add > FILE to write what it prints, or use pmon relog LOG -o FILE"},
		{"--out", "add > FILE to write what it prints, or use pmon relog LOG -o FILE"},
		{"--last", "--from -1h is the last hour"},
		{"--first", "--to +1h is the first hour"},
		{"--head", "--to +5m is the beginning of a log"},
		{"--tail", "--from -5m is the end of a log"},
		{"--png", "pmon chart LOG -o chart.png draws a picture"},
		{"--svg", "pmon chart LOG -o chart.svg draws a picture"},
		{"--pdf", "pmon chart LOG -o chart.pdf draws a picture"},
		{"--html", "pmon report LOG writes a page"},
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strcmp(hints[i][0], word) == 0)
			return hints[i][1];
	return NULL;
}

static int
unknown_option(const struct verb *verb, const char *word, bool other)
{
	const char *near = nearest_option(verb, word);
	const char *instead = instead_of(word);

	if (instead != NULL)
		return say(EXIT_USAGE, "%s: there is no option %s; %s", verb->name, word, instead);

	if (other)
		return say(EXIT_USAGE,
			   "%s: the option %s does not apply to this verb; see pmon %s --help",
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
	int i; // the current word
};

// Is the word an operand although it begins with '-'? "-" is standard input, "-5:0" a raw value.
static bool
looks_like_operand(const struct verb *verb, const char *word)
{
	if (word[0] != '-' || word[1] == '\0')
		return true;
	return pmon_is_digit(word[1]) && OPTION_IS_OFFERED(verb, counter.type);
}

static bool
is_help(const char *word)
{
	return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

// Parse an option and, if it needs an argument, the next word.
static int
take_option(struct reader *r, const char *word)
{
	const struct verb *verb = r->args->verb;
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
	size_t len = equals != NULL ? (size_t)(equals - word) : strlen(word);
	size_t place = option_find(verb->options, word, len);
	const char *value = NULL;

	if (place == OPTION_NONE)
		place = find_spelling(verb, word, len, &value);
	if (place == OPTION_NONE)
		return unknown_option(verb, word, is_of_another(r->verbs, word, len));
	if (value != NULL && equals == NULL)
		return args_set(r->args, place, value);
	if (option_at(verb->options, place)->arg == NULL || value != NULL)
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

// A statement of SQL begins with one of these words. One with a mistake in that word still has FROM in it.
static bool
is_statement(const char *word)
{
	static const char *const begin[] = {
		"select", "with",   "values", "explain", "pragma", // and what is refused:
		"insert", "update", "delete", "create",  "drop",   "alter", "attach", "replace"};
	const char *blanks = " \t\r\n";
	size_t len;

	word += strspn(word, blanks);
	len = strcspn(word, " \t\r\n(*'\"");
	if (word[len] == '\0')
		return false;
	for (size_t i = 0; i < sizeof(begin) / sizeof(begin[0]); i++)
		if (strlen(begin[i]) == len && strncasecmp(word, begin[i], len) == 0)
			return true;
	for (word += len; *word != '\0'; word++)
		if (strchr(blanks, word[0]) != NULL && strncasecmp(word + 1, "from", 4) == 0 &&
		    word[5] != '\0' && strchr(blanks, word[5]) != NULL)
			return true;
	return false;
}

static bool
is_condition(const struct verb *verb, const char *word)
{
	if ((verb->traits & VERB_STATEMENT) != 0)
		return is_statement(word);
	return (verb->traits & VERB_CONDITION) != 0 &&
	       ((verb->traits & VERB_MAYBE_CONDITION) == 0 || strchr(word, '\\') != NULL);
}

static bool
reads_logs(const struct verb *verb)
{
	return strstr(verb->operands, "FILE...") != NULL || (verb->traits & VERB_OR_MACHINE) != 0;
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
	if (expand && reads_logs(args->verb) && pmon_is_directory(word))
		return names_take_folder(&args->operands, &args->texts, word);
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

	*args = (struct args){.verb = verb, .calc = {.size = sizeof(args->calc)}};
	while (option_at(verb->options, n) != NULL)
		n++;
	args->own = calloc(1, verb->own_size + 1);
	args->given = calloc(n + 1, sizeof(*args->given));
	return args->own != NULL && args->given != NULL ? EXIT_DONE
							: say(EXIT_FAILED, "not enough memory");
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
