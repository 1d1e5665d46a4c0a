// write_etl.c - write parts of records as events, events to buffers, buffers to the file
// SPDX-License-Identifier: MIT

#include "format/blg/write.h"

#include <string.h>

#include "base/mem.h"

#define EVENT_HEADER   48
#define PART_HEADER    24
#define PART_BYTES     8000 // of a record, except its last part
#define PARTS_A_BUFFER 8    // parts of that size per buffer
#define FILL           0xFF
#define STATE          3
#define FLAG_PRIVATE   0x20 // an in-process logger
#define FLAG_FLUSHED   0x01 // written before it was full
#define MIN_RING       5    // buffers: the header, a list of counters, and a circular part

// 933f3bb3-943e-490d-9ced-3cbb14c14479, the PDH event class.
static const uint8_t pdh_guid[16] = {0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49,
				     0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79};

static bool
make_own(struct blg_out *out)
{
	if (out->own == NULL)
		out->own = pmon_mem_alloc(out->allocator, BLG_OUT_BUFFER);
	return out->own != NULL;
}

enum pmon_status
pmon_blg_out_open(struct blg_out *out, const char *path, const struct pmon_create_options *options,
		  struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);

	*out = (struct blg_out){
		.allocator = allocator,
		.live = options->live,
		.ring = (uint32_t)(options->ring_bytes / BLG_OUT_BUFFER),
	};
	if (options->ring_bytes > 0 &&
	    (out->ring < MIN_RING || options->ring_bytes / BLG_OUT_BUFFER > UINT32_MAX))
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "a circular binary log needs at least %d bytes",
				    MIN_RING * BLG_OUT_BUFFER);
	if (out->live && !make_own(out))
		return pmon_err_nomem(err);
	return pmon_format_outfile(path, options, &out->file, err);
}

void
pmon_blg_out_close(struct blg_out *out)
{
	pmon_outfile_close(out->file);
	pmon_mem_free(out->allocator, out->own, BLG_OUT_BUFFER);
	out->file = NULL;
	out->buffer = NULL;
	out->own = NULL;
}

// ---- Buffers --------------------------------------------------------------------------------

// Prepare the memory of the next buffer. A buffer that is written only once, when it is full, is
// filled directly in the file's block; those of a live log are written repeatedly.
static void
take_buffer(struct blg_out *out)
{
	out->buffer = out->live ? out->own : pmon_outfile_room(out->file, BLG_OUT_BUFFER);
}

// Keep the buffer, which will be filled further after it was written.
static bool
keep_buffer(struct blg_out *out)
{
	if (!make_own(out))
		return false;
	if (out->buffer != out->own)
		memcpy(out->own, out->buffer, out->used);
	out->buffer = out->own;
	return true;
}

static void
start_buffer(struct blg_out *out)
{
	take_buffer(out);
	out->number++;
	out->place++;
	if (out->ring_first > 0 && out->place == out->ring)
		out->place = out->ring_first;
	out->used = BLG_OUT_HEADER;
	out->on_disk = 0;
}

// Append to the end of the file.
static void
append(struct blg_out *out)
{
	if (out->buffer == out->own)
		pmon_outfile_write(out->file, out->buffer, BLG_OUT_BUFFER);
	else
		pmon_outfile_put(out->file, BLG_OUT_BUFFER);
}

enum pmon_status
pmon_blg_out_begin(struct blg_out *out, const struct blg_out_facts *facts, struct pmon_err *err)
{
	uint8_t head[BLG_OUT_HEAD];
	size_t len = pmon_blg_out_head(facts, head);
	enum pmon_status status;

	take_buffer(out);
	memset(out->buffer, FILL, BLG_OUT_BUFFER);
	memcpy(out->buffer, head, len);
	append(out);
	status = pmon_outfile_flush(out->file, false, err);
	start_buffer(out);
	return status;
}

// If the file is read while it is written, flush at once.
static enum pmon_status
hand_on(struct blg_out *out, struct pmon_err *err)
{
	if (out->live)
		return pmon_outfile_flush(out->file, false, err);
	return pmon_outfile_status(out->file, err);
}

enum pmon_status
pmon_blg_out_patch(struct blg_out *out, const struct blg_out_facts *facts, struct pmon_err *err)
{
	uint8_t head[BLG_OUT_HEAD];
	size_t len = pmon_blg_out_head(facts, head);

	pmon_outfile_write_at(out->file, 0, head, len);
	return hand_on(out, err);
}

// Buffer header, 0x48 bytes
//	0x00  u32      size of the buffer
//	0x04  u32      bytes used, this header included
//	0x08  u32      where the writer wanted to be when it stopped: after the event that did not
//	               fit, or one buffer further when it was flushed
//	0x10  FILETIME time of writing, UTC: here that of the newest sample
//	0x18  u64      sequence number
//	0x28  u32      CPU, alignment, logger id
//	0x2C  u32      state
//	0x30  u32      bytes used again
//	0x34  u16 u16  flags, type
//	0x38           dead pointers
static void
put_header(struct blg_out *out, size_t wanted, uint16_t flags)
{
	struct pmon_wr w = pmon_wr_init(out->buffer, BLG_OUT_HEADER);

	pmon_wr_u32(&w, BLG_OUT_BUFFER);
	pmon_wr_u32(&w, (uint32_t)out->used);
	pmon_wr_u32(&w, (uint32_t)wanted);
	pmon_wr_u32(&w, 0);
	pmon_wr_i64(&w, out->newest);
	pmon_wr_u64(&w, out->number);
	pmon_wr_u64(&w, 0);
	pmon_wr_u32(&w, 0);
	pmon_wr_u32(&w, STATE);
	pmon_wr_u32(&w, (uint32_t)out->used);
	pmon_wr_u16(&w, flags);
	pmon_wr_u16(&w, 0);
	pmon_wr_fill(&w, 0, BLG_OUT_HEADER - pmon_wr_pos(&w));
}

static void
write_at(struct blg_out *out, size_t from, size_t to)
{
	uint64_t at = out->place * BLG_OUT_BUFFER + from;

	if (at == pmon_outfile_size(out->file))
		pmon_outfile_write(out->file, out->buffer + from, to - from);
	else
		pmon_outfile_write_at(out->file, at, out->buffer + from, to - from);
}

// Write a new buffer of a live log without events first, so that whenever the writer is killed the
// file has an intact buffer, or is truncated where it is empty.
static void
write_empty(struct blg_out *out)
{
	size_t used = out->used;

	out->used = BLG_OUT_HEADER;
	put_header(out, out->used + BLG_OUT_BUFFER, FLAG_PRIVATE | FLAG_FLUSHED);
	out->used = used;
	write_at(out, 0, BLG_OUT_HEADER);
	write_at(out, BLG_OUT_HEADER, BLG_OUT_BUFFER);
}

// Write the buffer completely if it is new, otherwise what was added. The header goes last, so that
// it never refers to missing events.
static enum pmon_status
write_buffer(struct blg_out *out, size_t wanted, uint16_t flags, struct pmon_err *err)
{
	bool is_new = out->on_disk == 0;

	if (is_new)
		memset(out->buffer + out->used, FILL, BLG_OUT_BUFFER - out->used);
	if (is_new && out->live)
		write_empty(out);
	put_header(out, wanted, flags);
	if (is_new && !out->live)
		append(out);
	if (!is_new)
		write_at(out, out->on_disk, out->used);
	if (!is_new || out->live)
		write_at(out, 0, BLG_OUT_HEADER);
	out->on_disk = out->used;
	return hand_on(out, err);
}

static enum pmon_status
write_last(struct blg_out *out, struct pmon_err *err)
{
	return write_buffer(out, out->used + BLG_OUT_BUFFER, FLAG_PRIVATE | FLAG_FLUSHED, err);
}

enum pmon_status
pmon_blg_out_flush(struct blg_out *out, bool sync, struct pmon_err *err)
{
	bool is_more = out->used > BLG_OUT_HEADER && out->on_disk != out->used;
	enum pmon_status status = PMON_OK;

	if (is_more && !keep_buffer(out))
		return pmon_err_nomem(err);
	if (is_more)
		status = write_last(out, err);
	if (status == PMON_OK)
		status = pmon_outfile_flush(out->file, sync, err);
	if (out->buffer != out->own)
		take_buffer(out); // it is empty, and the file may have moved to another block
	return status;
}

enum pmon_status
pmon_blg_out_finish(struct blg_out *out, struct blg_out_facts *facts, struct pmon_err *err)
{
	enum pmon_status status;

	out->newest = facts->end;
	status = write_last(out, err);
	facts->n_buffers = pmon_outfile_size(out->file) / BLG_OUT_BUFFER;
	if (status == PMON_OK)
		status = pmon_blg_out_patch(out, facts, err);
	return status == PMON_OK ? pmon_outfile_commit(out->file, err) : status;
}

enum pmon_status
pmon_blg_out_close_ring(struct blg_out *out, struct pmon_err *err)
{
	enum pmon_status status;

	if (out->ring == 0)
		return PMON_OK;
	status = write_last(out, err);
	start_buffer(out);
	out->ring_first = (uint32_t)out->place;
	if (status == PMON_OK && out->place + MIN_RING - 2 > out->ring)
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "the list of counters leaves no room for samples in a circular "
				    "log of %llu bytes",
				    (unsigned long long)out->ring * BLG_OUT_BUFFER);
	return status;
}

// ---- Events ---------------------------------------------------------------------------------

// EVENT_TRACE_HEADER, then the part header
//	0x00  u16      bytes of the event, this header included
//	0x02  u8 u8    20: 64-bit writer; 0xC0
//	0x04  u8 u8    event type, level
//	0x06  u16      version
//	0x08  i32 u32  offset to UTC and BLG_OFFSET_TAG, where Windows has thread and process
//	0x10  FILETIME time, local
//	0x18  GUID     the PDH event class
//	0x28  u32 u32  0, and the flags of the logger
//	0x30  GUID     log id
//	0x40  u32 u32  number of this part, number of parts
// Source: evntrace.h; the values are those in files of Windows 8 and 10.
static void
put_event_header(struct pmon_wr *w, const struct blg_out_record *record, size_t size, uint32_t part,
		 uint32_t n_parts)
{
	pmon_wr_u16(w, (uint16_t)size);
	pmon_wr_u8(w, 20);
	pmon_wr_u8(w, 0xC0);
	pmon_wr_u8(w, record->type);
	pmon_wr_u8(w, 0);
	pmon_wr_u16(w, 60);
	pmon_wr_i32(w, record->offset_min);
	pmon_wr_u32(w, BLG_OFFSET_TAG);
	pmon_wr_i64(w, record->local);
	pmon_wr_copy(w, pdh_guid, sizeof(pdh_guid));
	pmon_wr_u32(w, 0);
	pmon_wr_u32(w, 0x001A0200);
	pmon_wr_copy(w, record->log_id, 16);
	pmon_wr_u32(w, part);
	pmon_wr_u32(w, n_parts);
}

static enum pmon_status
put_event(struct blg_out *out, const struct blg_out_record *record, uint32_t part, uint32_t n_parts,
	  struct pmon_err *err)
{
	size_t from = (size_t)(part - 1) * PART_BYTES;
	size_t len = record->len - from < PART_BYTES ? record->len - from : PART_BYTES;
	size_t size = EVENT_HEADER + PART_HEADER + len;
	size_t room = size + blg_out_pad(size);
	struct pmon_wr w;
	uint8_t *bytes;

	if (room > BLG_OUT_BUFFER - out->used) {
		enum pmon_status status = write_buffer(out, out->used + room, FLAG_PRIVATE, err);

		if (status != PMON_OK)
			return status;
		start_buffer(out);
	}
	w = pmon_wr_init(out->buffer + out->used, room);
	put_event_header(&w, record, size, part, n_parts);
	bytes = pmon_wr_bytes(&w, len);
	if (record->bytes != NULL)
		memcpy(bytes, record->bytes + from, len);
	else
		record->make(record->ctx, from, len, bytes);
	pmon_wr_fill(&w, 0, room - size);
	out->used += room;
	out->newest = record->utc;
	return PMON_OK;
}

// A record larger than half of the circular part would leave little else in it.
static bool
fits_ring(const struct blg_out *out, size_t n_parts)
{
	return out->ring_first == 0 ||
	       n_parts / PARTS_A_BUFFER <= (out->ring - out->ring_first) / 2;
}

enum pmon_status
pmon_blg_out_put(struct blg_out *out, const struct blg_out_record *record, struct pmon_err *err)
{
	size_t n = (record->len + PART_BYTES - 1) / PART_BYTES;
	enum pmon_status status = PMON_OK;

	if (!fits_ring(out, n))
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "a sample of %zu bytes is too large for a circular log of %llu",
				    record->len, (unsigned long long)out->ring * BLG_OUT_BUFFER);

	if (record->len > UINT32_MAX)
		return pmon_err_set(err, PMON_E_LIMIT, 0,
				    "a record of %zu bytes is too long for a binary log",
				    record->len);
	for (size_t i = 1; i <= n && status == PMON_OK; i++)
		status = put_event(out, record, (uint32_t)i, (uint32_t)n, err);
	return status;
}
