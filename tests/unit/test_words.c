// test_words.c - select counters by words
// SPDX-License-Identifier: MIT

#include "t.h"

#include <pmon/query.h>

#include "path/words.h"

#define RULES "docs/reference/paths.md"

// A small machine of every group, in the order of the bits below.
static const char *const paths[] = {
	"\\\\SRV1\\Processor(_Total)\\% Processor Time",
	"\\\\SRV1\\Processor(0)\\% User Time",
	"\\\\SRV1\\Process(sqlservr)\\% Processor Time",
	"\\\\SRV1\\Process(sqlservr#1)\\Working Set",
	"\\\\SRV1\\PhysicalDisk(0 C:)\\Disk Reads/sec",
	"\\\\SRV1\\LogicalDisk(C:)\\Avg. Disk sec/Write",
	"\\\\SRV1\\Memory\\Available MBytes",
	"\\\\SRV1\\Network Interface(eth0)\\Bytes Total/sec",
	"\\\\SRV1\\SQLServer:Memory Manager\\Total Server Memory (KB)",
	"\\\\SRV1\\MSSQL$TWO:Locks(Page)\\Lock Waits/sec",
	"\\\\SRV1\\Web Service(_Total)\\Current Connections",
	"\\\\SRV1\\System\\Processor Queue Length",
	"\\\\SRV1\\Prozessor(_Total)\\Prozessorzeit (%)", // German
};

static const struct {
	const char *text;
	uint32_t matches; // the bit of each path
} searches[] = {
	{"cpu", 0x1803},
	{"CPU", 0x1803},
	{"memory", 0x0040},
	{"disk", 0x0030},
	{"network", 0x0080},
	{"process", 0x000c},
	{"sql", 0x0300},
	{"web", 0x0400},
	{"process cpu", 0x0004},
	{"process memory", 0x0008},
	{"sql memory", 0x0100},
	{"disk read", 0x0010},
	{"  read   disk ", 0x0010},
	{"sqlservr", 0x000c},
	{"SQLSERVR#1", 0x0008},
	{"Process(sqlservr)", 0x0004},
	{"% Processor Time", 0x1005},
	{"% Processor", 0x1005},
	{"%", 0x1007},
	{"processor queue", 0x0800},
	{"srv1", 0x1fff},
	{"srv1 bytes", 0x00c0},
	{"Memory*", 0x0040},
	{"*memory*", 0x0140},
	{"Memory* KB", 0x0000},
	{"Avg. Disk*", 0x0020},
	{"?rocess", 0x000c},
	{"eth0", 0x0080},
	{"prozessorzeit", 0x1000},
	{"prozessorzeit cpu", 0x1000},
	{"nothing", 0x0000},
};

static void
words_select(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(searches); i++) {
		struct pmon_select *select;
		uint32_t matched = 0;

		assert_int_equal(pmon_select_new(NULL, &select, NULL), PMON_OK);
		assert_int_equal(pmon_select_add(select, t_span(searches[i].text), NULL), PMON_OK);
		for (size_t k = 0; k < T_LEN(paths); k++) {
			struct pmon_path path;

			assert_true(pmon_path_parse(t_span(paths[k]), &path, NULL));
			matched |= (uint32_t)pmon_select_want(select, &path) << k;
			// A reader that knows only the object and the counter must not skip it.
			if (k < 12 && (matched >> k & 1) != 0)
				T_EQ_BOOL_AT(pmon_select_could(select, path.object, path.counter),
					     true, searches[i].text);
		}
		T_EQ_U64_AT(matched, searches[i].matches, searches[i].text);
		pmon_select_free(select);
	}
}

static void
texts_with_a_backslash_are_paths(void **state)
{
	struct pmon_path path;
	struct pmon_path_error why;
	(void)state;

	assert_true(pmon_search_parse(t_span("Memory\\Pages/sec"), &path, NULL));
	assert_false(pmon_path_is_words(&path));
	assert_true(pmon_search_parse(t_span("Pages/sec"), &path, NULL));
	assert_true(pmon_path_is_words(&path));
	assert_false(pmon_search_parse(t_span(""), &path, &why));
	assert_false(pmon_search_parse(t_span("  "), &path, &why));
	assert_false(pmon_search_parse(t_span("\\Memory"), &path, &why));
}

// Counters of objects with wildcards or groups are decided without their instances.
static void
groups_are_known_without_instances(void **state)
{
	static const struct {
		const char *text;
		const char *object;
		const char *counter;
		bool could;
	} rows[] = {
		{"cpu", "Processor", "% Idle Time", true},
		{"cpu", "Memory", "Pages/sec", false},
		{"cpu srv7", "Memory", "Pages/sec", false},
		{"srv7", "Memory", "Pages/sec", true},
		{"disk c:", "LogicalDisk", "% Idle Time", true},
		{"disk c:", "Process", "% User Time", false},
		{"memory", "Process", "Working Set", false},
		{"memory chrome", "Process", "Working Set", true},
	};
	(void)state;

	for (size_t i = 0; i < T_LEN(rows); i++)
		T_EQ_BOOL_AT(pmon_words_could(t_span(rows[i].text), t_span(rows[i].object),
					      t_span(rows[i].counter)),
			     rows[i].could, rows[i].text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_select),
		cmocka_unit_test(texts_with_a_backslash_are_paths),
		cmocka_unit_test(groups_are_known_without_instances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
