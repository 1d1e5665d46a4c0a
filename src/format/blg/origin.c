// origin.c - pmon's addition to the header event: who recorded the log and who converted it
// SPDX-License-Identifier: MIT
//
// The header event ends with two NUL-terminated strings, the name of the logger and the path of the
// file. Windows programs read these two and nothing after them, so pmon appends its own block:
//
//	0x00  GUID   b8e0827d-8742-4890-80d5-10f3a72499c4
//	0x10  u32    bytes of the block, these fields included
//	0x14  u32    0
//	0x18         texts "key=value" in UTF-8, each with its NUL
//
// It begins at a multiple of 8 in the file. Unknown keys are ignored.

#include "format/blg/blg.h"

#include <stdio.h>
#include <string.h>

#include "base/utf.h"
#include "base/wr.h"
#include "model/machine.h"
#include "model/source.h"

#define BLOCK_HEAD 0x18

static const uint8_t block_id[16] = {0x7D, 0x82, 0xE0, 0xB8, 0x42, 0x87, 0x90, 0x48,
				     0x80, 0xD5, 0x10, 0xF3, 0xA7, 0x24, 0x99, 0xC4};

static const char writer_key[] = "writer=";
static const char converter_key[] = "converter=";
static const char sampled_key[] = "sampled-by=";
static const char sampled_value[] = "pmon";
static const char machine_key[] = "machine=";

// ---- Writing --------------------------------------------------------------------------------

// Truncate a text to a reader's room, after a whole character.
static struct pmon_span
shorten(const char *text)
{
	struct pmon_span span = {text, text != NULL ? strlen(text) : 0};
	size_t pos = 0, end = 0;

	while (pos < span.len) {
		(void)pmon_utf8_next(span, &pos);
		if (pos >= BLG_ORIGIN_TEXT)
			break;
		end = pos;
	}
	span.len = end;
	return span;
}

static void
put_text(struct pmon_wr *w, const char *key, const char *text)
{
	struct pmon_span value = shorten(text);

	pmon_wr_copy(w, key, strlen(key));
	pmon_wr_copy(w, value.ptr, value.len);
	pmon_wr_u8(w, 0);
}

// Skip machines whose names are too long: a truncated name would be another name.
static void
put_machines(struct pmon_wr *w, const struct pmon_source_info *info)
{
	char text[BLG_ORIGIN_TEXT];

	for (size_t i = 0, n = 0; i < info->n_machines && n < BLG_ORIGIN_MACHINES; i++) {
		const struct pmon_machine *machine = &info->machines[i];

		if (strlen(machine->name) + PMON_MACHINE_ID + 2 > sizeof(text))
			continue;
		(void)snprintf(text, sizeof(text), "%s %s", machine->id, machine->name);
		put_text(w, machine_key, text);
		n++;
	}
}

void
pmon_blg_origin_put(struct pmon_wr *w, const struct pmon_source_info *info)
{
	size_t from, end;

	pmon_wr_fill(w, 0, (8 - pmon_wr_pos(w) % 8) % 8);
	from = pmon_wr_pos(w);
	pmon_wr_copy(w, block_id, sizeof(block_id));
	pmon_wr_u64(w, 0);
	put_text(w, writer_key, info->writer);
	put_text(w, converter_key, pmon_source_converter(info));
	if (info->sampled_by_pmon)
		put_text(w, sampled_key, sampled_value);
	put_machines(w, info);
	end = pmon_wr_pos(w);
	pmon_wr_seek(w, from + sizeof(block_id));
	pmon_wr_u32(w, (uint32_t)(end - from));
	pmon_wr_seek(w, end);
}

// ---- Reading --------------------------------------------------------------------------------

static bool
skip_string(struct pmon_rd *r)
{
	size_t len;

	if (!pmon_rd_ok(r) || !pmon_utf16_length(r->base + r->pos, pmon_rd_left(r), &len))
		return false;
	pmon_rd_skip(r, len + 2);
	return true;
}

// If the text has this key, copy its value.
static bool
take(struct pmon_span text, const char *key, char out[BLG_ORIGIN_TEXT])
{
	size_t n = strlen(key);

	if (text.len < n || memcmp(text.ptr, key, n) != 0 || text.len - n >= BLG_ORIGIN_TEXT)
		return false;
	memcpy(out, text.ptr + n, text.len - n);
	out[text.len - n] = '\0';
	return true;
}

static void
take_texts(struct pmon_rd *r, struct blg_origin *out)
{
	char value[BLG_ORIGIN_TEXT];

	while (pmon_rd_left(r) > 0) {
		const char *p = (const char *)r->base + r->pos;
		const char *end = memchr(p, '\0', pmon_rd_left(r));
		struct pmon_span text = {p, end != NULL ? (size_t)(end - p) : 0};

		if (end == NULL)
			return;
		pmon_rd_skip(r, text.len + 1);
		if (!pmon_utf8_valid(text))
			continue;
		(void)take(text, writer_key, out->writer);
		(void)take(text, converter_key, out->converter);
		if (take(text, sampled_key, value))
			out->sampled_by_pmon = strcmp(value, sampled_value) == 0;
		if (out->n_machines < BLG_ORIGIN_MACHINES &&
		    take(text, machine_key, out->machines[out->n_machines]))
			out->n_machines++;
	}
}

bool
pmon_blg_origin_read(struct pmon_rd *r, size_t end, struct blg_origin *out)
{
	struct pmon_rd event = pmon_rd_sub(r, 0, end);
	const uint8_t *id;
	uint32_t bytes;
	size_t from;

	*out = (struct blg_origin){.exists = false};
	pmon_rd_seek(&event, pmon_rd_pos(r));
	if (!skip_string(&event) || !skip_string(&event))
		return false;
	from = (pmon_rd_pos(&event) + 7) & ~(size_t)7;
	pmon_rd_seek(&event, from);
	id = pmon_rd_bytes(&event, sizeof(block_id));
	bytes = pmon_rd_u32(&event);
	if (!pmon_rd_ok(&event) || memcmp(id, block_id, sizeof(block_id)) != 0 ||
	    bytes < BLOCK_HEAD)
		return false;
	event = pmon_rd_sub(&event, from, bytes);
	pmon_rd_skip(&event, BLOCK_HEAD);
	if (!pmon_rd_ok(&event))
		return false;
	out->exists = true;
	take_texts(&event, out);
	return true;
}
