// rd.h - bounded reader for binary input
// SPDX-License-Identifier: MIT
//
// A reader is a window of bytes and a position. Every read goes through pmon_rd_bytes(), which
// checks the remaining length. The first failure is sticky: later reads return zeros, and one check
// of pmon_rd_ok() at the end of a record is enough; loops driven by a count from the input check it
// in each iteration.
//
//	struct pmon_rd r = pmon_rd_init(data, len, file_offset);
//	uint32_t length = pmon_rd_u32(&r);
//	struct pmon_rd body = pmon_rd_sub(&r, pmon_rd_pos(&r), length);   // cannot see past its length
//
// Integers are little-endian unless the name says otherwise.

#ifndef PMON_BASE_RD_H
#define PMON_BASE_RD_H

#include <string.h>

#include <pmon/base.h>

struct pmon_rd {
	const uint8_t *base;
	size_t pos;
	size_t len;
	uint64_t origin; // offset of base in the input
	bool failed;
	uint64_t fail_at; // offset in the input of the read that failed
};

static inline struct pmon_rd
pmon_rd_init(const void *data, size_t len, uint64_t origin)
{
	// An empty input may be passed as NULL, to which no offset may be added.
	static const uint8_t none[1] = {0};

	return (struct pmon_rd){.base = data != NULL ? data : none, .len = len, .origin = origin};
}

static inline bool
pmon_rd_ok(const struct pmon_rd *r)
{
	return !r->failed;
}

static inline size_t
pmon_rd_left(const struct pmon_rd *r)
{
	return r->len - r->pos;
}

static inline size_t
pmon_rd_pos(const struct pmon_rd *r)
{
	return r->pos;
}

// The offset of the next byte in the input.
static inline uint64_t
pmon_rd_offset(const struct pmon_rd *r)
{
	return r->origin + r->pos;
}

// Mark the reader as failed here, for values that are out of range.
static inline void
pmon_rd_fail(struct pmon_rd *r)
{
	if (!r->failed) {
		r->failed = true;
		r->fail_at = r->origin + r->pos;
	}
	r->pos = r->len;
}

// All other reads use this: n bytes, or NULL and failure if fewer are left.
static inline const uint8_t *
pmon_rd_bytes(struct pmon_rd *r, size_t n)
{
	const uint8_t *p;

	if (n > r->len - r->pos || r->failed) {
		pmon_rd_fail(r);
		return NULL;
	}
	p = r->base + r->pos;
	r->pos += n;
	return p;
}

static inline void
pmon_rd_skip(struct pmon_rd *r, size_t n)
{
	(void)pmon_rd_bytes(r, n);
}

// Go to a position in the window.
static inline void
pmon_rd_seek(struct pmon_rd *r, size_t pos)
{
	if (pos > r->len || r->failed)
		pmon_rd_fail(r);
	else
		r->pos = pos;
}

static inline uint8_t
pmon_rd_u8(struct pmon_rd *r)
{
	const uint8_t *p = pmon_rd_bytes(r, 1);

	return p != NULL ? p[0] : 0;
}

static inline uint16_t
pmon_rd_u16(struct pmon_rd *r)
{
	const uint8_t *p = pmon_rd_bytes(r, 2);

	if (p == NULL)
		return 0;
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t
pmon_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t
pmon_le64(const uint8_t *p)
{
	return (uint64_t)pmon_le32(p) | (uint64_t)pmon_le32(p + 4) << 32;
}

static inline uint32_t
pmon_rd_u32(struct pmon_rd *r)
{
	const uint8_t *p = pmon_rd_bytes(r, 4);

	return p != NULL ? pmon_le32(p) : 0;
}

static inline int32_t
pmon_rd_i32(struct pmon_rd *r)
{
	return (int32_t)pmon_rd_u32(r);
}

static inline uint64_t
pmon_rd_u64(struct pmon_rd *r)
{
	const uint8_t *p = pmon_rd_bytes(r, 8);

	return p != NULL ? pmon_le64(p) : 0;
}

static inline int64_t
pmon_rd_i64(struct pmon_rd *r)
{
	return (int64_t)pmon_rd_u64(r);
}

// A window of len bytes at position pos of r's window. r itself does not move. If the window does
// not fit, it is empty and failed, and r has failed too.
static inline struct pmon_rd
pmon_rd_sub(struct pmon_rd *r, size_t pos, size_t len)
{
	struct pmon_rd sub = {.base = r->base, .origin = r->origin};

	if (r->failed || pos > r->len || len > r->len - pos) {
		pmon_rd_fail(r);
		sub.failed = true;
		sub.fail_at = r->fail_at;
		return sub;
	}
	sub.base = r->base + pos;
	sub.len = len;
	sub.origin = r->origin + pos;
	return sub;
}

// Read a u32 count of items of at least min_size bytes each: fails if they cannot fit in the
// remaining bytes.
static inline uint32_t
pmon_rd_count(struct pmon_rd *r, size_t min_size)
{
	uint32_t n = pmon_rd_u32(r);

	if (n > pmon_rd_left(r) / min_size) {
		pmon_rd_fail(r);
		return 0;
	}
	return n;
}

static inline bool
pmon_is_zero(const uint8_t *bytes, size_t len)
{
	return len == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0);
}

#endif
