// wr.h - bounded writer for little-endian fields
// SPDX-License-Identifier: MIT
//
// The counterpart of rd.h: a window of bytes and a position. Every write goes through
// pmon_wr_bytes(), which checks the remaining room. The first failure is sticky: later writes do
// nothing, and one check of pmon_wr_ok() at the end of a record is enough.
//
//	struct pmon_wr w = pmon_wr_init(buf, sizeof(buf));
//
//	pmon_wr_u32(&w, length);
//	pmon_wr_copy(&w, name, name_len);
//	if (pmon_wr_ok(&w))
//		... pmon_wr_pos(&w) bytes were written

#ifndef PMON_BASE_WR_H
#define PMON_BASE_WR_H

#include <string.h>

#include <pmon/base.h>

struct pmon_wr {
	uint8_t *base;
	size_t pos;
	size_t len;
	bool failed;
};

static inline struct pmon_wr
pmon_wr_init(uint8_t *data, size_t len)
{
	return (struct pmon_wr){.base = data, .len = len};
}

static inline bool
pmon_wr_ok(const struct pmon_wr *w)
{
	return !w->failed;
}

static inline size_t
pmon_wr_left(const struct pmon_wr *w)
{
	return w->failed ? 0 : w->len - w->pos;
}

static inline size_t
pmon_wr_pos(const struct pmon_wr *w)
{
	return w->pos;
}

// Mark the writer as failed, for values that do not fit in a field.
static inline void
pmon_wr_fail(struct pmon_wr *w)
{
	w->failed = true;
}

// All other writes use this: room for n bytes, or NULL and failure.
static inline uint8_t *
pmon_wr_bytes(struct pmon_wr *w, size_t n)
{
	uint8_t *p;

	if (w->failed || n > w->len - w->pos) {
		pmon_wr_fail(w);
		return NULL;
	}
	p = w->base + w->pos;
	w->pos += n;
	return p;
}

// Go to a position in the window.
static inline void
pmon_wr_seek(struct pmon_wr *w, size_t pos)
{
	if (pos > w->len || w->failed)
		pmon_wr_fail(w);
	else
		w->pos = pos;
}

// n bytes of one value; n bytes copied from elsewhere.
static inline void
pmon_wr_fill(struct pmon_wr *w, uint8_t byte, size_t n)
{
	uint8_t *p = pmon_wr_bytes(w, n);

	if (p != NULL && n > 0)
		memset(p, byte, n);
}

static inline void
pmon_wr_copy(struct pmon_wr *w, const void *bytes, size_t n)
{
	uint8_t *p = pmon_wr_bytes(w, n);

	if (p != NULL && n > 0)
		memcpy(p, bytes, n);
}

// Most processors store numbers in this byte order. Compilers do not always merge four or eight
// single bytes into one word.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static inline void
pmon_put_le32(uint8_t *p, uint32_t n)
{
	memcpy(p, &n, sizeof(n));
}

static inline void
pmon_put_le64(uint8_t *p, uint64_t n)
{
	memcpy(p, &n, sizeof(n));
}

#else

static inline void
pmon_put_le32(uint8_t *p, uint32_t n)
{
	p[0] = (uint8_t)n;
	p[1] = (uint8_t)(n >> 8);
	p[2] = (uint8_t)(n >> 16);
	p[3] = (uint8_t)(n >> 24);
}

static inline void
pmon_put_le64(uint8_t *p, uint64_t n)
{
	pmon_put_le32(p, (uint32_t)n);
	pmon_put_le32(p + 4, (uint32_t)(n >> 32));
}

#endif

static inline void
pmon_wr_u8(struct pmon_wr *w, uint8_t n)
{
	uint8_t *p = pmon_wr_bytes(w, 1);

	if (p != NULL)
		p[0] = n;
}

static inline void
pmon_wr_u16(struct pmon_wr *w, uint16_t n)
{
	const uint8_t bytes[2] = {(uint8_t)n, (uint8_t)(n >> 8)};

	pmon_wr_copy(w, bytes, sizeof(bytes));
}

static inline void
pmon_wr_u32(struct pmon_wr *w, uint32_t n)
{
	uint8_t *p = pmon_wr_bytes(w, 4);

	if (p != NULL)
		pmon_put_le32(p, n);
}

static inline void
pmon_wr_i32(struct pmon_wr *w, int32_t n)
{
	pmon_wr_u32(w, (uint32_t)n);
}

static inline void
pmon_wr_u64(struct pmon_wr *w, uint64_t n)
{
	uint8_t *p = pmon_wr_bytes(w, 8);

	if (p != NULL)
		pmon_put_le64(p, n);
}

static inline void
pmon_wr_i64(struct pmon_wr *w, int64_t n)
{
	pmon_wr_u64(w, (uint64_t)n);
}

#endif
