// test_request.c - options set fields of their own, and a request is built without changing them
// SPDX-License-Identifier: MIT

#include "t.h"

#include "shell/args/args.h"
#include "shell/args/verb.h"
#include "shell/input/patterns.h"
#include "shell/input/request.h"
#include "shell/output/say.h"

#define LOG       "a.blg"
#define CONDITION "\\A(*)\\B > 1"

static const char *
value_of(const struct option *option, char buf[OPTION_ARG_SIZE])
{
	if (option->kind == OPTION_LOCAL)
		return "2026-02-25";
	if (option->kind == OPTION_ZONE)
		return "+01:00";
	if (option->kind != OPTION_CHOICE && option->kind != OPTION_FORMAT)
		return option->kind == OPTION_SIZE ? "1MB" : "1";
	if (option_arg(option, buf) != buf)
		(void)snprintf(buf, OPTION_ARG_SIZE, "%s", option->arg);
	buf[strcspn(buf, "|")] = '\0';
	return buf;
}

// Parse a command line with this option, with or without a log.
static void
parse(struct args *args, const struct verb *verb, const struct option *option, bool has_log)
{
	static char value[OPTION_ARG_SIZE];
	const char *words[4];
	int n = 0;

	if ((verb->traits & VERB_CONDITION) != 0)
		words[n++] = CONDITION;
	words[n++] = option_name(option);
	if (option->arg != NULL)
		words[n++] = value_of(option, value);
	if (has_log)
		words[n++] = LOG;
	assert_int_equal(args_parse(args, verb, verb_table, n, (char *const *)words), EXIT_DONE);
}

// An option for live data is refused with a log and vice versa; all others are accepted.
static void
check_scope(const struct verb *verb, const struct option *option, bool has_log)
{
	struct args args;
	struct args before;
	struct request request;
	enum option_scope other;

	parse(&args, verb, option, has_log);
	memcpy(&before, &args, sizeof(args));
	request = request_from(&args);
	other = args.operands.n > 0 ? OPTION_MACHINE : OPTION_LOGS;
	if (option->scope == other)
		assert_ptr_equal(request.misplaced, option);
	else
		assert_null(request.misplaced);
	assert_int_equal(request.logs.n, args.operands.n);
	request.by_process = true;
	request.logs.n = request.patterns.n = 0;
	request.sampling = (struct sampling){.replay = "elsewhere"};
	assert_memory_equal(&before, &args, sizeof(args));
	args_free(&args);
}

static void
misplaced_options_are_known(void **state)
{
	const struct option *option;

	(void)state;
	for (size_t i = 0; verb_table[i] != NULL; i++)
		for (size_t j = 0; verb_table[i]->run_words == NULL &&
				   (option = option_at(verb_table[i]->options, j)) != NULL;
		     j++) {
			check_scope(verb_table[i], option, false);
			check_scope(verb_table[i], option, true);
		}
}

// No two options of a verb share a field, except for those of Windows' tools, which also have our
// names.
static void
each_option_has_a_field(void **state)
{
	const struct option *a;
	const struct option *b;

	(void)state;
	for (size_t i = 0; verb_table[i] != NULL; i++) {
		const struct option *table = verb_table[i]->options;

		for (size_t j = 0; (a = option_at(table, j)) != NULL; j++) {
			if (a->own)
				assert_true(a->offset < verb_table[i]->own_size);
			for (size_t k = 0; verb_table[i]->run_words == NULL && k < j; k++) {
				b = option_at(table, k);
				assert_false(a->own == b->own && a->offset == b->offset);
			}
		}
	}
}

static struct words
words_of(const char **list, size_t n)
{
	return (struct words){.list = list, .n = n, .cap = n};
}

// Messages mention the user's own patterns; the verb's patterns are read as well.
static void
patterns_have_owners(void **state)
{
	const char *asked[] = {"\\A(*)\\B", "\\C\\D"};
	const char *added[] = {"\\E\\F"};
	const char *also[] = {"\\G\\H", NULL};
	struct request request = {.verb = verb_named("stats"),
				  .logs = words_of(added, 1),
				  .patterns = words_of(asked, 2),
				  .added = words_of(added, 1),
				  .also = also};
	struct patterns patterns = {.select = NULL};
	const struct {
		struct pmon_path path;
		bool is_read;
		size_t unmatched;
	} series[] = {
		{{.object = PMON_SPAN("E"), .counter = PMON_SPAN("F")}, true, 2},
		{{.object = PMON_SPAN("G"), .counter = PMON_SPAN("H")}, true, 2},
		{{.object = PMON_SPAN("I"), .counter = PMON_SPAN("J")}, false, 2},
		{{.object = PMON_SPAN("C"), .counter = PMON_SPAN("D")}, true, 1},
		{{.object = PMON_SPAN("A"), .instance = PMON_SPAN("x"), .counter = PMON_SPAN("B")},
		 true,
		 0},
	};

	(void)state;
	assert_int_equal(patterns_open(&patterns, &request), EXIT_DONE);
	assert_int_equal(patterns.n_asked, 2);
	for (size_t i = 0; i < T_LEN(series); i++) {
		assert_int_equal(patterns_want(&patterns, &series[i].path), series[i].is_read);
		assert_int_equal(patterns_unmatched(&patterns), series[i].unmatched);
	}
	patterns_free(&patterns);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(misplaced_options_are_known),
		cmocka_unit_test(each_option_has_a_field),
		cmocka_unit_test(patterns_have_owners),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
