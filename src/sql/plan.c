// plan.c - turn the conditions of a statement into what a scan can skip
// SPDX-License-Identifier: MIT
//
// Conditions on the object and counter are patterns for the reader, which skips other counters. Conditions on the time skip
// samples; they are compared as text, as SQLite does. A scan may return too many rows, because SQLite checks all conditions
// again, but it must not skip one that meets them.

#include "sql/tables.h"

#include <string.h>

static const struct pmon_allocator *
memory(void)
{
	return pmon_mem_allocator(NULL);
}

// ---- Conditions -------------------------------------------------------------------------------

// The letter in idxStr for a column whose conditions help a scan; 0: they do not.
static char
meaning_of(enum sql_kind kind, int column)
{
	enum pmon_tidy_column tidy;

	if (column == pmon_sql_schemas[kind].file)
		return 'f';
	if (column < 0 || !pmon_sql_tidy_column(kind, column, &tidy))
		return 0;
	switch (tidy) {
	case PMON_TIDY_TIME:
		return 't';
	case PMON_TIDY_MACHINE:
		return 'm';
	case PMON_TIDY_OBJECT:
		return 'o';
	case PMON_TIDY_INSTANCE:
		return 'i';
	case PMON_TIDY_COUNTER:
		return 'c';
	default:
		return 0;
	}
}

static bool
is_useful(char meaning, unsigned char op)
{
	if (op == SQLITE_INDEX_CONSTRAINT_EQ)
		return meaning != 0;
	return meaning == 't' &&
	       (op == SQLITE_INDEX_CONSTRAINT_GT || op == SQLITE_INDEX_CONSTRAINT_GE ||
		op == SQLITE_INDEX_CONSTRAINT_LT || op == SQLITE_INDEX_CONSTRAINT_LE);
}

// All values of IN in one scan, instead of a scan for each.
static bool
takes_list(sqlite3_index_info *info, int i)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	if (sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, i, -1))
		return sqlite3_vtab_in(info, i, 1) != 0;
#endif
	(void)info, (void)i;
	return false;
}

// idxStr has two characters for each argument: the letter of the column, and the operator, '+' for IN.
int
pmon_sql_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct sql_table *table = (const struct sql_table *)base;
	enum sql_kind kind = table->module->kind;
	char *plan = sqlite3_malloc64(2 * (size_t)info->nConstraint + 1);
	double cost = 1e8;
	bool lacks_file = false;
	int n = 0;

	if (plan == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
		char meaning = meaning_of(kind, constraint->iColumn);

		if (meaning == 'f' && constraint->op == SQLITE_INDEX_CONSTRAINT_EQ &&
		    !constraint->usable)
			lacks_file = true;
		if (!constraint->usable || !is_useful(meaning, constraint->op) ||
		    (meaning == 't' && strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0))
			continue;
		plan[2 * n] = meaning;
		plan[2 * n + 1] = (char)('A' + constraint->op);
		if (meaning != 'f' && constraint->op == SQLITE_INDEX_CONSTRAINT_EQ &&
		    takes_list(info, i))
			plan[2 * n + 1] = '+';
		info->aConstraintUsage[i].argvIndex = ++n;
		info->aConstraintUsage[i].omit = meaning == 'f';
		cost /= meaning == 'f' ? 1 : meaning == 't' ? 1.5 : 4;
	}
	plan[2 * n] = '\0';
	info->idxStr = plan;
	info->needToFreeIdxStr = 1;
	info->estimatedCost = cost;
	info->estimatedRows = (sqlite3_int64)(cost / 100) + 1;
	return lacks_file ? SQLITE_CONSTRAINT : SQLITE_OK;
}

struct text_list {
	char **list;
	size_t n;
	size_t cap;
};

static void
free_texts(struct text_list *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		sqlite3_free(texts->list[i]);
	pmon_mem_free(memory(), texts->list, texts->cap * sizeof(*texts->list));
	*texts = (struct text_list){.list = NULL};
}

// Takes the text, which may be NULL: out of memory.
static bool
add_text(struct text_list *texts, char *text)
{
	if (text == NULL ||
	    !pmon_mem_grow(memory(), &texts->list, &texts->cap, texts->n + 1, sizeof(text))) {
		sqlite3_free(text);
		return false;
	}
	texts->list[texts->n++] = text;
	return true;
}

// The values of one condition on a name. is_any: no pattern can express some of them.
struct wanted {
	struct text_list texts;
	bool is_given;
	bool is_any;
};

static bool
want_text(struct wanted *wanted, char meaning, sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);

	// Wildcards, and the characters that separate the parts of a path.
	if (sqlite3_value_type(value) != SQLITE_TEXT || text == NULL || text[0] == '\0' ||
	    strlen(text) != (size_t)sqlite3_value_bytes(value) ||
	    strpbrk(text, meaning == 'c' ? "*?" : "*?\\/#()") != NULL) {
		wanted->is_any = true;
		return true;
	}
	return add_text(&wanted->texts, sqlite3_mprintf("%s", text));
}

static bool
want_list(struct wanted *wanted, char meaning, sqlite3_value *list)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	sqlite3_value *value = NULL;
	int rc;

	for (rc = sqlite3_vtab_in_first(list, &value); rc == SQLITE_OK && value != NULL;
	     rc = sqlite3_vtab_in_next(list, &value))
		if (!want_text(wanted, meaning, value))
			return false;
#else
	(void)meaning, (void)list;
	wanted->is_any = true;
#endif
	return true;
}

#define MOST_PATTERNS 64

// Two patterns for each pair of object and counter: with and without an instance. SQLite checks the other names; object and
// counter save most of the cost of a scan.
static bool
make_patterns(struct text_list *patterns, const struct wanted *object, const struct wanted *counter)
{
	static const char *const any[] = {"*"};
	bool no_object = !object->is_given || object->is_any || object->texts.n == 0;
	bool no_counter = !counter->is_given || counter->is_any || counter->texts.n == 0;
	const char *const *objects = no_object ? any : (const char *const *)object->texts.list;
	const char *const *counters = no_counter ? any : (const char *const *)counter->texts.list;
	size_t n_objects = no_object ? 1 : object->texts.n;
	size_t n_counters = no_counter ? 1 : counter->texts.n;

	if ((no_object && no_counter) || n_objects * n_counters > MOST_PATTERNS)
		return true;
	for (size_t i = 0; i < n_objects; i++)
		for (size_t k = 0; k < n_counters; k++)
			if (!add_text(patterns,
				      sqlite3_mprintf("\\%s\\%s", objects[i], counters[k])) ||
			    !add_text(patterns,
				      sqlite3_mprintf("\\%s(*)\\%s", objects[i], counters[k])))
				return false;
	return true;
}

static bool
add_bound(struct sql_cursor *cursor, char letter, sqlite3_value *value)
{
	const char *text = (const char *)sqlite3_value_text(value);
	struct sql_bound *bound = &cursor->bounds[cursor->n_bounds];

	// SQLite decides about numbers, which sort before all text.
	if (sqlite3_value_type(value) != SQLITE_TEXT || text == NULL ||
	    strlen(text) != (size_t)sqlite3_value_bytes(value))
		return true;
	bound->op = (unsigned char)(letter - 'A');
	bound->text = sqlite3_mprintf("%s", text);
	cursor->n_bounds += bound->text != NULL;
	return bound->text != NULL;
}

static bool
take_argument(struct sql_cursor *cursor, const char *plan, sqlite3_value *value, const char **file,
	      struct wanted *object, struct wanted *counter)
{
	struct wanted *wanted = plan[0] == 'o' ? object : plan[0] == 'c' ? counter : NULL;

	if (plan[0] == 'f')
		*file = (const char *)sqlite3_value_text(value);
	else if (plan[0] == 't')
		return plan[1] == '+' || add_bound(cursor, plan[1], value);
	if (wanted == NULL || wanted->is_given)
		return true;
	wanted->is_given = true;
	return plan[1] == '+' ? want_list(wanted, plan[0], value)
			      : want_text(wanted, plan[0], value);
}

int
pmon_sql_filter(sqlite3_vtab_cursor *base, int number, const char *plan, int argc,
		sqlite3_value **argv)
{
	struct sql_cursor *cursor = (struct sql_cursor *)base;
	struct text_list patterns = {.list = NULL};
	struct wanted object = {.is_given = false};
	struct wanted counter = {.is_given = false};
	const char *file = NULL;
	bool good = true;
	int rc = SQLITE_NOMEM;

	(void)number;
	pmon_sql_scan_end(cursor);
	if (argc > 0)
		cursor->bounds = sqlite3_malloc64((size_t)argc * sizeof(*cursor->bounds));
	if (argc > 0 && cursor->bounds == NULL)
		return SQLITE_NOMEM;
	for (int i = 0; i < argc && good; i++)
		good = take_argument(cursor, plan + 2 * (size_t)i, argv[i], &file, &object,
				     &counter);
	if (good && make_patterns(&patterns, &object, &counter))
		rc = pmon_sql_scan_begin(cursor, file, (const char *const *)patterns.list,
					 patterns.n);
	free_texts(&patterns);
	free_texts(&object.texts);
	free_texts(&counter.texts);
	return rc;
}
