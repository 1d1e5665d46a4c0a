// operands.c - what a value adds to an average, a total and a percentile, as one cell
// SPDX-License-Identifier: MIT
//
// While SQLite sorts, it keeps the cells of all rows in memory or a temporary file, so they are short: numbers are stored as
// differences, 7 bits a byte.

#include "sql/operands.h"

#include <string.h>

#include "base/rd.h"
#include "base/time.h"
#include "base/wr.h"

#define VERSION 1

enum flag {
	FORMATTED = 1,
	TYPE_KNOWN = 2,
	HAS_OLDER = 4,
	HAS_SPAN = 8,
	CAP_100 = 16,
	DEFAULT_SCALE = 32,
	TIMES_1000 = 64,
	HAS_PART = 128,
};

static void
put_u64(struct pmon_wr *w, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		pmon_wr_u8(w, (uint8_t)(n | 0x80));
	pmon_wr_u8(w, (uint8_t)n);
}

// Small differences of either sign are short.
static void
put_i64(struct pmon_wr *w, int64_t n)
{
	put_u64(w, (uint64_t)n << 1 ^ (n < 0 ? UINT64_MAX : 0));
}

static uint64_t
get_u64(struct pmon_rd *r)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint8_t byte = pmon_rd_u8(r);

		n |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return n;
	}
	pmon_rd_fail(r);
	return 0;
}

static int64_t
get_i64(struct pmon_rd *r)
{
	uint64_t n = get_u64(r);

	return (int64_t)(n >> 1 ^ (0 - (n & 1)));
}

static uint32_t
get_u32(struct pmon_rd *r)
{
	uint64_t n = get_u64(r);

	if (n > UINT32_MAX)
		pmon_rd_fail(r);
	return (uint32_t)n;
}

static void
put_double(struct pmon_wr *w, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	pmon_wr_u64(w, bits);
}

static double
get_double(struct pmon_rd *r)
{
	uint64_t bits = pmon_rd_u64(r);
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static unsigned
flags_of(const struct pmon_sql_operands *o)
{
	return (o->formatted ? FORMATTED : 0u) | (o->type_known ? TYPE_KNOWN : 0u) |
	       (o->has_older ? HAS_OLDER : 0u) | (o->has_span ? HAS_SPAN : 0u) |
	       (o->options.cap_100 ? CAP_100 : 0u) |
	       (o->options.default_scale ? DEFAULT_SCALE : 0u) |
	       (o->options.times_1000 ? TIMES_1000 : 0u) | (o->has_part ? HAS_PART : 0u);
}

size_t
pmon_sql_operands_put(const struct pmon_sql_operands *o, uint8_t buf[PMON_SQL_OPERANDS_MAX])
{
	struct pmon_wr w = pmon_wr_init(buf, PMON_SQL_OPERANDS_MAX);

	pmon_wr_u8(&w, VERSION);
	pmon_wr_u8(&w, (uint8_t)flags_of(o));
	pmon_wr_u8(&w, (uint8_t)o->options.policy);
	pmon_wr_u8(&w, o->counter.size_bytes);
	pmon_wr_u64(&w, o->series);
	pmon_wr_u32(&w, o->counter.type);
	put_i64(&w, o->counter.default_scale);
	put_i64(&w, o->counter.time_base);
	put_u64(&w, o->known_type);
	put_u64(&w, o->raw.status);
	put_u64(&w, o->raw.multi);
	pmon_wr_i64(&w, o->raw.time);
	put_i64(&w, o->raw.first);
	put_i64(&w, o->raw.second);
	if (o->has_older) {
		put_u64(&w, o->older.status);
		put_u64(&w, o->older.multi);
		put_i64(&w, pmon_time_minus(o->raw.time, o->older.time));
		put_i64(&w, pmon_time_minus(o->raw.first, o->older.first));
		put_i64(&w, pmon_time_minus(o->raw.second, o->older.second));
	}
	if (o->has_span)
		put_i64(&w, pmon_time_minus(o->raw.time, o->span_time));
	if (o->has_part) {
		pmon_wr_u8(&w, o->part.is_first);
		put_u64(&w, o->stream);
		put_double(&w, o->part.seconds);
		put_double(&w, o->part.operations);
		put_i64(&w, o->part.first_interval);
	}
	return pmon_wr_pos(&w);
}

bool
pmon_sql_operands_get(const void *bytes, size_t len, struct pmon_sql_operands *o)
{
	struct pmon_rd r = pmon_rd_init(bytes, len, 0);
	unsigned version = pmon_rd_u8(&r);
	unsigned flags = pmon_rd_u8(&r);
	unsigned policy = pmon_rd_u8(&r);
	int64_t scale;

	*o = (struct pmon_sql_operands){.options = {.size = sizeof(o->options)}};
	o->formatted = (flags & FORMATTED) != 0;
	o->type_known = (flags & TYPE_KNOWN) != 0;
	o->has_older = (flags & HAS_OLDER) != 0;
	o->has_span = (flags & HAS_SPAN) != 0;
	o->has_part = (flags & HAS_PART) != 0;
	o->options.cap_100 = (flags & CAP_100) != 0;
	o->options.default_scale = (flags & DEFAULT_SCALE) != 0;
	o->options.times_1000 = (flags & TIMES_1000) != 0;
	o->options.policy = (enum pmon_policy)policy;
	o->counter.size_bytes = pmon_rd_u8(&r);
	o->series = pmon_rd_u64(&r);
	o->counter.type = pmon_rd_u32(&r);
	scale = get_i64(&r);
	o->counter.default_scale = (int32_t)scale;
	o->counter.time_base = get_i64(&r);
	o->known_type = get_u32(&r);
	o->raw.status = get_u32(&r);
	o->raw.multi = get_u32(&r);
	o->raw.time = pmon_rd_i64(&r);
	o->raw.first = get_i64(&r);
	o->raw.second = get_i64(&r);
	if (o->has_older) {
		o->older.status = get_u32(&r);
		o->older.multi = get_u32(&r);
		o->older.time = pmon_time_minus(o->raw.time, get_i64(&r));
		o->older.first = pmon_time_minus(o->raw.first, get_i64(&r));
		o->older.second = pmon_time_minus(o->raw.second, get_i64(&r));
	}
	if (o->has_span)
		o->span_time = pmon_time_minus(o->raw.time, get_i64(&r));
	if (o->has_part) {
		o->part.is_first = pmon_rd_u8(&r) != 0;
		o->stream = get_u32(&r);
		o->part.seconds = get_double(&r);
		o->part.operations = get_double(&r);
		o->part.first_interval = get_i64(&r);
	}
	return pmon_rd_ok(&r) && pmon_rd_left(&r) == 0 && version == VERSION &&
	       policy <= PMON_POLICY_CLAMP && scale >= INT32_MIN && scale <= INT32_MAX;
}
