// test_push_ledger.c - ledgers as texts, and questions between additions
// SPDX-License-Identifier: MIT
//
// A digest as text is two numbers of 16 hexadecimal digits.

#include "t.h"

#include <stdlib.h>

#include "push/ledger.h"

static bool
has(struct pmon_push_ledger *ledger, uint64_t a, uint64_t b)
{
	const struct pmon_hash128 batch = {a, b};

	return pmon_push_ledger_has(ledger, &batch, 10);
}

// The text ends at the end of its block, so that reading past it is detected.
static void
add_text(struct pmon_push_ledger *ledger, const char *text)
{
	size_t len = strlen(text);
	char *block = malloc(len + 1);

	assert_non_null(block);
	memcpy(block + 1, text, len);
	assert_int_equal(
		pmon_push_ledger_add_text(ledger, (struct pmon_span){block + 1, len}, NULL),
		PMON_OK);
	free(block);
}

static void
texts_are_taken_line_by_line(void **state)
{
	struct pmon_push_ledger ledger;

	(void)state;
	pmon_push_ledger_init(&ledger, NULL);
	add_text(&ledger, "");
	assert_false(has(&ledger, 0, 0));
	add_text(&ledger, "0000000000000001000000000000000a\n"
			  "no digest\n"
			  "\n"
			  "00000000000000ff0000000000000000"); // the last line without an end
	T_EQ_U64(ledger.n, 2);
	assert_true(has(&ledger, 1, 10));
	assert_true(has(&ledger, 255, 0));
	assert_false(has(&ledger, 1, 0));
	add_text(&ledger, "0000000000000003000000000000000"); // cut off
	T_EQ_U64(ledger.n, 2);
	pmon_push_ledger_free(&ledger);
}

// A batch of 10 rows is stored if its places have 10 together; a place that names no number has all.
static void
parts_of_a_batch_add_up(void **state)
{
	static const struct {
		const char *text;
		bool is_stored;
	} rows[] = {
		{"00000000000000010000000000000002\t10\n", true},
		{"00000000000000010000000000000002\t9\n", false},
		{"00000000000000010000000000000002\t9\n00000000000000010000000000000003\t1\n",
		 false},
		{"00000000000000010000000000000002\t4\n00000000000000010000000000000003\t1\n"
		 "00000000000000010000000000000002\t6",
		 true},
		{"00000000000000010000000000000002\t1\n00000000000000010000000000000002\n", true},
		{"00000000000000010000000000000002\t\n", false},
		{"00000000000000010000000000000002\tten\n", false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_push_ledger ledger;

		pmon_push_ledger_init(&ledger, NULL);
		add_text(&ledger, rows[i].text);
		T_EQ_I64_AT(has(&ledger, 1, 2), rows[i].is_stored, rows[i].text);
		pmon_push_ledger_free(&ledger);
	}
}

// An entry added after a query is found by the next one, wherever it belongs.
static void
batches_may_come_after_a_question(void **state)
{
	struct pmon_push_ledger ledger;

	(void)state;
	pmon_push_ledger_init(&ledger, NULL);
	for (uint64_t i = 20; i > 0; i--) {
		const struct pmon_hash128 batch = {i, 100 - i};

		assert_false(pmon_push_ledger_has(&ledger, &batch, 10));
		assert_int_equal(pmon_push_ledger_add(&ledger, &batch, NULL), PMON_OK);
		for (uint64_t k = i; k <= 20; k++)
			assert_true(has(&ledger, k, 100 - k));
	}
	pmon_push_ledger_free(&ledger);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_taken_line_by_line),
		cmocka_unit_test(parts_of_a_batch_add_up),
		cmocka_unit_test(batches_may_come_after_a_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
