// test_path.c - counter paths: parse, print, compare
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "path/split.h"
#include "path_row.h"

#define TELEGRAF "telegraf b2726314, win_perf_counters_test.go 280-314"
#define WINE     "Wine 4705f8fe, dlls/pdh/tests/pdh.c, test_PdhMakeCounterPath"
#define DOC      "MicrosoftDocs/win32, PerfCtrs/specifying-a-counter-path.md"
#define LIVE     "telegraf PR 4572, answer of PdhParseCounterPathW"
#define LISTOPAD "listopad, performance_log tests"
#define RULES    "docs/reference/paths.md"

// ---- Parsing --------------------------------------------------------------------------------

// Sources provide the whole instance if they do not split off parent and index; it is then split
// according to docs/reference/paths.md.
static const struct path_row good[] = {
	{TELEGRAF, "\\O\\CT", NULL, "O", NULL, NULL, 0, "CT"},
	{TELEGRAF, "\\O\\CT(i)", NULL, "O", NULL, NULL, 0, "CT(i)"},
	{TELEGRAF, "\\O\\CT(d:\\f\\i)", NULL, "O", NULL, NULL, 0, "CT(d:\\f\\i)"},
	{TELEGRAF, "\\\\CM\\O\\CT", "CM", "O", NULL, NULL, 0, "CT"},
	{TELEGRAF, "\\O(I)\\CT", NULL, "O", NULL, "I", 0, "CT"},
	{TELEGRAF, "\\O(I)\\CT(i)", NULL, "O", NULL, "I", 0, "CT(i)"},
	{TELEGRAF, "\\O(I)\\CT(i)x", NULL, "O", NULL, "I", 0, "CT(i)x"},
	{TELEGRAF, "\\O(I)\\CT(d:\\f\\i)", NULL, "O", NULL, "I", 0, "CT(d:\\f\\i)"},
	{TELEGRAF, "\\\\CM\\O(I)\\CT", "CM", "O", NULL, "I", 0, "CT"},
	{TELEGRAF, "\\O(d:\\f\\I)\\CT", NULL, "O", NULL, "d:\\f\\I", 0, "CT"},
	{TELEGRAF, "\\O(d:\\f\\I(d))\\CT", NULL, "O", NULL, "d:\\f\\I(d)", 0, "CT"},
	{TELEGRAF, "\\O(d:\\f\\I(d)x)\\CT", NULL, "O", NULL, "d:\\f\\I(d)x", 0, "CT"},
	{TELEGRAF, "\\O(d:\\f\\I)\\CT(i)", NULL, "O", NULL, "d:\\f\\I", 0, "CT(i)"},
	{TELEGRAF, "\\O(d:\\f\\I)\\CT(d:\\f\\i)", NULL, "O", NULL, "d:\\f\\I", 0, "CT(d:\\f\\i)"},
	{TELEGRAF, "\\\\CM\\O(d:\\f\\I)\\CT", "CM", "O", NULL, "d:\\f\\I", 0, "CT"},
	{TELEGRAF, "\\\\CM\\O(d:\\f\\I)\\CT(d:\\f\\i)", "CM", "O", NULL, "d:\\f\\I", 0,
	 "CT(d:\\f\\i)"},
	{TELEGRAF, "\\O(I(info))\\CT", NULL, "O", NULL, "I(info)", 0, "CT"},
	{TELEGRAF, "\\\\CM\\O(I(info))\\CT", "CM", "O", NULL, "I(info)", 0, "CT"},
	{LIVE, "\\\\host\\object(d:\\f\\I(a)x)\\counter(d:\\f(d)\\i)", "host", "object", NULL,
	 "d:\\f\\I(a)x", 0, "counter(d:\\f(d)\\i)"},
	{LISTOPAD, "\\\\SRV-01\\Процесс(rphost#1)\\% загруженности процессора", "SRV-01", "Процесс",
	 NULL, "rphost", 1, "% загруженности процессора"},
	{LISTOPAD, "\\\\SRV-01\\Память\\Доступно МБ", "SRV-01", "Память", NULL, NULL, 0,
	 "Доступно МБ"},
	{LISTOPAD, "\\\\1C\\Физический диск(0 C:)\\Средняя длина очереди диска", "1C",
	 "Физический диск", NULL, "0 C:", 0, "Средняя длина очереди диска"},
	// The ten shapes; `index` means digits.
	{DOC, "\\\\computer\\object(parent/instance#7)\\counter", "computer", "object", "parent",
	 "instance", 7, "counter"},
	{DOC, "\\\\computer\\object(parent/instance)\\counter", "computer", "object", "parent",
	 "instance", 0, "counter"},
	{DOC, "\\\\computer\\object(instance#7)\\counter", "computer", "object", NULL, "instance",
	 7, "counter"},
	{DOC, "\\\\computer\\object(instance)\\counter", "computer", "object", NULL, "instance", 0,
	 "counter"},
	{DOC, "\\\\computer\\object\\counter", "computer", "object", NULL, NULL, 0, "counter"},
	{DOC, "\\object(parent/instance#7)\\counter", NULL, "object", "parent", "instance", 7,
	 "counter"},
	{DOC, "\\object(parent/instance)\\counter", NULL, "object", "parent", "instance", 0,
	 "counter"},
	{DOC, "\\object(instance#7)\\counter", NULL, "object", NULL, "instance", 7, "counter"},
	{DOC, "\\object(instance)\\counter", NULL, "object", NULL, "instance", 0, "counter"},
	{DOC, "\\object\\counter", NULL, "object", NULL, NULL, 0, "counter"},
	{WINE, "\\\\machine\\object(parent/instance#1)\\counter", "machine", "object", "parent",
	 "instance", 1, "counter"},
	{WINE, "\\\\machine\\object(instance#1)\\counter", "machine", "object", NULL, "instance", 1,
	 "counter"},
	{WINE, "\\\\machine\\object\\counter", "machine", "object", NULL, NULL, 0, "counter"},
	{WINE, "\\object\\counter", NULL, "object", NULL, NULL, 0, "counter"},
	// Refused by telegraf's own parser; taken by these rules. PDH's verdict is not known.
	{RULES, "\\OI)\\C", NULL, "OI)", NULL, NULL, 0, "C"},
	{RULES, "\\CM\\O(I)\\C", NULL, "CM", NULL, NULL, 0, "O(I)\\C"},
	{RULES, "\\CM\\O\\C", NULL, "CM", NULL, NULL, 0, "O\\C"},
	{RULES, "\\\\C\\O(I)\\C)", "C", "O", NULL, "I", 0, "C)"},
	{RULES, "\\\\C\\O\\C)", "C", "O", NULL, NULL, 0, "C)"},
	// Names with unusual characters.
	{RULES, "\\Wait Statistics(Average wait time (ms))\\Lock waits", NULL, "Wait Statistics",
	 NULL, "Average wait time (ms)", 0, "Lock waits"},
	{RULES, "\\Process(a))\\ID", NULL, "Process", NULL, "a)", 0, "ID"},
	{RULES, "\\Process(a)b(c))\\ID", NULL, "Process", NULL, "a)b(c)", 0, "ID"},
	{RULES, "\\O\\C", NULL, "O", NULL, NULL, 0, "C"},
	{RULES, "\\Q\\C", NULL, "Q", NULL, NULL, 0, "C"},
	{RULES, "\\O()\\C", NULL, "O", NULL, "", 0, "C"},
	{RULES, "\\O(/)\\C", NULL, "O", "", "", 0, "C"},
	{RULES, "\\O(a/)\\C", NULL, "O", "a", "", 0, "C"},
	{RULES, "\\O(a/b/c)\\C", NULL, "O", "a", "b/c", 0, "C"},
	{RULES, "\\O(a(b/c)/d)\\C", NULL, "O", "a(b/c)", "d", 0, "C"},
	{RULES, "\\O(a(b c/d)/e)\\C", NULL, "O", "a(b c/d)", "e", 0, "C"},
	{RULES, "\\O(a)/b)\\C", NULL, "O", "a)", "b", 0, "C"},
	{RULES, "\\O(a,b)\\C", NULL, "O", NULL, "a,b", 0, "C"},
	{RULES, "\\O\\\\", NULL, "O", NULL, NULL, 0, "\\"},
	// Indexes.
	{RULES, "\\O(#1)\\C", NULL, "O", NULL, "", 1, "C"},
	{RULES, "\\O(a#1#2)\\C", NULL, "O", NULL, "a#1", 2, "C"},
	{RULES, "\\O(a#1#0)\\C", NULL, "O", NULL, "a#1#0", 0, "C"},
	{RULES, "\\O(a#9)\\C", NULL, "O", NULL, "a", 9, "C"},
	{RULES, "\\O(a#90)\\C", NULL, "O", NULL, "a", 90, "C"},
	{RULES, "\\O(a#:)\\C", NULL, "O", NULL, "a#:", 0, "C"}, // next to the digits in ASCII
	{RULES, "\\O(a#1/)\\C", NULL, "O", "a#1", "", 0, "C"},
	{RULES, "\\O(a#)\\C", NULL, "O", NULL, "a#", 0, "C"},
	{RULES, "\\O(a#b)\\C", NULL, "O", NULL, "a#b", 0, "C"},
	{RULES, "\\O(a#1b)\\C", NULL, "O", NULL, "a#1b", 0, "C"},
	{RULES, "\\O(a#-1)\\C", NULL, "O", NULL, "a#-1", 0, "C"},
	{RULES, "\\O(a#01)\\C", NULL, "O", NULL, "a#01", 0, "C"},
	{RULES, "\\O(a#00)\\C", NULL, "O", NULL, "a#00", 0, "C"},
	{RULES, "\\O(a#2147483647)\\C", NULL, "O", NULL, "a", INT32_MAX, "C"},
	{RULES, "\\O(a#2147483648)\\C", NULL, "O", NULL, "a#2147483648", 0, "C"},
	{RULES, "\\O(a#99999999999999999999)\\C", NULL, "O", NULL, "a#99999999999999999999", 0,
	 "C"},
	{RULES, "\\O(a#*)\\C", NULL, "O", NULL, "a#*", 0, "C"},
	{RULES, "\\Thread(Explorer/0#1)\\ID", NULL, "Thread", "Explorer", "0", 1, "ID"},
	{RULES, "\\O(a#1/b)\\C", NULL, "O", "a#1", "b", 0, "C"},
};

static void
paths_are_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++) {
		const char *text = good[i].text;
		struct pmon_path path;

		T_EQ_BOOL_AT(pmon_path_parse(t_span(text), &path, NULL), true, text);
		path_is(&path, &good[i]);
	}
}

static void
parsed_paths_print_as_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++) {
		struct pmon_path path;
		char buf[256];

		assert_true(pmon_path_parse(t_span(good[i].text), &path, NULL));
		T_EQ_U64_AT(pmon_path_format(&path, buf, sizeof(buf)), strlen(good[i].text),
			    good[i].text);
		T_EQ_STR(buf, good[i].text);
	}
}

#define NO_START   "a path begins with '\\'"
#define NO_OBJECT  "no object follows the machine name"
#define NO_COUNTER "no counter follows the object"
#define NO_CLOSING "no closing ')' followed by '\\' and a counter"

static const struct {
	const char *source;
	const char *text;
	size_t at;
	const char *why;
} bad[] = {
	{TELEGRAF, "\\O(I\\C", 2, NO_CLOSING},
	{TELEGRAF, "\\O/C", 4, NO_COUNTER},
	{TELEGRAF, "\\O(I/C", 2, NO_CLOSING},
	{TELEGRAF, "\\O(I/C)", 2, NO_CLOSING},
	{TELEGRAF, "\\O(I\\)C", 2, NO_CLOSING},
	{TELEGRAF, "\\O(I\\C)", 2, NO_CLOSING},
	{"Wine 4705f8fe, test_PdhValidatePath", "\\System", 7, NO_COUNTER},
	{"Wine 4705f8fe, test_PdhValidatePath", "System Up Time", 0, NO_START},
	{RULES, "", 0, "the path is empty"},
	{RULES, "\\", 1, NO_COUNTER},
	{RULES, "Memory\\Pages/sec", 0, NO_START},
	{RULES, "/O/C", 0, NO_START},
	{RULES, "\\\\", 2, "the machine name is empty"},
	{RULES, "\\\\\\O\\C", 2, "the machine name is empty"},
	{RULES, "\\\\SRV", 5, NO_OBJECT},
	{RULES, "\\\\SRV\\", 6, NO_COUNTER},
	{RULES, "\\\\SRV\\Memory", 12, NO_COUNTER},
	{RULES, "\\\\SRV\\\\C", 6, "the object name is empty"},
	{RULES, "\\(I)\\C", 1, "the object name is empty"},
	{RULES, "\\O\\", 3, "the counter is empty"},
	{RULES, "\\O(I)\\", 6, "the counter is empty"},
	{RULES, "\\O(I)", 2, NO_CLOSING},
	{RULES, "\\O(I)C", 2, NO_CLOSING},
	{RULES, "\\O(I(a)\\C", 2, NO_CLOSING},
	{RULES, "\\O(", 2, NO_CLOSING},
};

static void
other_texts_are_refused_with_place_and_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(bad); i++) {
		struct pmon_path path = {.object = {"x", 1}};
		struct pmon_path_error why = {99, NULL};

		T_EQ_BOOL_AT(pmon_path_parse(t_span(bad[i].text), &path, &why), false, bad[i].text);
		T_EQ_U64_AT(why.at, bad[i].at, bad[i].text);
		T_EQ_STR_AT(why.text, bad[i].why, bad[i].text);
		path_is_none(&path, bad[i].text);
		assert_false(pmon_path_parse(t_span(bad[i].text), &path, NULL));
	}
	assert_false(pmon_path_parse((struct pmon_span){NULL, 0}, &(struct pmon_path){0}, NULL));
}

// ---- The vectors themselves -----------------------------------------------------------------

// Telegraf calls these invalid, being stricter than the rules.
static bool
is_taken_by_us(const char *text)
{
	static const char *const taken[] = {"\\OI)\\C", "\\CM\\O(I)\\C", "\\CM\\O\\C",
					    "\\\\C\\O(I)\\C)", "\\\\C\\O\\C)"};

	for (size_t i = 0; i < T_LEN(taken); i++)
		if (strcmp(text, taken[i]) == 0)
			return true;
	return false;
}

static const char *
present_or_null(const char *field)
{
	return field[0] != '\0' ? field : NULL;
}

// The whole instance of the path, as the vectors have it, is what the path prints in parentheses.
static void
check_parts(const struct t_csv *csv, const struct pmon_path *path)
{
	const char *text = t_csv_get(csv, "path");
	const char *instance = present_or_null(t_csv_get(csv, "instance"));
	char printed[256] = "";
	struct pmon_path only = *path;

	if (t_csv_get(csv, "object")[0] == '\0')
		return; // the vector does not say
	T_EQ_SPAN_AT(path->machine, present_or_null(t_csv_get(csv, "machine")), text);
	T_EQ_SPAN_AT(path->object, t_csv_get(csv, "object"), text);
	T_EQ_SPAN_AT(path->counter, t_csv_get(csv, "counter"), text);
	T_EQ_BOOL_AT(path->instance.ptr != NULL, instance != NULL, text);
	if (instance == NULL)
		return;
	only.machine = only.object = only.counter = (struct pmon_span){NULL, 0};
	pmon_path_format(&only, printed, sizeof(printed));
	T_EQ_SPAN_AT(((struct pmon_span){printed + 2, strlen(printed) - 4}), instance, text);
}

static void
the_vectors_of_others(void **state)
{
	size_t rows = 0;
	struct t_csv csv;

	(void)state;
	t_csv_open_data(&csv, "vectors/path_vectors.csv");
	for (; t_csv_next(&csv); rows++) {
		const char *text = t_csv_get(&csv, "path");
		const char *verdict = t_csv_get(&csv, "verdict");
		bool is_path = strcmp(verdict, "ok") == 0 || strcmp(verdict, "make") == 0 ||
			       is_taken_by_us(text);
		struct pmon_path path;

		if (text[0] == '\0')
			continue; // about calls with arguments other than a path
		T_EQ_BOOL_AT(pmon_path_parse(t_span(text), &path, NULL), is_path, text);
		if (is_path && !is_taken_by_us(text))
			check_parts(&csv, &path);
	}
	t_csv_close(&csv);
	assert_true(rows >= 50);
}

// ---- Printing -------------------------------------------------------------------------------

static const struct {
	const char *source;
	struct pmon_path path;
	const char *text;
} made[] = {
#define S(s)                                                                                       \
	{                                                                                          \
		(s), sizeof(s) - 1                                                                 \
	}
#define NONE                                                                                       \
	{                                                                                          \
		NULL, 0                                                                            \
	}
	{WINE,
	 {S("machine"), S("object"), S("parent"), S("instance"), 1, S("counter")},
	 "\\\\machine\\object(parent/instance#1)\\counter"},
	{WINE,
	 {S("machine"), S("object"), NONE, S("instance"), 1, S("counter")},
	 "\\\\machine\\object(instance#1)\\counter"},
	{WINE,
	 {S("machine"), S("object"), NONE, NONE, 0, S("counter")},
	 "\\\\machine\\object\\counter"},
	// Without an instance parent and index are ignored.
	{WINE,
	 {S("machine"), S("object"), S("parent"), NONE, 1, S("counter")},
	 "\\\\machine\\object\\counter"},
	{WINE, {NONE, S("object"), NONE, NONE, 0, S("counter")}, "\\object\\counter"},
	{"docs: index 0 is omitted",
	 {NONE, S("object"), NONE, S("instance"), 0, S("counter")},
	 "\\object(instance)\\counter"},
	{"path.h", {NONE, S("O"), NONE, S("a"), PMON_INDEX_ANY, S("C")}, "\\O(a#*)\\C"},
	{"path.h", {NONE, S("O"), NONE, S("a"), PMON_INDEX_NONE, S("C")}, "\\O(a)\\C"},
	{"path.h", {S(""), S("O"), S(""), S(""), 0, S("C")}, "\\O(/)\\C"},
};

static void
paths_are_printed(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(made); i++) {
		char buf[128];

		T_EQ_U64_AT(pmon_path_format(&made[i].path, buf, sizeof(buf)), strlen(made[i].text),
			    made[i].source);
		T_EQ_STR_AT(buf, made[i].text, made[i].source);
	}
}

// A buffer of any size is never filled past its end (the sanitizers watch the heap); a cut path ends with "...".
static void
printing_is_cut_by_the_buffer(void **state)
{
	const struct pmon_path *path = &made[0].path;
	size_t len = strlen(made[0].text);

	(void)state;
	T_EQ_U64(pmon_path_format(path, NULL, 0), len);
	for (size_t size = 1; size <= len + 1; size++) {
		size_t kept = size > len || size < sizeof("...") ? size - 1 : size - sizeof("...");
		char *buf = malloc(size);

		assert_non_null(buf);
		T_EQ_U64(pmon_path_format(path, buf, size), len);
		assert_int_equal(strlen(buf), size - 1);
		assert_memory_equal(buf, made[0].text, kept);
		T_EQ_STR(buf + kept, kept == size - 1 ? "" : "...");
		free(buf);
	}
}

// ---- Damaged texts --------------------------------------------------------------------------

static void
check_is_stable(const char *text, size_t len)
{
	struct pmon_path path;
	struct pmon_path again;
	struct pmon_path_error why;
	char printed[512];
	char reprinted[512];
	size_t n;

	if (!pmon_path_parse((struct pmon_span){text, len}, &path, &why)) {
		assert_true(why.at <= len && why.text != NULL);
		return;
	}
	n = pmon_path_format(&path, printed, sizeof(printed));
	assert_true(n < sizeof(printed));
	if (!pmon_path_parse((struct pmon_span){printed, n}, &again, NULL))
		fail_msg("\"%.*s\" prints what is no path", (int)len, text);
	if (!pmon_path_same(&path, &again))
		fail_msg("\"%.*s\" prints another path, \"%s\"", (int)len, text, printed);
	T_EQ_U64(pmon_path_format(&again, reprinted, sizeof(reprinted)), n);
	assert_memory_equal(printed, reprinted, n);
	// Only a written index 0 is not printed again.
	if (n == len)
		assert_memory_equal(printed, text, len);
	else
		assert_true(n + 2 == len && memchr(text, '#', len) != NULL);
}

static size_t
mutate(struct t_rand *r, char *text, size_t len, size_t size)
{
	static const char marks[] = "\\()/#*?0129a\xD0";
	size_t at = t_rand_below(r, len + 1);
	char mark = marks[t_rand_below(r, sizeof(marks) - 1)];

	switch (t_rand_below(r, 3)) {
	case 0: // put one in
		if (len == size)
			return len;
		memmove(text + at + 1, text + at, len - at);
		text[at] = mark;
		return len + 1;
	case 1: // take one out
		if (at == len)
			return len;
		memmove(text + at, text + at + 1, len - at - 1);
		return len - 1;
	default:
		if (at < len)
			text[at] = mark;
		return len;
	}
}

// The text ends at the end of its block, so that reading past it is detected.
static void
check_at_block_end(const char *text, size_t len)
{
	char *block = malloc(len + 1);

	assert_non_null(block);
	memcpy(block + 1, text, len);
	check_is_stable(block + 1, len);
	free(block);
}

static void
damaged_paths_are_stable(void **state)
{
	struct t_rand r = {3};

	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++)
		for (int turn = 0; turn < 500; turn++) {
			char text[128];
			size_t len = strlen(good[i].text);

			memcpy(text, good[i].text, len);
			for (size_t n = t_rand_below(&r, 6); n > 0; n--)
				len = mutate(&r, text, len, sizeof(text));
			check_at_block_end(text, len);
		}
}

static void
every_beginning_of_a_path_is_stable(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++)
		for (size_t len = 0; len < strlen(good[i].text); len++)
			check_at_block_end(good[i].text, len);
}

// ---- Comparing --------------------------------------------------------------------------------

static void
paths_are_the_same_when_they_print_the_same(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++)
		for (size_t j = 0; j < T_LEN(good); j++) {
			struct pmon_path a;
			struct pmon_path b;
			char label[256];

			snprintf(label, sizeof(label), "%s and %s", good[i].text, good[j].text);
			assert_true(pmon_path_parse(t_span(good[i].text), &a, NULL));
			assert_true(pmon_path_parse(t_span(good[j].text), &b, NULL));
			T_EQ_BOOL_AT(pmon_path_same(&a, &b),
				     strcmp(good[i].text, good[j].text) == 0, label);
		}
}

static void
letter_case_is_ignored(void **state)
{
	struct pmon_path a;
	struct pmon_path b;

	(void)state;
	assert_true(pmon_path_parse(t_span("\\\\Srv\\Процесс(A/b#1)\\ID"), &a, NULL));
	assert_true(pmon_path_parse(t_span("\\\\SRV\\процесс(a/B#1)\\id"), &b, NULL));
	assert_true(pmon_path_same(&a, &b));
}

// In a pattern no index is another thing than index 0, and prints the same; #* prints.
static void
patterns_are_compared_as_they_print(void **state)
{
	struct pmon_path path;
	struct pmon_path none;
	struct pmon_path any;

	(void)state;
	assert_true(pmon_path_parse(t_span("\\P(a)\\C"), &path, NULL));
	assert_true(pmon_pattern_parse(t_span("\\P(a)\\C"), &none, NULL));
	assert_true(pmon_pattern_parse(t_span("\\P(a#*)\\C"), &any, NULL));
	assert_true(pmon_path_same(&path, &none));
	assert_false(pmon_path_same(&any, &path));
	assert_false(pmon_path_same(&any, &none));
	assert_true(pmon_path_same(&any, &any));
}

// The instance of a struct is split like the same text in the parentheses of a path, with at most
// one parent and one index; otherwise it is unchanged.
static void
instances_are_divided(void **state)
{
	static const struct {
		const char *parent; // NULL: none
		const char *instance;
		int32_t index;
		const char *want_parent;
		const char *want_instance;
		int32_t want_index;
	} rows[] = {
		{NULL, "svchost", 0, NULL, "svchost", 0},
		{NULL, "svchost#3", 0, NULL, "svchost", 3},
		{NULL, "Explorer/0", 0, "Explorer", "0", 0},
		{NULL, "Explorer/0#2", 0, "Explorer", "0", 2},
		{NULL, "a(b/c)", 0, NULL, "a(b/c)", 0},
		{NULL, "a)b/c", 0, "a)b", "c", 0},
		// In a path the parentheses would end elsewhere.
		{NULL, "a/b(", 0, NULL, "a/b(", 0},
		{NULL, "a)\\x/b#1", 0, NULL, "a)\\x/b#1", 0},
		// One of both is known.
		{NULL, "b#2", 1, NULL, "b#2", 1},
		{"p", "a/b", 0, "p", "a/b", 0},
		{"p", "b#2", 0, "p", "b", 2},
		{NULL, "a/b", 5, "a", "b", 5},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_path path = {.instance = t_span(rows[i].instance),
					 .index = rows[i].index};

		if (rows[i].parent != NULL)
			path.parent = t_span(rows[i].parent);
		pmon_path_split_instance(&path);
		T_EQ_SPAN_AT(path.instance, rows[i].want_instance, rows[i].instance);
		T_EQ_I64_AT(path.index, rows[i].want_index, rows[i].instance);
		T_EQ_BOOL_AT(path.parent.ptr != NULL, rows[i].want_parent != NULL,
			     rows[i].instance);
		if (rows[i].want_parent != NULL)
			T_EQ_SPAN_AT(path.parent, rows[i].want_parent, rows[i].instance);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_taken_apart),
		cmocka_unit_test(parsed_paths_print_as_written),
		cmocka_unit_test(other_texts_are_refused_with_place_and_reason),
		cmocka_unit_test(the_vectors_of_others),
		cmocka_unit_test(paths_are_printed),
		cmocka_unit_test(printing_is_cut_by_the_buffer),
		cmocka_unit_test(damaged_paths_are_stable),
		cmocka_unit_test(every_beginning_of_a_path_is_stable),
		cmocka_unit_test(paths_are_the_same_when_they_print_the_same),
		cmocka_unit_test(letter_case_is_ignored),
		cmocka_unit_test(patterns_are_compared_as_they_print),
		cmocka_unit_test(instances_are_divided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
