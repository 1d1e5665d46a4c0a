// find.c - find the blocks in a file
// SPDX-License-Identifier: MIT
//
// A block contains its length, and the next one follows. In real dumps, three things differ:
// Samba's lengths exclude the header, files are truncated, and other bytes may be between blocks.
// What follows a block identifies the first case.

#include "format/perfblock/perfblock.h"

#include <string.h>

#include "base/time.h"

#define SIGNATURE_BYTES 8
#define MARK_BYTES      16 // signature, byte order and version
#define LOOK_BYTES      4096
#define MIN_OBJECT      64 // PERF_OBJECT_TYPE

#define AT_TOTAL     0x14
#define AT_HEADER    0x18
#define AT_N_OBJECTS 0x1C
#define AT_NAME_LEN  0x50

// The lengths in the header of a block, and its clocks.
struct head {
	bool big_endian;
	uint32_t total;
	uint32_t header;
	pmon_time time; // UTC; PMON_TIME_NONE if it has none
	int64_t perf_time;
};

static bool
is_signature(const uint8_t *p)
{
	return memcmp(p, "P\0E\0R\0F\0", SIGNATURE_BYTES) == 0 ||
	       memcmp(p, "\0P\0E\0R\0F", SIGNATURE_BYTES) == 0;
}

bool
pmon_perfblock_probe(const uint8_t *head, size_t len)
{
	return len >= SIGNATURE_BYTES && is_signature(head);
}

// ---- Heads ----------------------------------------------------------------------------------

static uint32_t
get32(const uint8_t *bytes, size_t len, size_t at, bool big_endian)
{
	struct pmon_rd r = pmon_rd_init(bytes, len, 0);
	const uint8_t *p;

	pmon_rd_seek(&r, at);
	p = pmon_rd_bytes(&r, 4);
	if (p == NULL)
		return 0;
	return big_endian ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
			  : pmon_le32(p);
}

static void
put32(uint8_t *p, uint32_t v, bool big_endian)
{
	for (size_t i = 0; i < 4; i++)
		p[big_endian ? 3 - i : i] = (uint8_t)(v >> 8 * i);
}

// A mark at any offset of a file: only the version makes the byte order certain, since one
// signature preceded by a zero contains the other.
static bool
is_mark(const uint8_t *p)
{
	return is_signature(p) && get32(p, MARK_BYTES, 0x0C, p[0] == 0) == 1;
}

// PerfTime100nSec is UTC; so is SystemTime, according to the documentation.
pmon_time
pmon_perfblock_time(const struct pmon_perf_block *block)
{
	if (pmon_time_is_sane(block->perf_time_100ns))
		return block->perf_time_100ns;
	return pmon_time_if_sane(block->system_time);
}

// Parse a header. Its lengths exceed the available bytes, so the walker gets a copy that is an
// empty block with the same clocks.
static bool
read_head(const uint8_t bytes[PERFBLOCK_HEAD_BYTES], struct head *out)
{
	uint8_t copy[PERFBLOCK_HEAD_BYTES];
	struct pmon_perf_block block;
	bool big = bytes[0] == 0;

	*out = (struct head){.big_endian = big};
	out->total = get32(bytes, PERFBLOCK_HEAD_BYTES, AT_TOTAL, big);
	out->header = get32(bytes, PERFBLOCK_HEAD_BYTES, AT_HEADER, big);
	memcpy(copy, bytes, sizeof(copy));
	put32(copy + AT_TOTAL, sizeof(copy), big);
	put32(copy + AT_HEADER, sizeof(copy), big);
	put32(copy + AT_N_OBJECTS, 0, big);
	put32(copy + AT_NAME_LEN, 0, big);
	if (!is_mark(bytes) || out->header < PERFBLOCK_HEAD_BYTES ||
	    !pmon_perf_block_init(&block, copy, sizeof(copy), 0))
		return false;
	out->time = pmon_perfblock_time(&block);
	out->perf_time = block.perf_time;
	return true;
}

// The end of the last object of a block; 0 if its lengths are invalid.
static uint64_t
end_of_objects(const uint8_t *bytes, size_t len, bool big)
{
	uint32_t n = get32(bytes, len, AT_N_OBJECTS, big);
	uint64_t end = get32(bytes, len, AT_HEADER, big);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t total = end < len ? get32(bytes, len, (size_t)end, big) : 0;

		if (total < MIN_OBJECT)
			return 0;
		end += total;
	}
	return end;
}

bool
pmon_perfblock_mend(uint8_t *bytes, size_t len)
{
	bool big = bytes[0] == 0;
	uint64_t total = get32(bytes, len, AT_TOTAL, big);
	uint64_t header = get32(bytes, len, AT_HEADER, big);

	put32(bytes + AT_TOTAL, (uint32_t)len, big);
	return end_of_objects(bytes, len, big) == total + header;
}

// ---- The way through a file -----------------------------------------------------------------

// Find the first mark at or after *at, or the end of the file. *dirty_out is set if there are
// nonzero bytes before it.
static enum pmon_status
seek_mark(struct pmon_file *file, uint64_t *at, bool *dirty_out, struct pmon_err *err)
{
	uint8_t look[LOOK_BYTES];
	enum pmon_status status;
	size_t n;

	*dirty_out = false;
	for (;;) {
		status = pmon_file_read(file, *at, look, sizeof(look), &n, err);
		if (status != PMON_OK)
			return status;
		for (size_t i = 0; i < n; i++) {
			if (n - i >= MARK_BYTES && is_mark(look + i)) {
				*at += i;
				return PMON_OK;
			}
			// A possible beginning of a mark is searched again.
			if (n == sizeof(look) && n - i < MARK_BYTES) {
				n = i;
				break;
			}
			*dirty_out = *dirty_out || look[i] != 0;
		}
		*at += n;
		if (n == 0 || *at >= pmon_file_size(file))
			return PMON_OK;
	}
}

// Does a block, or nothing at all, follow at `end`?
static enum pmon_status
is_boundary(struct pmon_file *file, uint64_t end, bool *out, struct pmon_err *err)
{
	uint8_t mark[MARK_BYTES];
	enum pmon_status status;
	size_t n;

	*out = end == pmon_file_size(file);
	if (end >= pmon_file_size(file))
		return PMON_OK;
	status = pmon_file_read(file, end, mark, sizeof(mark), &n, err);
	*out = status == PMON_OK && n == sizeof(mark) && is_mark(mark);
	return status;
}

// The length of the block at `at`. *missing_out is the missing part at its end.
static enum pmon_status
measure(struct pmon_file *file, const struct head *head, uint64_t at, uint64_t *len_out,
	uint64_t *missing_out, struct pmon_err *err)
{
	uint64_t whole =
		head->header <= head->total ? head->total : (uint64_t)head->total + head->header;
	uint64_t next = at + PERFBLOCK_HEAD_BYTES;
	enum pmon_status status;
	bool fits, dirty;

	*missing_out = 0;
	*len_out = whole;
	status = is_boundary(file, at + whole, &fits, err);
	if (status != PMON_OK || fits)
		return status;
	*len_out = (uint64_t)head->total + head->header;
	status = is_boundary(file, at + *len_out, &fits, err);
	if (status != PMON_OK || fits)
		return status;
	*len_out = whole;
	if (whole <= pmon_file_size(file) - at)
		return PMON_OK;
	status = seek_mark(file, &next, &dirty, err);
	*len_out = next - at;
	*missing_out = whole > *len_out ? whole - *len_out : 0;
	return status;
}

static void
tell_between(struct perfblock *pb, uint64_t from, uint64_t to, bool dirty)
{
	if (dirty)
		pmon_report_loss(&pb->report, from, to - from,
				 "bytes that belong to no complete block");
	else
		pmon_report_unused(&pb->report, to - from);
}

// Examine the block at record->offset. *ok_out is false if it cannot be read; offset is then after
// it.
static enum pmon_status
take_block(struct perfblock *pb, struct pmon_file *file, struct pmon_file_group_record *record,
	   bool *ok_out, struct pmon_err *err)
{
	uint8_t bytes[PERFBLOCK_HEAD_BYTES];
	struct head head;
	uint64_t at = record->offset;
	uint64_t missing;
	size_t n;
	enum pmon_status status;

	*ok_out = false;
	status = pmon_file_read(file, at, bytes, sizeof(bytes), &n, err);
	if (status != PMON_OK)
		return status;
	if (n < sizeof(bytes) || !read_head(bytes, &head)) {
		record->offset += n < sizeof(bytes) ? n : MARK_BYTES;
		pmon_report_loss(&pb->report, at, record->offset - at, "the head of a block is %s",
				 n < sizeof(bytes) ? "cut off" : "damaged");
		return PMON_OK;
	}
	status = measure(file, &head, at, &record->len, &missing, err);
	if (status != PMON_OK)
		return status;
	if (missing > 0)
		pmon_report_missing(&pb->report, at + record->len, missing,
				    "a block is cut off: reading what is whole in it");
	if (head.time == PMON_TIME_NONE || record->len > pb->max_bytes) {
		record->offset += record->len;
		pmon_report_loss(&pb->report, at, record->len, "a block %s",
				 head.time == PMON_TIME_NONE ? "has no time"
							     : "is larger than the limit");
		return PMON_OK;
	}
	record->time = head.time;
	record->tie = head.perf_time;
	*ok_out = true;
	return PMON_OK;
}

enum pmon_status
pmon_perfblock_find(void *ctx, struct pmon_file *file, struct pmon_file_group_record *out,
		    struct pmon_err *err)
{
	struct perfblock *pb = ctx;
	uint64_t size = pmon_file_size(file);
	bool ok = false;

	while (!ok) {
		uint64_t from = out->offset;
		enum pmon_status status;
		bool dirty;

		status = seek_mark(file, &out->offset, &dirty, err);
		if (status != PMON_OK)
			return status;
		tell_between(pb, from, out->offset, dirty);
		if (out->offset >= size)
			return PMON_END;
		out->len = 0;
		status = take_block(pb, file, out, &ok, err);
		if (status != PMON_OK)
			return status;
	}
	return PMON_OK;
}
