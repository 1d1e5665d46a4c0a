// etl.c - buffers of an event trace file, and the PDH events in them
// SPDX-License-Identifier: MIT
//
// A file is a sequence of buffers of equal size. Each has a header, events at multiples of 8, and
// filler. The buffers are read one at a time in the order of their sequence numbers, which is
// nearly always the file order; in a circular log that wrapped, it is a rotation of that.

#include "base/text.h"
#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "os/ahead.h"

#define EVENT_HEADER 48
#define PART_HEADER  24
#define PEEK_BYTES   (BLG_EVENT_HEAD + BLG_PEEK)
#define FIRST_BYTES  (BLG_BUFFER_HEADER + PEEK_BYTES)
#define AHEAD_BYTES  ((uint64_t)4 << 20) // requested ahead if only a few of them are read
#define BLOCK_BYTES  ((size_t)256 << 10) // read by the thread at a time
#define LEAST_BYTES  ((uint64_t)4 << 20) // remaining bytes that justify a thread
#define FEW_BUFFERS  16
#define MOST_AHEADS                                                                                \
	3 // a circular log needs two: one to the end of the file, one from its beginning
#define FILL        0xFF // in the unused end of a buffer
#define PDH_VERSION 60   // of the events of the PDH library

// 933f3bb3-943e-490d-9ced-3cbb14c14479, the PDH event class.
static const uint8_t pdh_guid[16] = {0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49,
				     0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79};

enum pmon_status
pmon_blg_etl_open(struct blg_etl *etl, struct pmon_err *err)
{
	uint64_t size = etl->header.buffer_bytes;

	etl->file_bytes = pmon_file_size(etl->file);
	etl->is_stream = etl->file_bytes == PMON_FILE_ENDLESS;
	etl->n_buffers = blg_etl_in_file(etl);
	etl->stop = etl->n_buffers;
	etl->buffer_cap = (size_t)(size < etl->file_bytes ? size : etl->file_bytes);
	etl->own = pmon_mem_alloc(etl->allocator, etl->buffer_cap);
	etl->buffer = etl->own;
	if (etl->own == NULL)
		return pmon_err_nomem(err);
	return pmon_blg_etl_find_order(etl, err);
}

static void
end_ahead(struct blg_etl *etl)
{
	pmon_ahead_close(etl->ahead);
	etl->ahead = NULL;
	etl->buffer = etl->own;
}

void
pmon_blg_etl_close(struct blg_etl *etl)
{
	pmon_blg_etl_drop_index(etl);
	end_ahead(etl);
	pmon_mem_free(etl->allocator, etl->own, etl->buffer_cap);
	etl->buffer = etl->own = NULL;
}

void
pmon_blg_etl_rewind(struct blg_etl *etl)
{
	end_ahead(etl);
	etl->n_aheads = 0;
	etl->turn = 0;
	etl->used = 0;
	etl->pos = 0;
	etl->is_bad = false;
	etl->is_partial = false;
	etl->has_log_id = false;
	etl->sequence = 0;
	etl->report->info->bytes_read = 0;
	etl->report->info->bytes_damaged = etl->bytes_repeated;
}

// ---- Reading a buffer -----------------------------------------------------------------------

// If a part reads beyond its own buffers to complete a record, those bytes are accounted for by the
// next part.
static bool
is_own(const struct blg_etl *etl)
{
	return etl->turn <= etl->stop;
}

static void
enter_used(struct blg_etl *etl, uint64_t bytes)
{
	if (is_own(etl))
		pmon_report_used(etl->report, bytes);
}

static void
enter_unused(struct blg_etl *etl, uint64_t bytes)
{
	if (is_own(etl))
		pmon_report_unused(etl->report, bytes);
}

// Whether this buffer should have content. A buffer of zeros after all others was never written.
static bool
was_written(const struct blg_etl *etl, uint64_t number)
{
	const struct blg_header *h = &etl->header;

	return number < etl->last_good ||
	       (h->end != PMON_TIME_NONE && (h->log_mode & BLG_MODE_CIRCULAR) == 0 &&
		number < h->buffers_written);
}

// A buffer with a damaged header may still contain events; those that can be found are read.
static void
take_bad_buffer(struct blg_etl *etl, uint64_t number, size_t got)
{
	size_t end = got;

	etl->is_bad = !pmon_is_zero(etl->buffer, got);
	if (!etl->is_bad) {
		etl->used = etl->pos = 0;
		if (was_written(etl, number))
			pmon_report_loss(etl->report, etl->offset, got,
					 "a buffer of %zu %s is empty", got,
					 pmon_text_word(got, "byte", "bytes"));
		else
			enter_unused(etl, got);
		return;
	}
	while (end > 0 && etl->buffer[end - 1] == FILL)
		end--;
	etl->used = end;
	etl->pos = BLG_BUFFER_HEADER < end ? BLG_BUFFER_HEADER : end;
	enter_unused(etl, got - end);
}

static const char *
bytes_of_buffer(size_t n)
{
	return pmon_text_word(n, "byte in a buffer is", "bytes in a buffer are");
}

// All events of a buffer were returned.
static void
finish_buffer(struct blg_etl *etl)
{
	size_t rest = etl->used - etl->pos;

	if (etl->is_bad)
		pmon_report_loss(etl->report, etl->offset, etl->used - etl->bytes_found,
				 "the header of a buffer is damaged; %u %s found in it",
				 etl->n_found,
				 pmon_text_word(etl->n_found, "event was", "events were"));
	else if (rest > 0)
		pmon_report_loss(etl->report, etl->offset + etl->pos, rest, "%zu %s not an event",
				 rest, bytes_of_buffer(rest));
	etl->is_bad = false;
	etl->pos = etl->used;
}

#define CUT_TEXT "the file ends inside a buffer: %zu of its %u bytes %s missing"

static void
tell_cut(struct blg_etl *etl, size_t got, size_t lost)
{
	uint32_t size = etl->header.buffer_bytes;

	pmon_report_missing(etl->report, etl->offset + got, lost, CUT_TEXT, size - got, size,
			    pmon_text_word(size - got, "is", "are"));
}

// The file ends inside the header of a buffer.
static void
take_cut_header(struct blg_etl *etl, size_t got)
{
	uint32_t size = etl->header.buffer_bytes;

	etl->used = etl->pos = 0;
	pmon_report_loss(etl->report, etl->offset, got, CUT_TEXT, size - got, size,
			 pmon_text_word(size - got, "is", "are"));
}

// Whether the missing bytes are missing between events. Then those of the unused part moved up
// behind the events.
static bool
lacks_middle(const struct blg_etl *etl, size_t got)
{
	uint8_t last = etl->buffer[etl->used - 1];

	if (etl->used < got)
		return last == etl->buffer[etl->used];
	return last == FILL || last == 0;
}

// The file ends inside a buffer, of which `got` bytes are present.
static void
take_cut_buffer(struct blg_etl *etl, size_t got)
{
	size_t missing = etl->header.buffer_bytes - got;

	if (etl->used > got) {
		tell_cut(etl, got, etl->used - got);
		etl->used = got;
	} else if (!etl->is_partial && lacks_middle(etl, got)) {
		tell_cut(etl, got, missing);
	} else {
		pmon_report_remark(etl->report, etl->offset + got,
				   "the file ends inside the unused part of a buffer");
	}
}

// Were the last bytes of the events overwritten with zeros? If so, the first unused bytes are zeros
// too, in a log whose other unused bytes are not.
static void
check_end(struct blg_etl *etl, size_t got)
{
	size_t from = etl->used;

	etl->is_filled = etl->is_filled || (etl->used < got && etl->buffer[got - 1] == FILL);
	if (!etl->is_filled || etl->header.end == PMON_TIME_NONE || etl->used + 8 > got ||
	    !pmon_is_zero(etl->buffer + etl->used, 8))
		return;
	while (from > BLG_BUFFER_HEADER && etl->buffer[from - 1] == 0)
		from--;
	if (etl->used - from >= 8)
		pmon_report_missing(etl->report, etl->offset + from, etl->used - from,
				    "the end of the events of a buffer was overwritten with zeros");
}

// In a circular log a buffer replaces an older one. If the writer was killed before the buffer was
// complete, the rest of the older one follows it.
static bool
may_have_older(const struct blg_etl *etl, uint32_t used_copy)
{
	return etl->header.end == PMON_TIME_NONE &&
	       (etl->header.log_mode & BLG_MODE_CIRCULAR) != 0 && used_copy == etl->used;
}

// After the used bytes there is fill, or zeros if nothing was ever written there. If there is
// anything else, the length is damaged, and these bytes are used too. If the length is stored
// twice, the other one may be right. A log that was not closed may legitimately end this way: its
// writer was killed after writing an event and before updating the length.
static void
check_unused(struct blg_etl *etl, uint32_t used_copy, size_t got)
{
	size_t end = got;
	size_t more;

	while (end > etl->used && etl->buffer[end - 1] == FILL)
		end--;
	if (end <= etl->used || may_have_older(etl, used_copy) ||
	    pmon_is_zero(etl->buffer + etl->used, end - etl->used))
		return;
	more = end - etl->used;
	if (etl->header.end == PMON_TIME_NONE)
		pmon_report_remark(etl->report, etl->offset + etl->used,
				   "the last %zu %s not counted in the length of the buffer, but "
				   "read",
				   more,
				   pmon_text_word(more, "byte that was written is",
						  "bytes that were written are"));
	else if (used_copy < end || used_copy > etl->header.buffer_bytes)
		pmon_report_loss(
			etl->report, etl->offset + etl->used, 0,
			"the length of a buffer is damaged: %zu %s in use, and read", more,
			pmon_text_word(more, "byte after its end is", "bytes after its end are"));
	etl->used = end;
}

// Find where the events of a buffer begin and end.
static void
take_buffer(struct blg_etl *etl, uint64_t number, size_t got)
{
	struct blg_buffer_header h = pmon_blg_buffer_header(&etl->header, etl->buffer, got);

	etl->pos = BLG_BUFFER_HEADER;
	etl->used = h.used;
	etl->n_found = 0;
	etl->bytes_found = 0;
	if (got < BLG_BUFFER_HEADER) {
		take_cut_header(etl, got);
		return;
	}
	if (!h.is_readable) {
		take_bad_buffer(etl, number, got);
		return;
	}
	if (!etl->is_partial) {
		check_unused(etl, h.used_copy, got);
		check_end(etl, got);
	}
	if (got < etl->header.buffer_bytes)
		take_cut_buffer(etl, got);
	enter_used(etl, etl->pos);
	enter_unused(etl, got - etl->used);
}

// The buffers of a stream are read in file order. Can the next one be read without knowing the
// later ones or, if it is empty, was that the end of the log?
static bool
is_in_order(struct blg_etl *etl, uint64_t number, size_t got)
{
	const struct blg_header *h = &etl->header;
	struct blg_buffer_header b = pmon_blg_buffer_header(h, etl->buffer, got);
	uint64_t before = etl->sequence;

	if (got == 0)
		return h->end == PMON_TIME_NONE || (h->log_mode & BLG_MODE_CIRCULAR) != 0 ||
		       h->buffers_written <= number;
	if (!b.is_readable)
		return !pmon_is_zero(etl->buffer, got);
	if (number > 0)
		etl->sequence = b.sequence;
	return number <= 1 || b.sequence > before;
}

// Read a part of the buffer, as far as the file goes.
static enum pmon_status
read_bytes(struct blg_etl *etl, size_t from, size_t to, size_t *got_out, struct pmon_err *err)
{
	return pmon_file_read(etl->file, etl->offset + from, etl->own + from, to - from, got_out,
			      err);
}

// Small scattered reads would be slow if the file is not cached.
static void
tell_ahead(const struct blg_etl *etl)
{
	uint64_t behind = etl->offset + etl->header.buffer_bytes;

	if (behind / AHEAD_BYTES > etl->offset / AHEAD_BYTES)
		pmon_file_will_read(etl->file, behind, AHEAD_BYTES);
}

// Read only the beginning of a buffer; the header of the file is longer, and no buffer is smaller
// than that. False if its header is not as expected.
static bool
peek_buffer(struct blg_etl *etl, size_t *got_out)
{
	uint64_t left = etl->file_bytes - etl->offset;
	size_t got;

	if (read_bytes(etl, 0, FIRST_BYTES, &got, NULL) != PMON_OK || got < FIRST_BYTES ||
	    !pmon_blg_buffer_header(&etl->header, etl->buffer, got).is_readable)
		return false;
	etl->there = got;
	tell_ahead(etl);
	*got_out = left < etl->buffer_cap ? (size_t)left : etl->buffer_cap;
	return true;
}

// Whether more than the used bytes of a partial buffer may have been written.
static bool
goes_on(struct blg_etl *etl, size_t got)
{
	size_t used =
		(pmon_blg_buffer_header(&etl->header, etl->buffer, etl->there).used + 7u) & ~7u;
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

// Start reading ahead if requested and worthwhile. It is not for a few buffers, such as at the
// beginning of a log that several threads will read in parts.
static void
begin_ahead(struct blg_etl *etl)
{
	size_t size = etl->header.buffer_bytes;

	if (etl->threads < 2 || etl->turn < FEW_BUFFERS || etl->n_aheads == MOST_AHEADS ||
	    size > BLOCK_BYTES || etl->is_stream || etl->offset > etl->file_bytes ||
	    etl->file_bytes - etl->offset < LEAST_BYTES || !pmon_file_is_shareable(etl->file))
		return;
	etl->n_aheads++;
	etl->ahead =
		pmon_ahead_open(etl->file, etl->offset, BLOCK_BYTES / size * size, etl->allocator);
}

static bool
take_ahead(struct blg_etl *etl, size_t *got_out)
{
	if (etl->ahead == NULL)
		begin_ahead(etl);
	if (etl->ahead == NULL)
		return false;
	etl->buffer = pmon_ahead_take(etl->ahead, etl->offset, etl->buffer_cap, got_out);
	if (etl->buffer == NULL)
		end_ahead(etl);
	return etl->ahead != NULL;
}

static enum pmon_status
read_buffer(struct blg_etl *etl, size_t *got_out, struct pmon_err *err)
{
	if (!etl->is_sparse && take_ahead(etl, got_out)) {
		etl->is_partial = false;
		return PMON_OK;
	}
	etl->buffer = etl->own;
	etl->is_partial = etl->is_sparse && peek_buffer(etl, got_out) && !goes_on(etl, *got_out);
	return etl->is_partial ? PMON_OK : read_bytes(etl, 0, etl->buffer_cap, got_out, err);
}

// Read the missing bytes of the buffer from the position on.
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

	finish_buffer(etl);
	if (etl->turn >= etl->n_buffers || (etl->turn >= etl->stop && !etl->is_needed)) {
		etl->report->here = BLG_STEP_END;
		return PMON_END;
	}
	number = pmon_blg_etl_buffer_at(etl, etl->turn);
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

// Whether an event of the PDH library begins here. If its class is damaged, the log ID identifies
// it as well.
static bool
is_pdh_head(const struct blg_etl *etl, const uint8_t *p, size_t left)
{
	if (left < EVENT_HEADER + PART_HEADER || p[3] != 0xC0)
		return false;
	return memcmp(p + 0x18, pdh_guid, sizeof(pdh_guid)) == 0 ||
	       (etl->has_log_id && memcmp(p + EVENT_HEADER, etl->log_id, sizeof(etl->log_id)) == 0);
}

// Whether an event looks like one of the PDH library's with a damaged head: it has no known class,
// or their kind and version, or their content.
static bool
is_damaged_pdh(const struct blg_etl *etl, const uint8_t *p, size_t size)
{
	bool has_class = p[2] == 10 || p[2] == 20; // of writers of 32 and 64 bits

	if (has_class && size >= EVENT_HEADER &&
	    (pmon_is_zero(p + 0x18, sizeof(pdh_guid)) ||
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

// Classify the event at the position, of which at least 8 bytes are present.
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
	if (!etl->is_bad)
		pmon_report_loss(etl->report, etl->offset + from, etl->pos - from,
				 "%zu %s not an event", etl->pos - from,
				 bytes_of_buffer(etl->pos - from));
}

// If only the beginning of the buffer was read: read the header of the event at the position. An
// event that does not belong to a sample is read completely, with the rest of the buffer.
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

// Skip an event and its filler. Returns their number of bytes.
static size_t
pass_event(struct blg_etl *etl, uint32_t size)
{
	size_t left = etl->used - etl->pos;
	size_t len = (size + 7) & ~(size_t)7;

	if (len > left)
		len = left;
	etl->pos += len;
	etl->n_found++;
	etl->bytes_found += len;
	return len;
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
		event->file_bytes = pass_event(etl, size);
		if (kind == EVENT_PDH) {
			event->is_partial = etl->is_partial;
			etl->n_pdh++;
			etl->has_log_id = true;
			memcpy(etl->log_id, event->log_id, sizeof(etl->log_id));
			return PMON_OK;
		}
		etl->n_foreign++;
		enter_used(etl, event->file_bytes);
	}
}
