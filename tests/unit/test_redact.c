// test_redact.c - names of machines, databases and users become words
// SPDX-License-Identifier: MIT
//
// tests/web/test_modules.mjs reads the same table.

#include "t.h"

#include <stdlib.h>

#include "memsource.h"
#include "shell/output/redact.h"

#define MOST 64

static struct redaction redaction;

static void
begin(const char *const *paths, size_t n)
{
	struct mem_source *m = mem_source_new();
	struct pmon_source *source;

	for (size_t i = 0; i < n; i++)
		(void)mem_source_series(m, paths[i], PMON_PERF_COUNTER_RAWCOUNT, 1);
	source = mem_source_open(m);
	redaction = (struct redaction){.n = 0};
	redaction_add(&redaction, source);
	assert_true(redaction_end(&redaction));
	pmon_source_close(source);
}

static void
becomes(const char *text, const char *expected)
{
	char *redacted = redaction_text(&redaction, (struct pmon_span){text, strlen(text)});

	T_EQ_STR(redacted, expected);
	free(redacted);
}

static void
test_table(void **state)
{
	struct t_csv csv;
	char *paths[MOST];
	char *expected[MOST];
	size_t n = 0;

	(void)state;
	t_csv_open_source(&csv, "tests/support/names.tsv");
	while (t_csv_next(&csv)) {
		assert_true(n < MOST);
		paths[n] = strdup(t_csv_get(&csv, "path"));
		expected[n] = strdup(t_csv_get(&csv, "redacted"));
		n++;
	}
	t_csv_close(&csv);
	begin((const char *const *)paths, n);
	for (size_t i = 0; i < n; i++)
		becomes(paths[i], expected[i]);
	becomes("web01_000001.blg of CORP\\jane", "machine1_000001.blg of user1");
	becomes("WEB012 and sqlservr, _Total", "WEB012 and sqlservr, _Total");
	becomes("payroll is busy 97 % (limit 1 %)", "database1 is busy 97 % (limit 1 %)");
	redaction_free(&redaction);
	for (size_t i = 0; i < n; i++)
		free(paths[i]), free(expected[i]);
}

// Of a name that was cut off, its first bytes are replaced. What does not fit then ends in "...".
static void
test_cut_off(void **state)
{
	static const char *const paths[] = {
		"\\\\WEBSERVER001\\SQLServer:Databases(Payroll)\\Transactions/sec"};
	char cut[] = "\\\\WEBSERVER001\\SQLServer:Databases(Payr";
	char whole[64] = "\\\\WEBSERVER001\\SQLServer:Databases(Payr";
	(void)state;

	begin(paths, 1);
	redaction_apply(&redaction, whole, sizeof(whole));
	T_EQ_STR(whole, "\\\\machine1\\SQLServer:Databases(Payr");
	redaction_apply(&redaction, cut, sizeof(cut));
	T_EQ_STR(cut, "\\\\machine1\\SQLServer:Databases(datab...");
	redaction_free(&redaction);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
