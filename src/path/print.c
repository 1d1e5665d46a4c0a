// print.c - print counter paths
// SPDX-License-Identifier: MIT

#include "path/print.h"

#include "base/text.h"

static void
put_instance(struct pmon_text *text, const struct pmon_path *path)
{
	pmon_text_span(text, path->instance);
	if (path->index > 0) {
		pmon_text_char(text, '#');
		pmon_text_i64(text, path->index);
	} else if (path->index == PMON_INDEX_ANY) {
		pmon_text_str(text, "#*");
	}
}

static void
put_place(struct pmon_text *text, const struct pmon_path *path)
{
	pmon_text_char(text, '(');
	if (path->parent.ptr != NULL) {
		pmon_text_span(text, path->parent);
		pmon_text_char(text, '/');
	}
	put_instance(text, path);
	pmon_text_char(text, ')');
}

size_t
pmon_path_instance(const struct pmon_path *path, char *buf, size_t size)
{
	struct pmon_text text = pmon_text_init(buf, size);

	put_instance(&text, path);
	return text.len;
}

size_t
pmon_path_format(const struct pmon_path *path, char *buf, size_t size)
{
	struct pmon_text text = pmon_text_init(buf, size);

	if (path->machine.len > 0) {
		pmon_text_str(&text, "\\\\");
		pmon_text_span(&text, path->machine);
	}
	pmon_text_char(&text, '\\');
	pmon_text_span(&text, path->object);
	if (path->instance.ptr != NULL)
		put_place(&text, path);
	pmon_text_char(&text, '\\');
	pmon_text_span(&text, path->counter);
	return text.len;
}
