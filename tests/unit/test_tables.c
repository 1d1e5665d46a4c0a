// test_tables.c - performance objects as tables of instances and counters
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "model/tables.h"

// ---- Tables ---------------------------------------------------------------------------------

struct built {
	struct pmon_schema schema;
	struct pmon_tables tables;
};

// The limits are the caller's.
static void
begin(struct built *b, const struct pmon_tables *limits, const struct pmon_allocator *allocator)
{
	pmon_schema_init(&b->schema, pmon_mem_allocator(allocator));
	b->tables = *limits;
	b->tables.allocator = pmon_mem_allocator(allocator);
	b->tables.schema = &b->schema;
	pmon_tables_init(&b->tables);
	pmon_tables_begin(&b->tables);
}

static void
end(struct built *b)
{
	pmon_tables_free(&b->tables);
	pmon_schema_free(&b->schema);
}

static const struct pmon_counter counter = {.type = PMON_PERF_COUNTER_RAWCOUNT, .size_bytes = 4};
static const struct pmon_raw raw = {.multi = 1, .first = 5};

// The object in this sample, with so many counters, which are its columns.
static struct pmon_table *
object(struct built *b, const char *name, int n_counters)
{
	struct pmon_table *table;
	struct pmon_err err;
	uint32_t column;

	assert_int_equal(pmon_tables_find(&b->tables, t_span(NULL), t_span(name), &table, &err),
			 PMON_OK);
	if (pmon_table_is_begun(&b->tables, table))
		return table;
	pmon_table_begin(&b->tables, table);
	for (int i = 0; i < n_counters; i++) {
		assert_int_equal(pmon_table_column(&b->tables, table, i, t_span("C"), &counter,
						   &column, &err),
				 PMON_OK);
		T_EQ_I64(column, i);
	}
	return table;
}

static enum pmon_status
put(struct built *b, struct pmon_table *table, struct pmon_table_row *row, uint32_t column,
    struct pmon_err *err)
{
	return pmon_table_put(&b->tables, table, row, column, &raw, err);
}

// Add a value of the next instance of a name. Also PMON_OK if the instance is skipped.
static enum pmon_status
put_instance(struct built *b, struct pmon_table *table, struct pmon_span instance,
	     struct pmon_err *err)
{
	struct pmon_table_row *row;
	enum pmon_status status =
		pmon_table_row(&b->tables, table, t_span(NULL), instance, &row, err);

	return status == PMON_OK && row != NULL ? put(b, table, row, 0, err) : status;
}

// ---- Limits ---------------------------------------------------------------------------------

static void
too_many_objects(void **state)
{
	struct pmon_table *table;
	struct pmon_err err;
	struct built b;
	char name[16];

	(void)state;
	begin(&b, &(struct pmon_tables){.limit = 100, .wanted_limit = 200}, NULL);
	for (int i = 0; i < 256; i++) {
		(void)snprintf(name, sizeof(name), "O%d", i);
		(void)object(&b, name, 0);
	}
	T_EQ_I64(pmon_tables_find(&b.tables, t_span(NULL), t_span("one more"), &table, &err),
		 PMON_E_LIMIT);
	T_EQ_STR(err.msg, "more than 256 objects in one log");
	end(&b);
}

static void
too_many_counters_of_an_object(void **state)
{
	struct pmon_table *table;
	struct pmon_err err;
	struct built b;
	uint32_t column;

	(void)state;
	begin(&b, &(struct pmon_tables){.limit = 0}, NULL);
	table = object(&b, "O", 4096);
	T_EQ_I64(pmon_table_column(&b.tables, table, 4096, t_span("C"), &counter, &column, &err),
		 PMON_E_FORMAT);
	T_EQ_STR(err.msg, "an object has too many counters");
	end(&b);
}

// Instances a to e have a counter each, and the log may have three instances. Further ones are
// rejected or skipped, and the first three continue.
static void
too_many_instances(void **state)
{
	static const struct {
		struct pmon_tables limits;
		enum pmon_status status;
		const char *why;
		size_t n; // of counters that are there
	} cases[] = {
		{{.limit = 3}, PMON_E_LIMIT, "more than 3 instances in one log", 3},
		{{.limit = 9, .wanted_limit = 3},
		 PMON_E_LIMIT,
		 "more than 3 instances in one log",
		 3},
		{{.limit = 3, .leave_out = true}, PMON_OK, "", 2}, // the object counts too
		{{.limit = 9, .leave_out = true}, PMON_OK, "", 5},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		enum pmon_status status = PMON_OK;
		struct pmon_err err = {.status = PMON_OK};
		struct built b;

		begin(&b, &cases[i].limits, NULL);
		for (const char *c = "abcde"; *c != '\0' && status == PMON_OK; c++)
			status = put_instance(&b, object(&b, "O", 1), (struct pmon_span){c, 1},
					      &err);
		T_EQ_I64(status, cases[i].status);
		T_EQ_STR(err.msg, cases[i].why);
		T_EQ_U64(pmon_schema_count(&b.schema), cases[i].n);
		T_EQ_I64(b.tables.has_left_out, cases[i].limits.leave_out && cases[i].n < 5);
		// what is there has its value in the next sample
		pmon_tables_begin(&b.tables);
		T_EQ_I64(put_instance(&b, object(&b, "O", 1), t_span("a"), &err), PMON_OK);
		T_EQ_U64(b.tables.n, 1);
		// a second one of the name is new, and left out
		if (b.tables.has_left_out) {
			T_EQ_I64(put_instance(&b, object(&b, "O", 1), t_span("a"), &err), PMON_OK);
			T_EQ_U64(b.tables.n, 1);
		}
		end(&b);
	}
}

// An object that gets more counters than the log may have, after its instance: the first ones are
// kept.
static void
too_many_counters_of_an_instance(void **state)
{
	(void)state;
	for (int leave_out = 0; leave_out < 2; leave_out++) {
		struct pmon_table_row *row;
		struct pmon_table *table;
		struct pmon_err err;
		struct built b;
		uint32_t column;

		begin(&b, &(struct pmon_tables){.limit = 4, .leave_out = leave_out}, NULL);
		table = object(&b, "O", 4);
		assert_int_equal(
			pmon_table_row(&b.tables, table, t_span(NULL), t_span("i"), &row, &err),
			PMON_OK);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(put(&b, table, row, i, &err), PMON_OK);
		assert_int_equal(pmon_table_column(&b.tables, table, 4, t_span("C"), &counter,
						   &column, &err),
				 PMON_OK);
		T_EQ_I64(put(&b, table, row, column, &err), leave_out ? PMON_OK : PMON_E_LIMIT);
		if (!leave_out)
			T_EQ_STR(err.msg, "more than 4 counters in one log");
		T_EQ_I64(b.tables.has_left_out, leave_out);
		T_EQ_U64(b.tables.n, 4);
		T_EQ_U64(pmon_schema_count(&b.schema), 4);
		end(&b);
	}
}

// An instance without room for all its counters is skipped. Each has two.
static void
no_instance_is_partial(void **state)
{
	static const struct {
		size_t limit;
		size_t n; // of counters that are there
	} cases[] = {{4, 4}, {5, 4}, {6, 6}};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		struct built b;

		begin(&b, &(struct pmon_tables){.limit = cases[i].limit, .leave_out = true}, NULL);
		for (const char *c = "abc"; *c != '\0'; c++) {
			struct pmon_table *table = object(&b, "O", 2);
			struct pmon_table_row *row;
			struct pmon_err err;

			assert_int_equal(pmon_table_row(&b.tables, table, t_span(NULL),
							(struct pmon_span){c, 1}, &row, &err),
					 PMON_OK);
			for (uint32_t k = 0; row != NULL && k < 2; k++)
				assert_int_equal(put(&b, table, row, k, &err), PMON_OK);
		}
		T_EQ_U64(pmon_schema_count(&b.schema), cases[i].n);
		T_EQ_I64(b.tables.has_left_out, cases[i].n < 6);
		end(&b);
	}
}

#define LONG 60000

// Beyond 16 MiB names may have 1 KiB on the average.
static void
names_that_are_long_on_the_average(void **state)
{
	char *name = malloc(LONG);

	(void)state;
	assert_non_null(name);
	memset(name, 'x', LONG);
	for (int leave_out = 0; leave_out < 2; leave_out++) {
		enum pmon_status status = PMON_OK;
		struct pmon_err err;
		struct built b;
		int n = 0;

		begin(&b, &(struct pmon_tables){.leave_out = leave_out}, NULL);
		// each is an instance and a path: twice its length
		for (; status == PMON_OK && !b.tables.has_left_out && n < 1000; n++) {
			(void)snprintf(name, 8, "%07d", n);
			name[7] = 'x';
			status = put_instance(&b, object(&b, "O", 1),
					      (struct pmon_span){name, LONG}, &err);
		}
		T_EQ_I64(status, leave_out ? PMON_OK : PMON_E_LIMIT);
		if (!leave_out)
			T_EQ_STR(err.msg, "names of counters are too long");
		assert_in_range(n, (16 << 20) / (2 * LONG), (16 << 20) / (2 * LONG) + 2);
		end(&b);
	}
	free(name);
}

static void
a_name_that_is_too_long(void **state)
{
	struct pmon_table_row *row;
	struct pmon_table *table;
	struct pmon_err err;
	struct built b;

	(void)state;
	begin(&b, &(struct pmon_tables){.max_name = 4}, NULL);
	table = object(&b, "O", 1);
	for (int i = 0; i < 4; i++) {
		struct pmon_span parent = t_span(i & 1 ? "abcde" : "abcd");
		struct pmon_span instance = t_span(i & 2 ? "abcde" : "abcd");
		enum pmon_status want = i == 0 ? PMON_OK : PMON_E_FORMAT;

		T_EQ_I64(pmon_table_row(&b.tables, table, parent, instance, &row, &err), want);
		T_EQ_I64(row != NULL, i == 0);
		T_EQ_I64(pmon_table_row_at(&b.tables, table, parent, instance, 0, &row, &err),
			 want);
		T_EQ_I64(row != NULL, i == 0);
	}
	T_EQ_STR(err.msg, "the name of an instance is too long");
	end(&b);
}

// ---- Names ----------------------------------------------------------------------------------

// "parent/instance#index" is split into parts, unless the parts are known already.
static void
names_of_instances(void **state)
{
	static const struct {
		const char *parent;
		const char *instance;
		uint32_t ordinal;
		const char *path;
		const char *has_parent;
		const char *has_instance;
		int32_t has_index;
	} cases[] = {
		{NULL, "i", 0, "\\O(i)\\C", NULL, "i", 0},
		{NULL, "i", 2, "\\O(i#2)\\C", NULL, "i", 2},
		{"p", "i", 0, "\\O(p/i)\\C", "p", "i", 0},
		{NULL, NULL, 0, "\\O\\C", NULL, NULL, 0},
		{NULL, "p/i", 2, "\\O(p/i#2)\\C", "p", "i", 2},
		{NULL, "p/i#3", 0, "\\O(p/i#3)\\C", "p", "i", 3},
		{"p", "q/i", 0, "\\O(p/q/i)\\C", "p", "q/i", 0},
		{NULL, "i#3", 2, "\\O(i#3#2)\\C", NULL, "i#3", 2},
		{NULL, "i", 4000000000u, "\\O(i#2147483647)\\C", NULL, "i", INT32_MAX},
		// that read back as something else stay as they are
		{NULL, ")\\x", 0, "\\O()\\x)\\C", NULL, ")\\x", 0},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(cases); i++) {
		const struct pmon_series *series;
		struct pmon_table_row *row;
		struct pmon_table *table;
		struct pmon_err err;
		struct built b;

		begin(&b, &(struct pmon_tables){.wildcard = true}, NULL);
		table = object(&b, "O", 1);
		assert_int_equal(pmon_table_row_at(&b.tables, table, t_span(cases[i].parent),
						   t_span(cases[i].instance), cases[i].ordinal,
						   &row, &err),
				 PMON_OK);
		assert_int_equal(put(&b, table, row, 0, &err), PMON_OK);
		series = pmon_schema_at(&b.schema, 0);
		T_EQ_SPAN_AT(series->name, cases[i].path, cases[i].path);
		T_EQ_SPAN_AT(series->path.parent, cases[i].has_parent, cases[i].path);
		T_EQ_SPAN_AT(series->path.instance, cases[i].has_instance, cases[i].path);
		T_EQ_I64_AT(series->path.index, cases[i].has_index, cases[i].path);
		// instances come and go
		T_EQ_I64_AT(series->wildcard, cases[i].instance != NULL, cases[i].path);
		end(&b);
	}
}

// A counter that an object has twice has two columns, whatever the order of its counters.
static void
duplicate_counters(void **state)
{
	static const struct {
		int64_t title;
		uint32_t column;
	} samples[][4] = {
		{{1, 0}, {2, 1}},
		{{2, 1}, {1, 0}, {2, 2}},
		{{2, 1}, {2, 2}, {1, 0}},
		{{1, 0}, {2, 1}, {2, 2}, {2, 3}},
	};
	struct built b;

	(void)state;
	begin(&b, &(struct pmon_tables){.limit = 0}, NULL);
	for (size_t i = 0; i < T_LEN(samples); i++) {
		struct pmon_table *table;

		pmon_tables_begin(&b.tables);
		table = object(&b, "O", 0);
		for (size_t k = 0; k < 4 && samples[i][k].title != 0; k++) {
			struct pmon_err err;
			uint32_t column;

			assert_int_equal(pmon_table_column(&b.tables, table, samples[i][k].title,
							   t_span("C"), &counter, &column, &err),
					 PMON_OK);
			T_EQ_U64(column, samples[i][k].column);
		}
	}
	end(&b);
}

// ---- Memory ---------------------------------------------------------------------------------

// Objects of 40 instances each.
static enum pmon_status
build(struct built *b, const struct pmon_allocator *allocator)
{
	enum pmon_status status = PMON_OK;
	char name[200];

	begin(b, &(struct pmon_tables){.limit = 0}, allocator);
	for (int i = 0; status == PMON_OK && i < 400; i++) {
		struct pmon_table *table;
		uint32_t column;

		(void)snprintf(name, sizeof(name), "O%d", i / 40);
		status = pmon_tables_find(&b->tables, t_span("M"), t_span(name), &table, NULL);
		if (status == PMON_OK && !pmon_table_is_begun(&b->tables, table)) {
			pmon_table_begin(&b->tables, table);
			status = pmon_table_column(&b->tables, table, 1, t_span("C"), &counter,
						   &column, NULL);
		}
		(void)snprintf(name, sizeof(name), "%0*d/i#%d", 20 + i % 100, i, i);
		if (status == PMON_OK)
			status = put_instance(b, table, t_span(name), NULL);
	}
	return status;
}

static void
tables_short_of_memory(void **state)
{
	bool is_done = false;

	(void)state;
	for (size_t at = 1; !is_done; at++) {
		struct t_memory memory = {.fail_at = at};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct built b;
		enum pmon_status status = build(&b, &allocator);

		is_done = t_memory_sufficed(&memory);
		T_EQ_I64(status, is_done ? PMON_OK : PMON_E_NOMEM);
		if (is_done)
			T_EQ_U64(b.tables.n, 400);
		end(&b);
		T_EQ_U64(memory.live_blocks, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(too_many_objects),
		cmocka_unit_test(too_many_counters_of_an_object),
		cmocka_unit_test(too_many_instances),
		cmocka_unit_test(too_many_counters_of_an_instance),
		cmocka_unit_test(no_instance_is_partial),
		cmocka_unit_test(names_that_are_long_on_the_average),
		cmocka_unit_test(a_name_that_is_too_long),
		cmocka_unit_test(names_of_instances),
		cmocka_unit_test(duplicate_counters),
		cmocka_unit_test(tables_short_of_memory),
	};

	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
