// record.c - assemble records from the events that contain their parts
// SPDX-License-Identifier: MIT
//
// A record of up to 8000 bytes is one event; a larger one is divided into consecutive numbered
// parts with the same type, log id and time. A record in one part is used directly in the buffer.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/time.h"

#define MOST_PIECES 65536 // for a partial record; with more it is assembled

const char *
pmon_blg_record_label(uint8_t type, pmon_time local, char buf[BLG_LABEL_SIZE])
{
	struct pmon_text t = pmon_text_init(buf, BLG_LABEL_SIZE);
	char time[PMON_TIME_SIZE];

	switch (type) {
	case BLG_CATALOGUE:
		pmon_text_str(&t, "list of counters");
		break;
	case BLG_SAMPLE:
		pmon_text_str(&t, "sample");
		break;
	case BLG_NAMES:
		pmon_text_str(&t, "table of counter names");
		break;
	case BLG_INSTANCES:
		pmon_text_str(&t, "list of instances");
		break;
	default:
		pmon_text_str(&t, "unknown record");
		break;
	}
	if (pmon_time_is_sane(local)) {
		(void)pmon_time_local(local, 0, time);
		pmon_text_str(&t, " of ");
		pmon_text_str(&t, time);
	}
	return pmon_text_get(&t);
}

void
pmon_blg_assembler_init(struct blg_assembler *a, struct blg_etl *etl, size_t max_bytes)
{
	*a = (struct blg_assembler){.etl = etl, .max_bytes = max_bytes};
}

void
pmon_blg_assembler_free(struct blg_assembler *a)
{
	pmon_mem_free(a->etl->allocator, a->buffer, a->cap);
	pmon_mem_free(a->etl->allocator, a->pieces, a->pieces_cap * sizeof(*a->pieces));
	a->buffer = NULL;
	a->cap = 0;
	a->pieces = NULL;
	a->pieces_cap = 0;
}

void
pmon_blg_assembler_rewind(struct blg_assembler *a)
{
	a->is_pending = false;
	a->is_begun = false;
}

static bool
belongs(const struct blg_assembler *a, const struct blg_event *event)
{
	return a->is_pending && a->pending.type == event->type && a->pending.time == event->time &&
	       a->n_parts == event->n_parts &&
	       memcmp(a->pending.log_id, event->log_id, sizeof(a->pending.log_id)) == 0;
}

// Are missing parts no damage? In a circular log the beginning of the oldest record is overwritten;
// in a log that was not closed the end of the newest one may not have been written yet.
static bool
is_cut_by_writer(const struct blg_assembler *a, bool at_end)
{
	const struct blg_header *h = &a->etl->header;

	if ((h->log_mode & BLG_MODE_CIRCULAR) && a->next_part == 1 && !a->is_begun)
		return true;
	return at_end && h->end == PMON_TIME_NONE && !a->is_broken;
}

// Drop the pending record. A list of instances only repeats what the samples contain, so it is no
// loss.
static void
abandon(struct blg_assembler *a, bool at_end)
{
	char label[BLG_LABEL_SIZE];

	if (!a->is_pending)
		return;
	a->is_pending = false;
	if (a->pending.type == BLG_INSTANCES || is_cut_by_writer(a, at_end)) {
		pmon_report_unused(a->etl->report, a->pending.file_bytes);
		return;
	}
	pmon_report_loss(a->etl->report, a->pending.offset, a->pending.file_bytes,
			 "%s: part %u of %u is missing",
			 pmon_blg_record_label(a->pending.type, a->pending.time, label),
			 a->next_part, a->n_parts);
}

static void
start(struct blg_assembler *a, const struct blg_event *event)
{
	abandon(a, false);
	a->is_pending = true;
	a->is_broken = false;
	a->pending = (struct blg_record){
		.type = event->type,
		.time = event->time,
		.has_offset = event->has_offset,
		.offset_min = event->offset_min,
		.offset = event->offset,
		.is_partial = event->is_partial,
	};
	memcpy(a->pending.log_id, event->log_id, sizeof(a->pending.log_id));
	a->n_pieces = 0;
	a->n_parts = event->n_parts;
	a->next_part = 1;
}

// ---- Bytes that were not read ---------------------------------------------------------------

enum pmon_status
pmon_blg_record_read(const struct blg_assembler *a, size_t at, uint8_t *buf, size_t len,
		     bool *ok_out, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	*ok_out = true;
	for (size_t i = 0; i < a->n_pieces && len > 0 && status == PMON_OK && *ok_out; i++) {
		const struct blg_piece *piece = &a->pieces[i];
		size_t n, got;

		if (at >= piece->len) {
			at -= piece->len;
			continue;
		}
		n = len < piece->len - at ? len : piece->len - at;
		status = pmon_file_read(a->etl->file, piece->offset + at, buf, n, &got, err);
		*ok_out = got == n;
		at = 0;
		buf += n;
		len -= n;
	}
	*ok_out = *ok_out && len == 0;
	return status;
}

enum pmon_status
pmon_blg_record_fill(struct blg_assembler *a, struct blg_record *record, bool *ok_out,
		     struct pmon_err *err)
{
	enum pmon_status status = pmon_blg_record_read(a, 0, a->buffer, record->len, ok_out, err);

	record->is_partial = false;
	return status;
}

static enum pmon_status
append_piece(struct blg_assembler *a, const struct blg_event *event, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = a->etl->allocator;
	size_t before = a->pending.len - event->len;
	size_t head = before < BLG_PEEK ? BLG_PEEK - before : 0; // the first piece may be shorter

	if (event->len == 0)
		return PMON_OK;
	if (!pmon_mem_grow(allocator, &a->pieces, &a->pieces_cap, a->n_pieces + 1,
			   sizeof(*a->pieces)))
		return pmon_err_nomem(err);
	memcpy(a->buffer + before, event->chunk, head < event->len ? head : event->len);
	a->pieces[a->n_pieces++] = (struct blg_piece){event->offset + BLG_EVENT_HEAD, event->len};
	return PMON_OK;
}

// Append a part that was not read, to a record whose other parts were.
static enum pmon_status
append_from_file(struct blg_assembler *a, size_t at, const struct blg_event *event,
		 struct pmon_err *err)
{
	size_t got;
	enum pmon_status status = pmon_file_read(a->etl->file, event->offset + BLG_EVENT_HEAD,
						 a->buffer + at, event->len, &got, err);

	a->is_broken = got < event->len;
	return status;
}

static enum pmon_status
fill_pending(struct blg_assembler *a, struct pmon_err *err)
{
	bool ok;
	enum pmon_status status = pmon_blg_record_fill(a, &a->pending, &ok, err);

	a->is_broken = !ok;
	return status;
}

static enum pmon_status
append(struct blg_assembler *a, const struct blg_event *event, struct pmon_err *err)
{
	size_t len = a->pending.len;
	enum pmon_status status = PMON_OK;

	if (a->n_parts > 1 && event->len > a->max_bytes - len) {
		char label[BLG_LABEL_SIZE];

		pmon_report_loss(a->etl->report, a->pending.offset, a->pending.file_bytes,
				 "%s: larger than the limit of %zu bytes",
				 pmon_blg_record_label(event->type, event->time, label),
				 a->max_bytes);
		a->is_pending = false;
		return PMON_OK;
	}
	// One byte more, so that the buffer exists even for a record of empty parts.
	if (!pmon_mem_grow(a->etl->allocator, &a->buffer, &a->cap, len + event->len + 1, 1))
		return pmon_err_nomem(err);
	a->next_part++;
	if (a->pending.is_partial && a->n_pieces == MOST_PIECES)
		status = fill_pending(a, err);
	a->pending.len += event->len;
	if (status != PMON_OK)
		return status;
	if (a->pending.is_partial)
		return append_piece(a, event, err);
	if (event->is_partial)
		return append_from_file(a, len, event, err);
	memcpy(a->buffer + len, event->chunk, event->len);
	return PMON_OK;
}

// ---- Whole records --------------------------------------------------------------------------

// Add a part to the pending record, or begin a new one with its first visible part.
static enum pmon_status
take_part(struct blg_assembler *a, const struct blg_event *event, struct pmon_err *err)
{
	if (!belongs(a, event) || event->part < a->next_part)
		start(a, event);
	a->pending.file_bytes += event->file_bytes;
	if (event->part != a->next_part)
		a->is_broken = true;
	if (a->is_broken)
		return PMON_OK;
	return append(a, event, err);
}

// The type of the event and the tag of the record must agree. If they differ, one is damaged, and
// the tag is unlikely to be right by chance.
static uint8_t
kind_of(const struct blg_record *record)
{
	uint32_t tag = record->len >= 4 ? pmon_le32(record->bytes) : 0;

	if (tag == BLG_TAG_SAMPLE)
		return BLG_SAMPLE;
	if (tag == BLG_TAG_CATALOGUE)
		return BLG_CATALOGUE;
	return record->type;
}

// A record that turns out not to be a sample is read completely. If that fails, only its event is
// known.
static enum pmon_status
fill_others(struct blg_assembler *a, struct blg_record *record, struct pmon_err *err)
{
	enum pmon_status status;
	bool ok;

	if (!record->is_partial || kind_of(record) == BLG_SAMPLE)
		return PMON_OK;
	status = pmon_blg_record_fill(a, record, &ok, err);
	if (!ok)
		record->len = 0;
	return status;
}

static bool
take_whole(struct blg_assembler *a, const struct blg_event *event, struct blg_record *record)
{
	if (event->n_parts == 1 && !event->is_partial) {
		abandon(a, false);
		*record = (struct blg_record){
			.type = event->type,
			.time = event->time,
			.has_offset = event->has_offset,
			.offset_min = event->offset_min,
			.bytes = event->chunk,
			.len = event->len,
			.offset = event->offset,
			.file_bytes = event->file_bytes,
		};
		memcpy(record->log_id, event->log_id, sizeof(record->log_id));
		return true;
	}
	if (!a->is_pending || a->is_broken || a->next_part <= a->n_parts)
		return false;
	a->is_pending = false;
	*record = a->pending;
	record->bytes = a->buffer;
	return true;
}

// Is it the rest of a record that began before the first buffer? Then there is no record.
static bool
is_behind(struct blg_assembler *a, struct blg_event *event)
{
	a->is_behind = a->is_behind && event->part > 1;
	if (a->is_behind)
		event->n_parts = BLG_NONE; // never complete
	return a->is_behind;
}

enum pmon_status
pmon_blg_record_next(struct blg_assembler *a, struct blg_record *record, struct pmon_err *err)
{
	struct blg_event event;
	enum pmon_status status;

	// A record that begins in a part's buffers is completed from later buffers.
	if (a->etl->turn > a->etl->stop && !a->is_pending)
		return PMON_END;
	do {
		a->etl->is_needed = a->is_pending;
		status = pmon_blg_etl_next(a->etl, &event, err);
		if (status == PMON_OK && is_behind(a, &event))
			continue;
		if (status == PMON_OK && a->etl->turn > a->etl->stop && !belongs(a, &event))
			return PMON_E_STATE;
		if (status == PMON_END) {
			abandon(a, true);
			pmon_blg_assembler_free(
				a); // the next step needs the memory for other things
		}
		if (status == PMON_OK && (event.n_parts > 1 || event.is_partial))
			status = take_part(a, &event, err);
		if (status != PMON_OK)
			return status;
	} while (!take_whole(a, &event, record));
	status = fill_others(a, record, err);
	record->type = kind_of(record);
	a->is_begun = a->is_begun || record->type == BLG_SAMPLE;
	return status;
}
