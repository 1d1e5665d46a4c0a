// test_meanings.c - what counters mean: every row of the table, names of one object, tables with faults
// SPDX-License-Identifier: MIT

#include "t.h"

#include <pmon/query.h>

#include "analyze/meanings.h"

static struct meanings
shipped(void)
{
	struct meanings meanings = {.n = 0};
	size_t line = 0;

	if (!meanings_read(&meanings, meanings_text, &line))
		fail_msg("share/meanings.tsv:%zu", line);
	return meanings;
}

static bool
is_one_of(struct pmon_span text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == text.len && memcmp(list[i], text.ptr, text.len) == 0)
			return true;
	return false;
}

static void
test_each_row(void **state)
{
	static const char *const units[] = {"%",    "/s",   "count", "s",     "ms",
					    "ns",   "B",    "B/s",   "MB",    "KB",
					    "KB/s", "MB/s", "MHz",   "bit/s", "ms/s"};
	static const char *const sources[] = {"limit", "type", "name", "trial"};
	struct meanings meanings = shipped();
	size_t starting = 0;
	(void)state;

	assert_true(meanings.n >= 450);
	for (size_t i = 0; i < meanings.n; i++) {
		const struct meaning *m = &meanings.list[i];
		const struct pmon_path path = {.object = m->object, .counter = m->counter};
		char label[256];

		(void)snprintf(label, sizeof(label), "%.*s\\%.*s", (int)m->object.len,
			       m->object.ptr, (int)m->counter.len, m->counter.ptr);
		T_EQ_BOOL_AT(is_one_of(m->unit, units, T_LEN(units)), true, label);
		T_EQ_BOOL_AT(is_one_of(m->source, sources, T_LEN(sources)), true, label);
		T_EQ_BOOL_AT(meanings_of(&meanings, &path) == m, true, label);
		// What can begin an incident has a direction, and is more than merely notable.
		T_EQ_BOOL_AT(m->shift == 0 || m->worse != MEANING_NEITHER ||
				     m->kind == MEANING_CONFIGURATION,
			     true, label);
		T_EQ_BOOL_AT(m->shift == 0 || 2 * m->shift >= m->floor, true, label);
		T_EQ_BOOL_AT(m->shift == 0 || m->kind != MEANING_STARTED, true, label);
		// A label is the beginning of an incident's sentence.
		T_EQ_BOOL_AT(m->label.len == 0 || m->shift > 0, true, label);
		starting += m->shift > 0;
	}
	assert_true(starting > 100 && starting < meanings.n);
	meanings_free(&meanings);
}

// Expected: objects that Windows has several names for, and named instances of SQL Server.
static void
test_names_of_one_object(void **state)
{
	static const struct {
		const char *object;
		const char *counter;
		const char *found; // NULL: nothing
	} cases[] = {
		{"Processor Information", "% Processor Time", "Processor"},
		{"processor", "% processor time", "Processor"},
		{"Process V2", "Private Bytes", "Process"},
		{"TCPv6", "Segments Retransmitted/sec", "TCPv4"},
		{"MSSQL$SALES:Locks", "Average Wait Time (ms)", "SQLServer:Locks"},
		{"SQLServer:Locks", "Average Wait Time (ms)", "SQLServer:Locks"},
		{"ASP.NET v4.0.30319", "Requests Queued", "ASP.NET"},
		{"NTDS", "LDAP Bind Time", "DirectoryServices"},
		{"MSSQL$SALES", "Average Wait Time (ms)", NULL},
		{"Locks", "Average Wait Time (ms)", NULL},
		{"Processor", "Private Bytes", NULL},
	};
	struct meanings meanings = shipped();
	(void)state;

	for (size_t i = 0; i < T_LEN(cases); i++) {
		const struct pmon_path path = {.object = t_span(cases[i].object),
					       .counter = t_span(cases[i].counter)};
		const struct meaning *m = meanings_of(&meanings, &path);

		T_EQ_BOOL_AT(m != NULL, cases[i].found != NULL, cases[i].object);
		if (m != NULL)
			T_EQ_SPAN_AT(m->object, cases[i].found, cases[i].object);
	}
	meanings_free(&meanings);
}

// Expected: the documentation of SQL Server's Wait Statistics, whose instances are what is measured of each wait.
static void
test_measures_of_waits(void **state)
{
	static const struct {
		const char *object;
		const char *instance;
		bool found;
	} cases[] = {
		{"SQLServer:Wait Statistics", "Average wait time (ms)", true},
		{"MSSQL$SALES:Wait Statistics", "average wait time (ms)", true},
		{"SQLServer:Wait Statistics", "Cumulative wait time (ms) per second", false},
		{"SQLServer:Wait Statistics", "Waits in progress", false},
		{"MSSQL$SALES:Wait Statistics", "Waits started per second", false},
	};
	struct meanings meanings = shipped();
	(void)state;

	for (size_t i = 0; i < T_LEN(cases); i++) {
		const struct pmon_path path = {.object = t_span(cases[i].object),
					       .instance = t_span(cases[i].instance),
					       .counter = t_span("Lock waits")};

		T_EQ_BOOL_AT(meanings_of(&meanings, &path) != NULL, cases[i].found,
			     cases[i].instance);
	}
	meanings_free(&meanings);
}

#define HEAD "names of columns\n"
#define GOOD "O\tC\tdisk\tlatency\tup\ts\t0.001\t0.01\tReads/sec >= 1\t\t\t\ttype\n"

static void
test_tables_with_faults(void **state)
{
	static const struct {
		const char *text;
		size_t line;
	} cases[] = {
		{HEAD GOOD GOOD, 3},
		{HEAD "O\tC\ttape\tlatency\tup\ts\t0.001\t\t\t\t\t\ttype\n", 2},
		{HEAD "O\tC\tdisk\tlate\tup\ts\t0.001\t\t\t\t\t\ttype\n", 2},
		{HEAD "O\tC\tdisk\tlatency\tleft\ts\t0.001\t\t\t\t\t\ttype\n", 2},
		{HEAD "O\tC\tdisk\tlatency\tup\ts\t1 s\t\t\t\t\t\ttype\n", 2},
		{HEAD "O\tC\tdisk\tlatency\tup\ts\t-1\t\t\t\t\t\ttype\n", 2},
		{HEAD "O\tC\tdisk\tlatency\tup\ts\t1\tnan\t\t\t\t\ttype\n", 2},
		{HEAD GOOD "P\tC\tdisk\tlatency\tup\ts\t1\t\tReads/sec\t\t\t\ttype\n", 3},
		{HEAD "O\tC\tdisk\tlatency\tup\ts\t1\t\t\t\t\t\t\n", 2},
		{HEAD "O\tC\tdisk\tlatency\tup\ts\t1\t\t\t\t\t\ttype\tmore\n", 2},
		{HEAD "O\tC\tdisk\n", 2},
		{HEAD "\n", 2},
	};
	(void)state;

	for (size_t i = 0; i < T_LEN(cases); i++) {
		struct meanings meanings = {.n = 0};
		size_t line = 0;

		T_EQ_BOOL_AT(meanings_read(&meanings, t_span(cases[i].text), &line), false,
			     cases[i].text);
		T_EQ_U64_AT(line, cases[i].line, cases[i].text);
		meanings_free(&meanings);
	}
}

// An object of an application, which the words "sql" and "web" and its own name select.
static bool
is_of_application(struct pmon_span object)
{
	static const char *const names[] = {"SQLServer:*", "SQLAgent:*", "MSExchange*", ".NET*",
					    "Terminal Services"};

	for (size_t i = 0; i < T_LEN(names); i++)
		if (pmon_text_match(t_span(names[i]), object))
			return true;
	return false;
}

// `-c cpu` selects every counter of the resource "processor", and so on.
static void
test_words_of_groups(void **state)
{
	static const char *const words[MEANING_RESOURCES] = {
		[MEANING_PROCESSOR] = "cpu",   [MEANING_MEMORY] = "memory",
		[MEANING_DISK] = "disk",       [MEANING_NETWORK] = "network",
		[MEANING_PROCESS] = "process", [MEANING_WEB] = "web"};
	struct meanings meanings = shipped();
	(void)state;

	for (size_t i = 0; i < meanings.n; i++) {
		const struct meaning *m = &meanings.list[i];
		const struct pmon_path path = {.object = m->object, .counter = m->counter};
		struct pmon_path words_of;
		char label[256];

		(void)snprintf(label, sizeof(label), "%.*s\\%.*s", (int)m->object.len,
			       m->object.ptr, (int)m->counter.len, m->counter.ptr);
		if (words[m->resource] == NULL || is_of_application(m->object))
			continue;
		assert_true(pmon_search_parse(t_span(words[m->resource]), &words_of, NULL));
		T_EQ_BOOL_AT(pmon_path_match(&words_of, &path), true, label);
	}
	meanings_free(&meanings);
}

// pmon_choose() asks its own questions, in the library; which way a counter is worse is in the table too.
static void
test_what_is_shown_first(void **state)
{
	static const char *const instances[] = {NULL, "_Total", "0 C:"};
	struct meanings meanings = shipped();
	unsigned questions = 0;
	(void)state;

	for (size_t i = 0; i < meanings.n * T_LEN(instances); i++) {
		const struct meaning *m = &meanings.list[i / T_LEN(instances)];
		const char *instance = instances[i % T_LEN(instances)];
		struct pmon_path path = {.object = m->object, .counter = m->counter};
		struct pmon_choice choice;

		if (instance != NULL)
			path.instance = t_span(instance);
		if (!pmon_choose_could(&path, &choice))
			continue;
		questions |= 1U << choice.question;
		T_EQ_BOOL_AT(m->worse == MEANING_DOWN, choice.least, choice.label);
	}
	// Each question has a counter with a meaning.
	assert_true(questions > 1 && (questions & (questions + 1)) == 0);
	meanings_free(&meanings);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_row),
		cmocka_unit_test(test_names_of_one_object),
		cmocka_unit_test(test_measures_of_waits),
		cmocka_unit_test(test_tables_with_faults),
		cmocka_unit_test(test_words_of_groups),
		cmocka_unit_test(test_what_is_shown_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
