// test_labels.c - labels of machines: which are accepted, and their order
// SPDX-License-Identifier: MIT

#include "t.h"

#include "model/labels.h"

// Prometheus, "Data model": a name matches [a-zA-Z_][a-zA-Z0-9_]*; those that begin with __ are reserved, and an
// empty value is that of a label that is not there.
static void
test_accepted(void **state)
{
	static const struct {
		const char *text;
		enum pmon_status status;
	} rows[] = {
		{"site=berlin", PMON_OK}, {"_1=x=y, z", PMON_OK},    {"s9=\xC3\xA4", PMON_OK},
		{"Site=a", PMON_E_ARG},   {"site", PMON_E_ARG},      {"site=", PMON_E_ARG},
		{"=berlin", PMON_E_ARG},  {"1a=b", PMON_E_ARG},      {"a-b=c", PMON_E_ARG},
		{"__a=b", PMON_E_ARG},    {"machine=b", PMON_E_ARG}, {"instance=b", PMON_E_ARG},
		{"a=b\nc", PMON_E_ARG},   {"a=\xC3", PMON_E_ARG},    {"\xC3\xA4=b", PMON_E_ARG},
		{"job=b", PMON_OK},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_labels labels;

		T_EQ_I64_AT(pmon_labels_parse(&rows[i].text, 1, &labels, NULL), rows[i].status,
			    rows[i].text);
	}
}

static void
test_lengths(void **state)
{
	char text[512];
	const char *given = text;
	struct pmon_labels labels;

	(void)state;
	for (size_t name = 62; name <= 64; name++)
		for (size_t value = 254; value <= 256; value++) {
			memset(text, 'a', name);
			text[name] = '=';
			memset(text + name + 1, 'b', value);
			text[name + 1 + value] = '\0';
			assert_int_equal(pmon_labels_parse(&given, 1, &labels, NULL),
					 name <= 63 && value <= 255 ? PMON_OK : PMON_E_ARG);
		}
}

static void
test_order(void **state)
{
	static const char *const texts[] = {"c=1", "a=2", "b=3"};
	static const char *const twice[] = {"c=1", "a=2", "c=1"};
	const char *many[PMON_LABELS + 1];
	struct pmon_labels labels;

	(void)state;
	assert_int_equal(pmon_labels_parse(texts, 3, &labels, NULL), PMON_OK);
	T_EQ_U64(labels.n, 3);
	T_EQ_STR(labels.list[0].name, "a");
	T_EQ_STR(labels.list[0].value, "2");
	T_EQ_STR(labels.list[1].name, "b");
	T_EQ_STR(labels.list[2].name, "c");
	T_EQ_STR(labels.list[2].value, "1");
	assert_int_equal(pmon_labels_parse(twice, 3, &labels, NULL), PMON_E_ARG);
	for (size_t i = 0; i < T_LEN(many); i++)
		many[i] = "a=b";
	assert_int_equal(pmon_labels_parse(many, T_LEN(many), &labels, NULL), PMON_E_ARG);
	assert_int_equal(pmon_labels_parse(NULL, 0, &labels, NULL), PMON_OK);
	T_EQ_U64(labels.n, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
