// test_counter_help.c - what the common counters measure
// SPDX-License-Identifier: MIT

#include <stdlib.h>

#include <pmon/model.h>

#include "t.h"

static const char *
help_of(const char *text)
{
	struct pmon_counter_help help;
	struct pmon_path path;
	struct pmon_path_error err;

	assert_true(pmon_path_parse(t_span(text), &path, &err));
	if (!pmon_counter_help(&path, &help))
		return NULL;
	assert_true(help.source[0] != '\0');
	return help.text;
}

static void
machines_instances_and_case_do_not_matter(void **state)
{
	const char *help = help_of("\\Memory\\Available MBytes");

	(void)state;
	assert_non_null(help);
	T_EQ_STR(help_of("\\\\SRV\\MEMORY\\available mbytes"), help);
	help = help_of("\\PhysicalDisk(0 C:)\\Avg. Disk sec/Read");
	assert_non_null(help);
	T_EQ_STR(help_of("\\LogicalDisk(_Total)\\Avg. Disk sec/Read"), help);
	assert_null(help_of("\\Memory\\Avg. Disk sec/Read"));
	assert_null(help_of("\\Nobody\\Knows"));
}

// SQL Server names its objects by its instance.
static void
instances_of_sql_server(void **state)
{
	const char *help = help_of("\\SQLServer:Buffer Manager\\Page life expectancy");

	(void)state;
	assert_non_null(help);
	T_EQ_STR(help_of("\\MSSQL$TWO:Buffer Manager\\Page life expectancy"), help);
	assert_null(help_of("\\Other:Buffer Manager\\Page life expectancy"));
}

// Counters from real logs with their types (known_counters.csv): what the table says about them
// must fit the type. A rate is described as per second, a share as a share.
static void
helps_fit_the_types(void **state)
{
	struct t_csv csv;
	size_t n = 0;

	(void)state;
	t_csv_open_data(&csv, "vectors/known_counters.csv");
	while (t_csv_next(&csv)) {
		uint32_t word = (uint32_t)strtoul(t_csv_get(&csv, "type word"), NULL, 16);
		const struct pmon_counter_type *type = pmon_type_by_word(word);
		struct pmon_path path = {.object = t_span(t_csv_get(&csv, "object")),
					 .counter = t_span(t_csv_get(&csv, "counter"))};
		struct pmon_counter_help help;

		if (type == NULL || !pmon_counter_help(&path, &help))
			continue;
		n++;
		if (type->formula == PMON_FORMULA_RATE)
			assert_non_null(strstr(help.text, "per second"));
		if (type->formula == PMON_FORMULA_COUNT)
			assert_null(strstr(help.text, "per second"));
	}
	t_csv_close(&csv);
	assert_true(n >= 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_instances_and_case_do_not_matter),
		cmocka_unit_test(instances_of_sql_server),
		cmocka_unit_test(helps_fit_the_types),
	};

	return cmocka_run_group_tests_name("counter_help", tests, NULL, NULL);
}
