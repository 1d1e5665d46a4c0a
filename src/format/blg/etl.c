// etl.c - buffers of an event trace file, and the PDH events in them
// SPDX-License-Identifier: MIT
//
// A file is a row of buffers of one size. Each has a header, events at multiples of 8, and fill. The
// buffers are read one at a time in the order of their sequence numbers, which nearly always is that
// of the file; a circular log that has wrapped is a rotation of it.

#include "format/blg/blg.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BUFFER_HEADER 0x48
#define EVENT_HEADER  48
#define PART_HEADER   24
#define PEEK_BYTES    (BLG_EVENT_HEAD + BLG_PEEK)
#define FIRST_BYTES   (BUFFER_HEADER + PEEK_BYTES)
#define AHEAD_BYTES   ((uint64_t)4 << 20) // announced to the system when only a few of them are read
#define FILL          0xFF                // of the unused end of a buffer
#define PDH_VERSION   60                  // of the events of the PDH library
#define MAX_INDEX     (4u << 20)          // buffers that the index may hold: 64 MiB of it

// 933f3bb3-943e-490d-9ced-3cbb14c14479, the PDH event class.
static const uint8_t pdh_guid[16] = {0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49,
				     0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79};

// ---- Buffer headers -------------------------------------------------------------------------

struct buffer_header {
	bool is_readable;
	uint64_t sequence;
	uint32_t used;      // bytes, this header included
	uint32_t used_copy; // the same from another field; 0 where there is none
};

// Buffer header, 0x48 bytes
//	0x00  u32  size of the buffer
//	0x04  u32  Vista and later: bytes used, as 0x30; before: sequence number
//	0x18  u64  Vista and later: sequence number; before: half a GUID
//	0x30  u32  bytes used, this header included
// The other fields are of no use for reading. Source: seen in files of XP to Windows 11;
// WMI_BUFFER_HEADER in public descriptions.
static struct buffer_header
read_buffer_header(const struct blg_header *file_header, const uint8_t *bytes, size_t len)
{
	struct pmon_rd r = pmon_rd_init(bytes, len, 0);
	struct buffer_header h = {0};
	uint32_t size = pmon_rd_u32(&r);
	uint32_t second = pmon_rd_u32(&r);
	uint64_t sequence;

	pmon_rd_seek(&r, 0x18);
	sequence = pmon_rd_u64(&r);
	pmon_rd_seek(&r, 0x30);
	h.used = pmon_rd_u32(&r);
	h.sequence = file_header->old_buffers ? second : sequence;
	h.used_copy = file_header->old_buffers ? 0 : second;
	h.is_readable = pmon_rd_ok(&r) && size == file_header->buffer_bytes &&
			h.used >= BUFFER_HEADER && h.used <= size;
	return h;
}

static enum pmon_status
peek_buffer_header(struct blg_etl *etl, uint64_t number, struct buffer_header *out,
		   struct pmon_err *err)
{
	uint8_t bytes[BUFFER_HEADER];
	size_t got;
	enum pmon_status status;

	status = pmon_file_read(etl->file, number * etl->header.buffer_bytes, bytes, sizeof(bytes),
				&got, err);
	if (status == PMON_OK)
		*out = read_buffer_header(&etl->header, bytes, got);
	return status;
}

// ---- The order of the buffers ---------------------------------------------------------------

// What the sequence numbers look like in the order of the file.
struct order {
	size_t descents;  // how often a number is not larger than the one before
	uint64_t descent; // the buffer with the last such number
	uint64_t first;   // sequence numbers
	uint64_t last;
	bool any;
};

static enum pmon_status
scan_order(struct blg_etl *etl, struct order *order, struct pmon_err *err)
{
	for (uint64_t i = 1; i < etl->n_buffers; i++) {
		struct buffer_header h;
		enum pmon_status status = peek_buffer_header(etl, i, &h, err);

		if (status != PMON_OK)
			return status;
		if (!h.is_readable)
			continue;
		if (!order->any)
			order->first = h.sequence;
		else if (h.sequence <= order->last) {
			order->descents++;
			order->descent = i;
		}
		order->any = true;
		order->last = h.sequence;
		etl->last_good = i;
	}
	return PMON_OK;
}

static int
compare_slots(const void *a, const void *b)
{
	const struct blg_slot *x = a, *y = b;

	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void
drop_index(struct blg_etl *etl)
{
	pmon_mem_free(etl->allocator, etl->index, etl->index_cap * sizeof(*etl->index));
	etl->index = NULL;
	etl->index_cap = 0;
}

// A buffer that cannot be read stays after the buffer that precedes it in the file.
static enum pmon_status
fill_index(struct blg_etl *etl, struct pmon_err *err)
{
	uint64_t sequence = 0;

	for (uint64_t i = 1; i < etl->n_buffers; i++) {
		struct buffer_header h;
		enum pmon_status status = peek_buffer_header(etl, i, &h, err);

		if (status != PMON_OK)
			return status;
		if (h.is_readable)
			sequence = h.sequence;
		etl->index[i - 1] = (struct blg_slot){sequence, (uint32_t)i, h.is_readable};
	}
	return PMON_OK;
}

static bool
has_equal_numbers(const struct blg_slot *index, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (index[i].sequence == index[i - 1].sequence && index[i].is_readable)
			return true;
	return false;
}

// Do two buffers hold the same bytes? bytes has room for both.
static enum pmon_status
is_same_buffer(struct blg_etl *etl, uint8_t *bytes, uint32_t a, uint32_t b, bool *same,
	       struct pmon_err *err)
{
	size_t size = etl->header.buffer_bytes;
	size_t got_a, got_b = 0;
	enum pmon_status status =
		pmon_file_read(etl->file, (uint64_t)a * size, bytes, size, &got_a, err);

	if (status == PMON_OK)
		status = pmon_file_read(etl->file, (uint64_t)b * size, bytes + size, size, &got_b,
					err);
	*same = status == PMON_OK && got_a == got_b && memcmp(bytes, bytes + size, got_a) == 0;
	return status;
}

// Leave out of the sorted index what the buffer before it holds too.
static enum pmon_status
drop_repeats(struct blg_etl *etl, size_t *n, struct pmon_err *err)
{
	size_t room = (size_t)etl->header.buffer_bytes * 2;
	uint8_t *bytes = pmon_mem_alloc(etl->allocator, room);
	enum pmon_status status = bytes != NULL ? PMON_OK : pmon_err_nomem(err);
	size_t kept = 1;

	for (size_t i = 1; i < *n && status == PMON_OK; i++) {
		const struct blg_slot *before = &etl->index[kept - 1];
		const struct blg_slot *slot = &etl->index[i];
		bool same = false;

		if (slot->is_readable && before->is_readable && slot->sequence == before->sequence)
			status = is_same_buffer(etl, bytes, before->number, slot->number, &same,
						err);
		if (same)
			pmon_report_loss(
				etl->report, (uint64_t)slot->number * etl->header.buffer_bytes,
				etl->header.buffer_bytes,
				"a buffer repeats the one at byte %llu and is skipped",
				(unsigned long long)before->number * etl->header.buffer_bytes);
		else
			etl->index[kept++] = *slot;
	}
	pmon_mem_free(etl->allocator, bytes, room);
	*n = kept;
	return status;
}

// The buffers as they stand in the index: by their numbers, repeated ones left out.
static enum pmon_status
settle_index(struct blg_etl *etl, size_t n, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	if (has_equal_numbers(etl->index, n))
		status = drop_repeats(etl, &n, err);
	if (status != PMON_OK)
		return status;
	etl->n_buffers = n + 1;
	etl->stop = etl->n_buffers;
	if (has_equal_numbers(etl->index, n)) {
		drop_index(etl);
		etl->n_buffers = etl->stop = blg_etl_in_file(etl);
		pmon_report_remark(
			etl->report, 0,
			"buffer numbers are not unique; reading the buffers in file order");
	}
	return PMON_OK;
}

static enum pmon_status
build_index(struct blg_etl *etl, struct pmon_err *err)
{
	size_t n = (size_t)etl->n_buffers - 1;
	enum pmon_status status;

	if (n > MAX_INDEX) {
		pmon_report_remark(
			etl->report, 0,
			"too many buffers out of order to sort; reading them in file order");
		return PMON_OK;
	}
	if (!pmon_mem_grow(etl->allocator, &etl->index, &etl->index_cap, n, sizeof(*etl->index)))
		return pmon_err_nomem(err);
	status = fill_index(etl, err);
	if (status != PMON_OK)
		return status;
	qsort(etl->index, n, sizeof(*etl->index), compare_slots);
	return settle_index(etl, n, err);
}

static enum pmon_status
find_order(struct blg_etl *etl, struct pmon_err *err)
{
	struct order order = {0};
	enum pmon_status status = etl->is_stream ? PMON_OK : scan_order(etl, &order, err);

	etl->first = 1;
	if (status != PMON_OK || order.descents == 0)
		return status;
	if (order.descents == 1 && order.last < order.first) {
		etl->first = order.descent;
		return PMON_OK;
	}
	return build_index(etl, err);
}

// The number of the buffer that is read as the turn-th. Buffer 0, with the header, is always first.
static uint64_t
buffer_at(const struct blg_etl *etl, uint64_t turn)
{
	uint64_t n = etl->n_buffers - 1;

	if (turn == 0)
		return 0;
	if (etl->index != NULL)
		return etl->index[turn - 1].number;
	return (turn - 1 + etl->first - 1) % n + 1;
}

enum pmon_status
pmon_blg_etl_open(struct blg_etl *etl, struct pmon_err *err)
{
	uint64_t size = etl->header.buffer_bytes;

	etl->file_bytes = pmon_file_size(etl->file);
	etl->is_stream = etl->file_bytes == PMON_FILE_ENDLESS;
	etl->n_buffers = blg_etl_in_file(etl);
	etl->stop = etl->n_buffers;
	etl->buffer_cap = (size_t)(size < etl->file_bytes ? size : etl->file_bytes);
	etl->buffer = pmon_mem_alloc(etl->allocator, etl->buffer_cap);
	if (etl->buffer == NULL)
		return pmon_err_nomem(err);
	return find_order(etl, err);
}

void
pmon_blg_etl_close(struct blg_etl *etl)
{
	drop_index(etl);
	pmon_mem_free(etl->allocator, etl->buffer, etl->buffer_cap);
	etl->buffer = NULL;
}

void
pmon_blg_etl_rewind(struct blg_etl *etl)
{
	etl->turn = 0;
	etl->used = 0;
	etl->pos = 0;
	etl->is_bad = false;
	etl->is_partial = false;
	etl->has_log_id = false;
	etl->sequence = 0;
	etl->report->info->bytes_read = 0;
}

// ---- Reading a buffer -----------------------------------------------------------------------

static bool
is_zero(const uint8_t *bytes, size_t len)
{
	return len == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0);
}

// A buffer whose header is damaged may still hold events; those that can be found are read.
static void
take_bad_buffer(struct blg_etl *etl, uint64_t number, size_t got)
{
	if (is_zero(etl->buffer, got)) {
		etl->used = 0;
		if (number < etl->last_good)
			pmon_report_loss(etl->report, etl->offset, got,
					 "a buffer of %zu bytes is empty", got);
		return;
	}
	while (got > 0 && etl->buffer[got - 1] == FILL)
		got--;
	etl->used = got;
	etl->is_bad = true;
	etl->is_told = true;
}

// All of a bad buffer was searched.
static void
finish_bad_buffer(struct blg_etl *etl)
{
	if (etl->is_bad)
		pmon_report_loss(etl->report, etl->offset, etl->used - etl->bytes_found,
				 "the header of a buffer is damaged; %u events were found in it",
				 etl->n_found);
	etl->is_bad = false;
}

static void
take_cut_buffer(struct blg_etl *etl, size_t got)
{
	uint32_t size = etl->header.buffer_bytes;
	uint64_t lost = etl->used > got ? etl->used - got : 0;

	if (lost > 0 || got < BUFFER_HEADER)
		pmon_report_loss(etl->report, etl->offset + got, lost,
				 "the file ends inside a buffer: %zu of its %u bytes are missing",
				 size - got, size);
	else
		pmon_report_remark(etl->report, etl->offset + got,
				   "the file ends inside the unused part of a buffer");
	if (etl->used > got)
		etl->used = got;
	etl->is_told = true;
}

// After the used bytes there is fill, or zeros where nothing was ever written. If there is anything
// else, the length is damaged, and these bytes are used too. If the length is stored twice, the
// other one may be right.
static void
check_unused(struct blg_etl *etl, uint32_t used_copy, size_t got)
{
	size_t end = got;
	size_t more;

	while (end > etl->used && etl->buffer[end - 1] == FILL)
		end--;
	if (end <= etl->used || is_zero(etl->buffer + etl->used, end - etl->used))
		return;
	more = end - etl->used;
	if (used_copy < end || used_copy > etl->header.buffer_bytes)
		pmon_report_loss(
			etl->report, etl->offset + etl->used, 0,
			"the length of a buffer is damaged: %zu bytes after its end are in "
			"use, and are read",
			more);
	etl->used = end;
}

// Look at a buffer that has been read: where do its events begin and end?
static void
take_buffer(struct blg_etl *etl, uint64_t number, size_t got)
{
	struct buffer_header h = read_buffer_header(&etl->header, etl->buffer, got);

	etl->pos = BUFFER_HEADER;
	etl->used = h.used;
	etl->is_told = false;
	etl->n_found = 0;
	etl->bytes_found = 0;
	if (got < BUFFER_HEADER) {
		etl->used = 0;
		take_cut_buffer(etl, got);
	} else if (!h.is_readable) {
		take_bad_buffer(etl, number, got);
	} else {
		if (!etl->is_partial)
			check_unused(etl, h.used_copy, got);
		if (got < etl->header.buffer_bytes)
			take_cut_buffer(etl, got);
	}
	if (etl->pos > etl->used)
		etl->pos = etl->used;
}

// The buffers of a stream are read as they stand. Can the next one be read without knowing those after
// it, or, when it has no byte, was that the end of the log?
static bool
is_in_order(struct blg_etl *etl, uint64_t number, size_t got)
{
	const struct blg_header *h = &etl->header;
	struct buffer_header b = read_buffer_header(h, etl->buffer, got);
	uint64_t before = etl->sequence;

	if (got == 0)
		return h->end == PMON_TIME_NONE || (h->log_mode & BLG_MODE_CIRCULAR) != 0 ||
		       h->buffers_written <= number;
	if (!b.is_readable)
		return !is_zero(etl->buffer, got);
	if (number > 0)
		etl->sequence = b.sequence;
	return number <= 1 || b.sequence > before;
}

// Read a part of the buffer into its place, as far as the file goes.
static enum pmon_status
read_bytes(struct blg_etl *etl, size_t from, size_t to, size_t *got_out, struct pmon_err *err)
{
	return pmon_file_read(etl->file, etl->offset + from, etl->buffer + from, to - from, got_out,
			      err);
}

// Small reads far from each other would be slow where the file is not in memory.
static void
tell_ahead(const struct blg_etl *etl)
{
	uint64_t behind = etl->offset + etl->header.buffer_bytes;

	if (behind / AHEAD_BYTES > etl->offset / AHEAD_BYTES)
		pmon_file_will_read(etl->file, behind, AHEAD_BYTES);
}

// Read no more than the beginning of a buffer, which has room for it: the header of the file is longer, and no buffer
// is smaller than that. False when its header is not as it should be.
static bool
peek_buffer(struct blg_etl *etl, size_t *got_out)
{
	uint64_t left = etl->file_bytes - etl->offset;
	size_t got;

	if (read_bytes(etl, 0, FIRST_BYTES, &got, NULL) != PMON_OK || got < FIRST_BYTES ||
	    !read_buffer_header(&etl->header, etl->buffer, got).is_readable)
		return false;
	etl->there = got;
	tell_ahead(etl);
	*got_out = left < etl->buffer_cap ? (size_t)left : etl->buffer_cap;
	return true;
}

// May more than the used bytes of a partial buffer have been written?
static bool
goes_on(struct blg_etl *etl, size_t got)
{
	size_t used = (read_buffer_header(&etl->header, etl->buffer, etl->there).used + 7u) & ~7u;
	uint8_t bytes[PEEK_BYTES];
	size_t n = got > used ? got - used : 0;
	size_t read = 0;

	if (n > sizeof(bytes))
		n = sizeof(bytes);
	if (n == 0 ||
	    pmon_file_read(etl->file, etl->offset + used, bytes, n, &read, NULL) != PMON_OK)
		return false;
	for (size_t i = 0; i < read; i++)
		if (bytes[i] != FILL && bytes[i] != 0)
			return true;
	return false;
}

static enum pmon_status
read_buffer(struct blg_etl *etl, size_t *got_out, struct pmon_err *err)
{
	etl->is_partial = etl->is_sparse && peek_buffer(etl, got_out) && !goes_on(etl, *got_out);
	return etl->is_partial ? PMON_OK : read_bytes(etl, 0, etl->buffer_cap, got_out, err);
}

// Read what is missing of the buffer from the position on.
static enum pmon_status
read_rest(struct blg_etl *etl, struct pmon_err *err)
{
	size_t got;
	enum pmon_status status = read_bytes(etl, etl->pos, etl->used, &got, err);

	etl->is_partial = false;
	if (status == PMON_OK && got < etl->used - etl->pos)
		take_cut_buffer(etl, etl->pos + got);
	return status;
}

static enum pmon_status
next_buffer(struct blg_etl *etl, struct pmon_err *err)
{
	uint64_t number;
	size_t got;
	enum pmon_status status;

	finish_bad_buffer(etl);
	if (etl->turn >= etl->n_buffers || (etl->turn >= etl->stop && !etl->is_needed)) {
		etl->report->here = BLG_STEP_END;
		return PMON_END;
	}
	number = buffer_at(etl, etl->turn);
	etl->offset = number * etl->header.buffer_bytes;
	status = read_buffer(etl, &got, err);
	if (status != PMON_OK)
		return status;
	if (etl->is_stream && !is_in_order(etl, number, got))
		return pmon_err_set(err, PMON_E_STATE, etl->offset, "buffers are out of order");
	if (etl->is_stream && got == 0) {
		etl->n_buffers = etl->turn;
		etl->report->here = BLG_STEP_END;
		return PMON_END;
	}
	etl->turn++;
	etl->report->info->bytes_read += got;
	etl->report->here = etl->turn << BLG_STEP_SHIFT;
	take_buffer(etl, number, got);
	return PMON_OK;
}

// ---- Events ---------------------------------------------------------------------------------

enum event_kind {
	EVENT_BAD,
	EVENT_FOREIGN,
	EVENT_PDH,
};

// EVENT_TRACE_HEADER, the head of a PDH event
//	0x00  u16      bytes of the event, this header included
//	0x02  u8       10 from a 32-bit writer, 20 from a 64-bit writer
//	0x03  u8       0xC0
//	0x04  u8       event type, the kind of record
//	0x08  i32 u32  thread, process; of pmon the offset to UTC and BLG_OFFSET_TAG
//	0x10  FILETIME time of the sample, local
//	0x18  GUID     the PDH event class
// then the part header
//	0x30  GUID     log id
//	0x40  u32 u32  number of this part, from 1; number of parts
// Source: evntrace.h; the part header is seen in all files.
static enum event_kind
read_pdh_event(struct pmon_rd r, struct blg_event *out)
{
	pmon_rd_skip(&r, 4);
	out->offset = r.origin;
	out->type = pmon_rd_u8(&r);
	pmon_rd_skip(&r, 3);
	out->offset_min = pmon_rd_i32(&r);
	out->has_offset = pmon_rd_u32(&r) == BLG_OFFSET_TAG && out->offset_min >= -BLG_OFFSET_MAX &&
			  out->offset_min <= BLG_OFFSET_MAX;
	out->time = pmon_rd_i64(&r);
	pmon_rd_seek(&r, EVENT_HEADER);
	out->log_id = pmon_rd_bytes(&r, 16);
	out->part = pmon_rd_u32(&r);
	out->n_parts = pmon_rd_u32(&r);
	out->len = pmon_rd_left(&r);
	out->chunk = pmon_rd_bytes(&r, out->len);
	if (!pmon_rd_ok(&r) || out->part == 0 || out->part > out->n_parts)
		return EVENT_BAD;
	return EVENT_PDH;
}

// Does an event of the PDH library begin here? Should its class be damaged, the id of the log is as
// good a mark.
static bool
is_pdh_head(const struct blg_etl *etl, const uint8_t *p, size_t left)
{
	if (left < EVENT_HEADER + PART_HEADER || p[3] != 0xC0)
		return false;
	return memcmp(p + 0x18, pdh_guid, sizeof(pdh_guid)) == 0 ||
	       (etl->has_log_id && memcmp(p + EVENT_HEADER, etl->log_id, sizeof(etl->log_id)) == 0);
}

// Does an event look like one of the PDH library's with a damaged head? It has no known class, or
// their kind and version, or their content.
static bool
is_damaged_pdh(const struct blg_etl *etl, const uint8_t *p, size_t size)
{
	bool has_class = p[2] == 10 || p[2] == 20; // of writers of 32 and 64 bits

	if (has_class && size >= EVENT_HEADER &&
	    (is_zero(p + 0x18, sizeof(pdh_guid)) ||
	     (p[4] >= BLG_CATALOGUE && p[4] <= BLG_NAMES && p[6] == PDH_VERSION && p[7] == 0)))
		return true;
	for (size_t at = 8; at < size; at += 8)
		if (is_pdh_head(etl, p + at, size - at))
			return true;
	return blg_has_values(p, size);
}

// The size of an event is at its head, except in the system's own events, where it follows a
// version.
static uint32_t
event_size(const uint8_t *p)
{
	bool is_system = p[2] <= 4 || p[2] == 0x10 || p[2] == 0x11;

	return (uint32_t)(is_system ? p[4] | p[5] << 8 : p[0] | p[1] << 8);
}

// Look at the event at the position, of which at least 8 bytes are there.
static enum event_kind
look(const struct blg_etl *etl, struct blg_event *out, uint32_t *size_out)
{
	const uint8_t *p = etl->buffer + etl->pos;
	size_t left = etl->used - etl->pos;
	uint32_t size = event_size(p);

	*size_out = size;
	if ((p[3] != 0xC0 && p[3] != 0x90) || size < 8 || size > left)
		return EVENT_BAD;
	if (!is_pdh_head(etl, p, size))
		return is_damaged_pdh(etl, p, size) ? EVENT_BAD : EVENT_FOREIGN;
	return read_pdh_event(pmon_rd_init(p, size, etl->offset + etl->pos), out);
}

// Skip bytes that are not an event, up to the next certain event.
static void
skip_damage(struct blg_etl *etl)
{
	size_t from = etl->pos;

	do
		etl->pos += 8;
	while (etl->pos < etl->used &&
	       !is_pdh_head(etl, etl->buffer + etl->pos, etl->used - etl->pos));
	if (etl->pos > etl->used)
		etl->pos = etl->used;
	if (!etl->is_told)
		pmon_report_loss(etl->report, etl->offset + from, etl->pos - from,
				 "%zu bytes in a buffer are not an event", etl->pos - from);
}

// When only the beginning of the buffer was read: read the head of the event at the position. An
// event that does not belong to a sample is read whole, with the rest of the buffer.
static enum pmon_status
read_head(struct blg_etl *etl, struct pmon_err *err)
{
	size_t left = etl->used - etl->pos;
	size_t len = left < PEEK_BYTES ? left : PEEK_BYTES;
	size_t got = len;
	enum pmon_status status = PMON_OK;
	struct blg_event event;
	uint32_t size;

	if (etl->pos + len > etl->there)
		status = read_bytes(etl, etl->pos, etl->pos + len, &got, err);
	if (status != PMON_OK)
		return status;
	if (got == len && look(etl, &event, &size) == EVENT_PDH && event.type == BLG_SAMPLE)
		return PMON_OK;
	return read_rest(etl, err);
}

enum pmon_status
pmon_blg_etl_next(struct blg_etl *etl, struct blg_event *event, struct pmon_err *err)
{
	for (;;) {
		enum event_kind kind;
		uint32_t size;

		if (etl->used - etl->pos < 8) {
			enum pmon_status status = next_buffer(etl, err);

			if (status != PMON_OK)
				return status;
			continue;
		}
		etl->report->here = etl->turn << BLG_STEP_SHIFT | etl->pos;
		if (etl->is_partial) {
			enum pmon_status status = read_head(etl, err);

			if (status != PMON_OK)
				return status;
			if (etl->used - etl->pos < 8)
				continue;
		}
		kind = look(etl, event, &size);
		if (kind == EVENT_BAD) {
			skip_damage(etl);
			continue;
		}
		etl->pos += (size + 7) & ~(size_t)7;
		if (etl->pos > etl->used)
			etl->pos = etl->used;
		etl->n_found++;
		etl->bytes_found += size;
		if (kind == EVENT_PDH) {
			event->is_partial = etl->is_partial;
			etl->n_pdh++;
			etl->has_log_id = true;
			memcpy(etl->log_id, event->log_id, sizeof(etl->log_id));
			return PMON_OK;
		}
		etl->n_foreign++;
	}
}
