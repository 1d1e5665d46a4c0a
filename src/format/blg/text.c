// text.c - convert names of the log to UTF-8
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
