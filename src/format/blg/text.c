// text.c - names of the log as UTF-8
// SPDX-License-Identifier: MIT

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf.h"

static size_t
latin1_to_utf8(const uint8_t *bytes, size_t len, char *out)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (bytes[i] < 0x80) {
			out[n++] = (char)bytes[i];
		} else {
			out[n++] = (char)(0xC0 | bytes[i] >> 6);
			out[n++] = (char)(0x80 | (bytes[i] & 0x3F));
		}
	}
	return n;
}

bool
pmon_blg_utf8(struct blg *blg, const struct pmon_perf_name *name, struct pmon_span *out)
{
	size_t bound = name->unit == 2 ? pmon_utf16_bound(name->len) : name->len * 2;

	if (!pmon_mem_grow(blg->allocator, &blg->text, &blg->text_cap, bound + 1, 1))
		return false;
	out->ptr = blg->text;
	out->len = name->unit == 2 ? pmon_utf16_to_utf8(name->ptr, name->len, blg->text)
				   : latin1_to_utf8(name->ptr, name->len, blg->text);
	return true;
}

struct pmon_span
pmon_blg_machine(struct pmon_span name)
{
	while (name.len > 0 && name.ptr[0] == '\\') {
		name.ptr++;
		name.len--;
	}
	return name.len > 0 ? name : (struct pmon_span){NULL, 0};
}

bool
pmon_blg_split_instance(struct blg *blg, struct pmon_path *path)
{
	// Let the path parser do it, so that a series has the parts that its name reads back as.
	static const char head[] = "\\o(", tail[] = ")\\c";
	size_t len = path->instance.len;
	size_t whole = sizeof(head) - 1 + len + sizeof(tail) - 1;
	struct pmon_path parsed;
	char *text;

	if (len == 0 || (memchr(path->instance.ptr, '/', len) == NULL &&
			 memchr(path->instance.ptr, '#', len) == NULL))
		return true;
	text = pmon_arena_alloc(&blg->arena, whole);
	if (text == NULL)
		return false;
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + sizeof(head) - 1, path->instance.ptr, len);
	memcpy(text + sizeof(head) - 1 + len, tail, sizeof(tail) - 1);
	if (!pmon_path_parse((struct pmon_span){text, whole}, &parsed, NULL) ||
	    parsed.counter.len != 1 || parsed.instance.ptr == NULL)
		return true;
	// An index that is known already is not written in the name.
	if (path->index > 0 && parsed.index > 0)
		return true;
	if (path->parent.ptr != NULL && parsed.parent.ptr != NULL)
		return true;
	if (path->index == 0)
		path->index = parsed.index;
	if (path->parent.ptr == NULL)
		path->parent = parsed.parent;
	path->instance = parsed.instance;
	return true;
}
