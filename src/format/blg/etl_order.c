// etl_order.c - find the order in which the buffers of an event trace file were written
// SPDX-License-Identifier: MIT
//
// Nearly always it is the order in the file; in a circular log that wrapped, it is a rotation of
// that. Otherwise an index is sorted by the sequence numbers of the buffers.

#include "format/blg/blg.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_INDEX (4u << 20) // buffers in the index: 64 MiB of memory

// ---- Buffer headers -------------------------------------------------------------------------

// Buffer header, 0x48 bytes
//	0x00  u32  size of the buffer
//	0x04  u32  Vista and later: bytes used, as 0x30; before: sequence number
//	0x18  u64  Vista and later: sequence number; before: half a GUID
//	0x30  u32  bytes used, this header included
// The other fields are not needed for reading. Source: seen in files of XP to Windows 11;
// WMI_BLG_BUFFER_HEADER in public descriptions.
struct blg_buffer_header
pmon_blg_buffer_header(const struct blg_header *file_header, const uint8_t *bytes, size_t len)
{
	struct pmon_rd r = pmon_rd_init(bytes, len, 0);
	struct blg_buffer_header h = {0};
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
			h.used >= BLG_BUFFER_HEADER && h.used <= size;
	return h;
}

static enum pmon_status
peek_buffer_header(struct blg_etl *etl, uint64_t number, struct blg_buffer_header *out,
		   struct pmon_err *err)
{
	uint8_t bytes[BLG_BUFFER_HEADER];
	size_t got;
	enum pmon_status status;

	status = pmon_file_read(etl->file, number * etl->header.buffer_bytes, bytes, sizeof(bytes),
				&got, err);
	if (status == PMON_OK)
		*out = pmon_blg_buffer_header(&etl->header, bytes, got);
	return status;
}

// ---- The order of the buffers ---------------------------------------------------------------

// The sequence numbers, in the order of the file.
struct order {
	size_t descents;  // how often a number is not larger than its predecessor
	uint64_t descent; // the last buffer with such a number
	uint64_t first;   // sequence numbers
	uint64_t last;
	bool any;
};

static enum pmon_status
scan_order(struct blg_etl *etl, struct order *order, struct pmon_err *err)
{
	for (uint64_t i = 1; i < etl->n_buffers; i++) {
		struct blg_buffer_header h;
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

void
pmon_blg_etl_drop_index(struct blg_etl *etl)
{
	pmon_mem_free(etl->allocator, etl->index, etl->index_cap * sizeof(*etl->index));
	etl->index = NULL;
	etl->index_cap = 0;
}

// A buffer that cannot be read keeps its position after the buffer that precedes it in the file.
static enum pmon_status
fill_index(struct blg_etl *etl, struct pmon_err *err)
{
	uint64_t sequence = 0;

	for (uint64_t i = 1; i < etl->n_buffers; i++) {
		struct blg_buffer_header h;
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

// Do two buffers have the same content? bytes has room for both.
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

static void
tell_repeat(struct blg_etl *etl, const struct blg_slot *before, const struct blg_slot *slot)
{
	uint64_t size = etl->header.buffer_bytes;
	uint64_t at = slot->number * size;
	uint64_t len = size < etl->file_bytes - at ? size : etl->file_bytes - at;

	etl->bytes_repeated += len;
	pmon_report_loss(etl->report, at, len,
			 "skipping a buffer that duplicates the one at byte %llu",
			 (unsigned long long)(before->number * size));
}

// Remove repeats of the preceding buffer from the sorted index.
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
			tell_repeat(etl, before, slot);
		else
			etl->index[kept++] = *slot;
	}
	pmon_mem_free(etl->allocator, bytes, room);
	*n = kept;
	return status;
}

// Finish the index: buffers sorted by their numbers, without repeats.
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
		pmon_blg_etl_drop_index(etl);
		etl->n_buffers = etl->stop = blg_etl_in_file(etl);
		etl->bytes_repeated = 0; // they are read after all
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

enum pmon_status
pmon_blg_etl_find_order(struct blg_etl *etl, struct pmon_err *err)
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

uint64_t
pmon_blg_etl_buffer_at(const struct blg_etl *etl, uint64_t turn)
{
	uint64_t n = etl->n_buffers - 1;

	if (turn == 0)
		return 0;
	if (etl->index != NULL)
		return etl->index[turn - 1].number;
	return (turn - 1 + etl->first - 1) % n + 1;
}
