// test_path_match.c - patterns of counter paths, and what they match
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <time.h>

#include "path_row.h"

#define RULES "docs/reference/paths.md"

#define NO_OBJECT  "no object follows the machine name"
#define NO_CLOSING "no closing ')' followed by '\\' and a counter"

// ---- Patterns -------------------------------------------------------------------------------

static const struct path_row patterns[] = {
	{RULES, "\\Process(*)\\% Processor Time", NULL, "Process", NULL, "*", PMON_INDEX_NONE,
	 "% Processor Time"},
	{RULES, "Process(*)\\*", NULL, "Process", NULL, "*", PMON_INDEX_NONE, "*"},
	{RULES, "Memory\\Pages/sec", NULL, "Memory", NULL, NULL, PMON_INDEX_NONE, "Pages/sec"},
	{RULES, "\\\\SRV*\\Process(svchost#*)\\*", "SRV*", "Process", NULL, "svchost",
	 PMON_INDEX_ANY, "*"},
	{RULES, "*\\*", NULL, "*", NULL, NULL, PMON_INDEX_NONE, "*"},
	{RULES, "\\*(*)\\*", NULL, "*", NULL, "*", PMON_INDEX_NONE, "*"},
	{RULES, "Thread(*/0#0)\\*", NULL, "Thread", "*", "0", 0, "*"},
	{RULES, "\\P(svchost#?)\\*", NULL, "P", NULL, "svchost#?", PMON_INDEX_NONE, "*"},
	{RULES, "\\P(svchost#1*)\\*", NULL, "P", NULL, "svchost#1*", PMON_INDEX_NONE, "*"},
	{RULES, "\\P(svchost#*x)\\*", NULL, "P", NULL, "svchost#*x", PMON_INDEX_NONE, "*"},
	{RULES, "\\P(svchost#12)\\*", NULL, "P", NULL, "svchost", 12, "*"},
	{RULES, "\\P(*#*)\\*", NULL, "P", NULL, "*", PMON_INDEX_ANY, "*"},
	{RULES, "P(a(b)c)\\*", NULL, "P", NULL, "a(b)c", PMON_INDEX_NONE, "*"},
};

static void
patterns_are_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(patterns); i++) {
		const char *text = patterns[i].text;
		struct pmon_path pattern;

		T_EQ_BOOL_AT(pmon_pattern_parse(t_span(text), &pattern, NULL), true, text);
		path_is(&pattern, &patterns[i]);
	}
}

static void
other_patterns_are_refused(void **state)
{
	static const char how[] = "no counter follows the object; \"object\\*\" is all of them, "
				  "\"object(*)\\*\" with their instances";
	static const struct {
		const char *text;
		size_t at;
		const char *why;
	} rows[] = {
		{"", 0, "the path is empty"},
		{"Memory", 6, how},
		{"*", 1, how},
		{"\\Memory", 7, how},
		{"\\\\SRV\\Memory", 12, how},
		{"Process(*)", 7, NO_CLOSING},
		{"(*)\\*", 0, "the object name is empty"},
		{"Memory\\", 7, "the counter is empty"},
		{"\\\\*", 3, NO_OBJECT},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_path pattern = {.object = {"x", 1}};
		struct pmon_path_error why = {99, NULL};

		T_EQ_BOOL_AT(pmon_pattern_parse(t_span(rows[i].text), &pattern, &why), false,
			     rows[i].text);
		T_EQ_U64_AT(why.at, rows[i].at, rows[i].text);
		T_EQ_STR_AT(why.text, rows[i].why, rows[i].text);
		path_is_none(&pattern, rows[i].text);
	}
}

// ---- Matching texts -------------------------------------------------------------------------

static const struct {
	const char *pattern;
	const char *text;
	bool matches;
} texts[] = {
	{"", "", true},
	{"", "a", false},
	{"a", "", false},
	{"*", "", true},
	{"*", "anything (at) all\\", true},
	{"**", "", true},
	{"?", "", false},
	{"?", "a", true},
	{"?", "ab", false},
	{"?*", "", false},
	{"*?", "a", true},
	{"??*", "a", false},
	{"abc", "abc", true},
	{"abc", "ABC", true},
	{"ABC", "abc", true},
	{"abc", "abcd", false},
	{"abcd", "abc", false},
	{"a*", "abc", true},
	{"a*", "bac", false},
	{"*c", "abc", true},
	{"*c", "abcd", false},
	{"*b*", "abc", true},
	{"*b*", "ac", false},
	{"a*c", "ac", true},
	{"a*c", "abbbc", true},
	{"a*bc*d", "abcbcbd", true},
	{"a*bc*d", "abcbcb", false},
	{"*aab", "aaab", true},
	{"*ab*ab", "abab", true},
	{"*ab*ab", "ab", false},
	{"a?c", "abc", true},
	{"a?c", "ac", false},
	{"*.?", "a.b.c", true},
	{"% * Time", "% Processor Time", true},
	{"a*", "A*", true}, // a star in a name is an ordinary character
	{"*b", "*b", true},
	{"a", "*", false},
	{"[ab]", "a", false}, // no other wildcards
	{"\\*", "\\x", true}, // and no escape
	// Beyond ASCII; the pairs come from CaseFolding.txt.
	{"процесс", "Процесс", true},
	{"ПРОЦЕСС", "процесс", true},
	{"проц*", "ПРОЦЕССОР", true},
	{"?роцесс", "Процесс", true}, // ? is one character, not one byte
	{"??роцесс", "Процесс", false},
	{"процесс", "Процент", false},
	{"äöü", "ÄÖÜ", true},
	{"ÄÖÜ*", "äöüß", true},
	{"ß", "ẞ", true},
	{"ß", "ss", false},
	{"ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς", true}, // both small sigmas are the capital one
	{"σς", "ΣΣ", true},
	{"k", "\xE2\x84\xAA", true}, // KELVIN SIGN
	{"I", "ı", false},           // Turkish has its own rules; these are everyone's
	{"😀?", "😀a", true},
	{"?", "😀", true},
	// Not UTF-8: each byte is itself.
	{"\xC4", "\xE4", false},
	{"\xC4", "\xC4", true},
	{"?", "\xC4", true},
	{"?", "\xE4\xBA", false},
	{"*\xBA", "\xE4\xBA", true},
};

static void
texts_match(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++) {
		char label[128];

		snprintf(label, sizeof(label), "\"%s\" on \"%s\"", texts[i].pattern, texts[i].text);
		T_EQ_BOOL_AT(pmon_text_match(t_span(texts[i].pattern), t_span(texts[i].text)),
			     texts[i].matches, label);
	}
	assert_true(pmon_text_match((struct pmon_span){NULL, 0}, (struct pmon_span){NULL, 0}));
	assert_true(pmon_text_match(t_span("*"), (struct pmon_span){NULL, 0}));
}

// The meaning of a pattern, written down without thought of speed.
static bool
slow_match(const char *p, const char *t)
{
	if (*p == '*')
		return slow_match(p + 1, t) || (*t != '\0' && slow_match(p, t + 1));
	if (*p == '\0' || *t == '\0')
		return *p == *t;
	return (*p == '?' || (*p | 0x20) == (*t | 0x20)) && slow_match(p + 1, t + 1); // letters
}

static void
random_text(struct t_rand *r, const char *letters, char out[9])
{
	size_t len = t_rand_below(r, 9);

	for (size_t i = 0; i < len; i++)
		out[i] = letters[t_rand_below(r, strlen(letters))];
	out[len] = '\0';
}

static void
matching_follows_the_definition(void **state)
{
	struct t_rand r = {4};
	int matches = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char pattern[9];
		char text[9];
		bool want;

		random_text(&r, "aBb*?", pattern);
		random_text(&r, "abB", text);
		want = slow_match(pattern, text);
		matches += want;
		if (pmon_text_match(t_span(pattern), t_span(text)) != want)
			fail_msg("\"%s\" on \"%s\"", pattern, text);
	}
	assert_in_range(matches, 10000, 190000); // else the test would show little
	// The Kelvin sign folds to k.
	assert_true(pmon_text_match(t_span("*k*"), t_span("ab\xE2\x84\xAA")));
	assert_true(pmon_text_match(t_span("*\xC3\x84?"), t_span("ab\xC3\xA4\xC3\xA4x")));
}

#define LONG 100000

// A matcher that backtracks to every star takes about LONG^4 steps here; this one some 10^7.
static void
hostile_patterns_are_quick(void **state)
{
	static const char *const hostile[] = {"*a*a*a*a*b", "*a*a*a*a*b*", "a*a*a*a*a*ab",
					      "*?*?*?*?*b", "*aaaaaaaaaaaaaaaaaaaaaaaaab"};
	char *text = malloc(LONG);
	clock_t start = clock();

	(void)state;
	assert_non_null(text);
	memset(text, 'a', LONG);
	for (size_t i = 0; i < T_LEN(hostile); i++)
		assert_false(pmon_text_match(t_span(hostile[i]), (struct pmon_span){text, LONG}));
	assert_true(pmon_text_match(t_span("*a*a*a*a*"), (struct pmon_span){text, LONG}));
	free(text);
	assert_true((clock() - start) / CLOCKS_PER_SEC < 20);
}

static void
names_are_the_same_without_case(void **state)
{
	(void)state;
	assert_true(pmon_text_same(t_span("Память"), t_span("ПАМЯТЬ")));
	assert_true(pmon_text_same(t_span(""), (struct pmon_span){NULL, 0}));
	assert_false(pmon_text_same(t_span("a"), t_span("ab")));
	assert_false(pmon_text_same(t_span("ab"), t_span("a")));
	assert_false(pmon_text_same(t_span("*"), t_span("a")));
	assert_false(pmon_text_same(t_span("a"), t_span("?")));
	assert_false(pmon_text_same(t_span("\xC4"), t_span("\xE4")));
}

// ---- Matching paths -------------------------------------------------------------------------

// See docs/reference/paths.md.
static const struct {
	const char *pattern;
	const char *path;
	bool matches;
} matches[] = {
	{"\\Memory\\Pages/sec", "\\Memory\\Pages/sec", true},
	{"memory\\pages/SEC", "\\\\SRV\\Memory\\Pages/sec", true},
	{"\\Memory\\Pages/sec", "\\Memory\\Pages/sec2", false},
	{"\\Memory\\Pages/sec", "\\Memory2\\Pages/sec", false},
	{"\\*\\*", "\\Memory\\Pages/sec", true},
	// Machines.
	{"\\\\SRV\\Memory\\*", "\\\\srv\\Memory\\Pages/sec", true},
	{"\\\\SRV\\Memory\\*", "\\\\SRV2\\Memory\\Pages/sec", false},
	{"\\\\SRV\\Memory\\*", "\\Memory\\Pages/sec", false},
	{"\\\\SRV*\\*\\*", "\\\\srv01\\Memory\\Pages/sec", true},
	{"\\\\SRV*\\*\\*", "\\Memory\\Pages/sec", false},
	{"\\\\*\\Memory\\*", "\\Memory\\Pages/sec", true},
	{"\\\\?*\\Memory\\*", "\\Memory\\Pages/sec", false},
	{"\\\\M\\Memory\\*", "\\\\N\\Memory\\Pages/sec", false},
	// Named instances of SQL Server.
	{"\\SQLServer:Locks(*)\\*", "\\\\S\\MSSQL$ONE:Locks(_Total)\\Lock Waits/sec", true},
	{"\\sqlserver:lo*(*)\\*", "\\mssql$A:Locks(_Total)\\Lock Waits/sec", true},
	{"\\SQLServer:Locks(*)\\*", "\\MSSQL$ONE:Latches(_Total)\\Lock Waits/sec", false},
	{"\\SQLServer:*\\*", "\\MSSQL$ONE\\C", false},
	{"\\SQLServer:*\\*", "\\MSSQLONE:Locks\\C", false},
	{"\\SQLAgent:*\\*", "\\MSSQL$ONE:Locks\\C", false},
	{"\\MSSQL$ONE:Locks\\*", "\\SQLServer:Locks\\C", false},
	{"\\MSSQL$ONE:Locks\\*", "\\MSSQL$TWO:Locks\\C", false},
	// With and without an instance.
	{"\\Process(*)\\*", "\\\\SRV\\Process(svchost#3)\\ID Process", true},
	{"\\Process(*)\\*", "\\Process\\ID Process", false},
	{"\\Process\\*", "\\Process(a)\\ID Process", false},
	{"\\Memory\\*", "\\Memory(a)\\Pages/sec", false},
	{"\\*(*)\\*", "\\Memory\\Pages/sec", false},
	{"\\*(*)\\*", "\\O()\\C", true},
	{"\\O()\\C", "\\O()\\C", true},
	{"\\O()\\C", "\\O\\C", false},
	{"\\O\\C", "\\O()\\C", false},
	{"\\O()\\C", "\\O(a)\\C", false},
	// The table of instances in docs/reference/paths.md.
	{"P(svchost)\\*", "\\P(svchost)\\C", true},
	{"P(SVCHOST)\\*", "\\P(svchost)\\C", true},
	{"P(svchost)\\*", "\\P(svchost#1)\\C", false},
	{"P(svchost#1)\\*", "\\P(svchost#1)\\C", true},
	{"P(svchost#1)\\*", "\\P(svchost)\\C", false},
	{"P(svchost#1)\\*", "\\P(svchost#10)\\C", false},
	{"P(svchost#*)\\*", "\\P(svchost)\\C", true},
	{"P(svchost#*)\\*", "\\P(svchost#10)\\C", true},
	{"P(svchost#*)\\*", "\\P(svchost2)\\C", false},
	{"P(svchost*)\\*", "\\P(svchost)\\C", true},
	{"P(svchost*)\\*", "\\P(svchost#10)\\C", true},
	{"P(svchost*)\\*", "\\P(svchost2)\\C", true},
	{"P(svchost#?)\\*", "\\P(svchost#1)\\C", true},
	{"P(svchost#?)\\*", "\\P(svchost)\\C", false},
	{"P(svchost#?)\\*", "\\P(svchost#10)\\C", false},
	{"P(svchost#1*)\\*", "\\P(svchost#10)\\C", true},
	{"P(svchost#1*)\\*", "\\P(svchost#2)\\C", false},
	{"P(*#0)\\*", "\\P(svchost)\\C", true},
	{"P(*#0)\\*", "\\P(svchost#1)\\C", false},
	{"P(*#1)\\*", "\\P(svchost#1)\\C", true},
	{"P(*#1)\\*", "\\P(svchost#11)\\C", false},
	{"P(*host)\\*", "\\P(svchost#4)\\C", true},
	{"P(svchos?\?)\\*", "\\P(svchos)\\C", false},
	{"P(a?\?)\\*", "\\P(a#1)\\C", false}, // the index is not part of the name
	{"P(Expl*)\\*", "\\P(Explorer)\\C", true},
	{"P(Expl*)\\*", "\\P(Explorer/0)\\C", true},
	{"P(Expl*)\\*", "\\P(Explorer/0#1)\\C", true},
	{"P(Expl*)\\*", "\\P(iExplorer)\\C", false},
	{"P(0)\\*", "\\P(0)\\C", true},
	{"P(0)\\*", "\\P(Explorer/0)\\C", false},
	{"P(*/0)\\*", "\\P(Explorer/0)\\C", true},
	{"P(*/0)\\*", "\\P(Explorer/0#1)\\C", true},
	{"P(*/0)\\*", "\\P(0)\\C", false},
	{"P(*/0)\\*", "\\P(Explorer/10)\\C", false},
	{"P(*/0)\\*", "\\P(a/b/0)\\C", false}, // part by part: the instance is "b/0"
	{"P(*/0#*)\\*", "\\P(a/b/0#1)\\C", false},
	{"P(Explorer/0)\\*", "\\P(Explorer/0)\\C", true},
	{"P(Explorer/0)\\*", "\\P(Explorer/0#1)\\C", false},
	{"P(Explorer/0)\\*", "\\P(Notepad/0)\\C", false},
	{"P(*plorer/0)\\*", "\\P(Notepad/0)\\C", false},
	{"P(Explorer/*)\\*", "\\P(Explorer/0#1)\\C", true},
	{"P(Explorer/?)\\*", "\\P(Explorer/12)\\C", false},
	{"P(Explorer?0#?)\\*", "\\P(Explorer/0#1)\\C", true},
	{"P(Explorer?0#?)\\*", "\\P(Explorer/0#12)\\C", false},
	{"P(*)\\*", "\\P(Explorer/0#1)\\C", true},
	{"P(*#*)\\*", "\\P(Explorer/0#1)\\C", true},
	// Names that hold a '#'.
	{"P(C#app)\\*", "\\P(C#app)\\C", true},
	{"P(C#a*)\\*", "\\P(C#app)\\C", true},
	{"P(C#*)\\*", "\\P(C#app)\\C", true},
	{"P(C#?pp)\\*", "\\P(C#app)\\C", true},
	// Russian.
	{"\\процесс(*)\\% загруженности*",
	 "\\\\SRV-01\\Процесс(rphost#1)\\% загруженности процессора", true},
	{"\\процесс(RPHOST#?)\\*", "\\\\SRV-01\\Процесс(rphost#1)\\% загруженности процессора",
	 true},
};

static void
paths_match(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(matches); i++) {
		struct pmon_path pattern;
		struct pmon_path path;
		char label[256];

		snprintf(label, sizeof(label), "%s on %s", matches[i].pattern, matches[i].path);
		T_EQ_BOOL_AT(pmon_pattern_parse(t_span(matches[i].pattern), &pattern, NULL), true,
			     label);
		T_EQ_BOOL_AT(pmon_path_parse(t_span(matches[i].path), &path, NULL), true, label);
		T_EQ_BOOL_AT(pmon_path_match(&pattern, &path), matches[i].matches, label);
	}
}

// Readers may compose paths without parsing them; a slash or # is then part of the name. The
// printed path must still match as a pattern.
static void
printed_paths_match(void **state)
{
	const struct pmon_path whole[] = {
		{.object = PMON_SPAN("P"),
		 .instance = PMON_SPAN("d:/x"),
		 .counter = PMON_SPAN("C")},
		{.object = PMON_SPAN("P"),
		 .instance = PMON_SPAN("svchost#2"),
		 .counter = PMON_SPAN("C")},
		{.object = PMON_SPAN("P"),
		 .instance = PMON_SPAN("d:/x#2"),
		 .counter = PMON_SPAN("C")},
		{.object = PMON_SPAN("P"),
		 .parent = PMON_SPAN("a"),
		 .instance = PMON_SPAN("b/c#1"),
		 .index = 3,
		 .counter = PMON_SPAN("C")},
		{.machine = PMON_SPAN("M"),
		 .object = PMON_SPAN("P"),
		 .instance = PMON_SPAN("d:/x"),
		 .index = 2,
		 .counter = PMON_SPAN("C")},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(whole); i++) {
		struct pmon_path pattern;
		struct pmon_path path;
		char buf[64];

		pmon_path_format(&whole[i], buf, sizeof(buf));
		assert_true(pmon_pattern_parse(t_span(buf), &pattern, NULL));
		T_EQ_BOOL_AT(pmon_path_match(&pattern, &whole[i]), true, buf);
		assert_true(pmon_path_parse(t_span(buf), &path, NULL));
		T_EQ_BOOL_AT(pmon_path_same(&path, &whole[i]), true, buf);
	}
}

// On Windows, processors have "_Total" for all and "0,_Total" for those of a NUMA node.
static void
totals_are_known_by_their_names(void **state)
{
	static const struct {
		const char *instance;
		bool is_total;
	} names[] = {
		{"_Total", true},   {"_TOTAL", true}, {"0,_Total", true}, {"my_Total", false},
		{"_Totals", false}, {"Total", false}, {",_total", true},  {"", false},
	};
	struct pmon_path path = {.object = PMON_SPAN("P"), .counter = PMON_SPAN("C")};

	(void)state;
	assert_false(pmon_path_is_total(&path));
	for (size_t i = 0; i < T_LEN(names); i++) {
		path.instance = t_span(names[i].instance);
		T_EQ_BOOL_AT(pmon_path_is_total(&path), names[i].is_total, names[i].instance);
	}
}

static void
what_is_ranked(void **state)
{
	static const struct {
		const char *parent;
		const char *instance;
		bool ranks;
	} names[] = {
		{NULL, NULL, true},          {NULL, "a", true},           {NULL, "_Total", false},
		{NULL, "_TOTAL", false},     {NULL, "0,_Total", false},   {NULL, "0 C:", true},
		{NULL, "Idle", false},       {NULL, "idle", false},       {NULL, "Idle:0", false},
		{NULL, "Idler", true},       {NULL, "_Global_", false},   {"Idle", "0", false},
		{"_Total", "_Total", false}, {"explorer", "Idler", true}, {"a", "0", true},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(names); i++) {
		struct pmon_path path = {.object = PMON_SPAN("P"),
					 .parent = t_span(names[i].parent),
					 .instance = t_span(names[i].instance),
					 .counter = PMON_SPAN("C")};

		T_EQ_BOOL_AT(pmon_path_ranks(&path), names[i].ranks, names[i].instance);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_are_taken_apart),
		cmocka_unit_test(other_patterns_are_refused),
		cmocka_unit_test(texts_match),
		cmocka_unit_test(matching_follows_the_definition),
		cmocka_unit_test(hostile_patterns_are_quick),
		cmocka_unit_test(names_are_the_same_without_case),
		cmocka_unit_test(paths_match),
		cmocka_unit_test(printed_paths_match),
		cmocka_unit_test(totals_are_known_by_their_names),
		cmocka_unit_test(what_is_ranked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
