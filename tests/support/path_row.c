// path_row.c - compare paths and patterns with their expected parts
// SPDX-License-Identifier: MIT

#include "path_row.h"

#include "t.h"

void
path_is(const struct pmon_path *path, const struct path_row *want)
{
	T_EQ_SPAN_AT(path->machine, want->machine, want->text);
	T_EQ_SPAN_AT(path->object, want->object, want->text);
	T_EQ_SPAN_AT(path->parent, want->parent, want->text);
	T_EQ_SPAN_AT(path->instance, want->instance, want->text);
	T_EQ_I64_AT(path->index, want->index, want->text);
	T_EQ_SPAN_AT(path->counter, want->counter, want->text);
}

void
path_is_none(const struct pmon_path *path, const char *label)
{
	T_EQ_SPAN_AT(path->machine, NULL, label);
	T_EQ_SPAN_AT(path->object, NULL, label);
	T_EQ_SPAN_AT(path->parent, NULL, label);
	T_EQ_SPAN_AT(path->instance, NULL, label);
	T_EQ_SPAN_AT(path->counter, NULL, label);
}
