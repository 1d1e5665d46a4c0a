// perfdata.c - walk a PERF_DATA_BLOCK
// SPDX-License-Identifier: MIT
//
// Source of the layouts: winperf.h and "Performance Data Format" in the Windows documentation. All
// offsets are relative to the structure that the table describes.

#include "model/perfdata.h"

#include <string.h>

#include "base/time.h"

#define OBJECT_BYTES  64 // PERF_OBJECT_TYPE, up to and including PerfFreq
#define COUNTER_BYTES 40 // PERF_COUNTER_DEFINITION
#define BLOCK_BYTES   8  // PERF_COUNTER_BLOCK, with at least one counter
#define NO_INSTANCES  (-1)

// Fields of a type word (winperf.h).
#define SIZE_MASK        0x00000300u
#define SIZE_VARIABLE    0x00000300u
#define KIND_MASK        0x00000C00u
#define KIND_COUNTER     0x00000400u
#define KIND_TEXT        0x00000800u
#define SUBTYPE_MASK     0x000F0000u
#define SUBTYPE_VALUE    0x00000000u
#define SUBTYPE_FRACTION 0x00020000u
#define SUBTYPE_BASE     0x00030000u
#define SUBTYPE_PRECISE  0x00070000u
#define TIMER_MASK       0x00300000u
#define TIMER_100NS      0x00100000u
#define TIMER_OBJECT     0x00200000u
#define MULTI_COUNTER    0x02000000u

// ---- Integers in the byte order of the block ------------------------------------------------

static uint32_t
swap32(uint32_t v)
{
	return v >> 24 | (v >> 8 & 0xFF00) | (v << 8 & 0xFF0000) | v << 24;
}

static uint16_t
get16(struct pmon_rd *r, bool big_endian)
{
	uint16_t v = pmon_rd_u16(r);

	return big_endian ? (uint16_t)(swap32(v) >> 16) : v;
}

static uint32_t
get32(struct pmon_rd *r, bool big_endian)
{
	uint32_t v = pmon_rd_u32(r);

	return big_endian ? swap32(v) : v;
}

static int32_t
get_i32(struct pmon_rd *r, bool big_endian)
{
	return (int32_t)get32(r, big_endian);
}

static int64_t
get64(struct pmon_rd *r, bool big_endian)
{
	uint64_t v = pmon_rd_u64(r);

	if (big_endian)
		v = (uint64_t)swap32((uint32_t)v) << 32 | swap32((uint32_t)(v >> 32));
	return (int64_t)v;
}

// ---- The end --------------------------------------------------------------------------------

// After its last part a structure may have padding, of any size if it is zeros. Anything else means
// that there are more parts than their number says.
static void
expect_end(struct pmon_rd *r, size_t part_bytes)
{
	const uint8_t *p = r->base + r->pos;
	size_t len = pmon_rd_left(r);

	if (pmon_rd_ok(r) && len >= part_bytes && !pmon_is_zero(p, len))
		pmon_rd_fail(r);
}

// ---- Block ----------------------------------------------------------------------------------

// SYSTEMTIME: u16 year, month, day of week, day, hour, minute, second, milliseconds.
static pmon_time
get_systemtime(struct pmon_rd *r, bool big_endian)
{
	struct pmon_civil civil = {0};

	civil.year = get16(r, big_endian);
	civil.month = get16(r, big_endian);
	civil.weekday = get16(r, big_endian);
	civil.day = get16(r, big_endian);
	civil.hour = get16(r, big_endian);
	civil.minute = get16(r, big_endian);
	civil.second = get16(r, big_endian);
	civil.ticks = get16(r, big_endian) * (int32_t)PMON_TIME_PER_MSEC;
	return pmon_time_from_civil(&civil);
}

static bool
read_signature(struct pmon_rd *r, bool *big_endian_out)
{
	const uint8_t *p = pmon_rd_bytes(r, 8);

	if (p == NULL)
		return false;
	*big_endian_out = p[0] == 0;
	return memcmp(p, *big_endian_out ? "\0P\0E\0R\0F" : "P\0E\0R\0F\0", 8) == 0;
}

// Text of a known length in bytes, truncated at its first NUL.
static struct pmon_perf_name
trim_name(const uint8_t *ptr, size_t len, uint8_t unit)
{
	size_t n = 0;

	while (len - n >= unit && (ptr[n] != 0 || (unit == 2 && ptr[n + 1] != 0)))
		n += unit;
	return (struct pmon_perf_name){.ptr = ptr, .len = n, .unit = unit};
}

// PERF_DATA_BLOCK
//	0x00  8 B         signature  "PERF" in UTF-16
//	0x08  u32         1 in little-endian blocks
//	0x0C  u32 u32     version, revision  1, 1
//	0x14  u32         bytes in all
//	0x18  u32         bytes up to the first object
//	0x1C  u32         number of objects
//	0x20  i32         title index of the default object
//	0x24  SYSTEMTIME  time of the block
//	0x38  i64         performance clock, its ticks a second (0x40), system clock in 100 ns (0x48)
//	0x50  u32 u32     length in bytes and offset of the machine's name
bool
pmon_perf_block_init(struct pmon_perf_block *block, const void *bytes, size_t len, uint64_t origin)
{
	struct pmon_rd head = pmon_rd_init(bytes, len, origin);
	struct pmon_rd name;
	uint32_t total, first, name_len, name_at;
	bool big;

	*block = (struct pmon_perf_block){0};
	if (!read_signature(&head, &big))
		return false;
	block->big_endian = big;
	pmon_rd_skip(&head, 12);
	total = get32(&head, big);
	first = get32(&head, big);
	block->n_objects = get32(&head, big);
	block->objects_left = block->n_objects;
	block->default_object = get_i32(&head, big);
	block->system_time = get_systemtime(&head, big);
	pmon_rd_skip(&head, 4); // alignment
	block->perf_time = get64(&head, big);
	block->perf_freq = get64(&head, big);
	block->perf_time_100ns = get64(&head, big);
	name_len = get32(&head, big);
	name_at = get32(&head, big);
	// Some producers do not count the header in the total length; the available bytes limit the
	// block.
	block->rd = pmon_rd_init(bytes, len, origin);
	if (!pmon_rd_ok(&head) || first < pmon_rd_pos(&head) || total > len)
		return false;
	name = pmon_rd_sub(&block->rd, name_len > 0 ? name_at : 0, name_len);
	block->system_name = trim_name(name.base, name.len, 2);
	pmon_rd_seek(&block->rd, first);
	return pmon_rd_ok(&block->rd);
}

// PERF_OBJECT_TYPE
//	0x00  u32      bytes in all, definitions and instances included
//	0x04  u32      bytes up to the instances (or the counter block, when there are none)
//	0x08  u32      bytes up to the counter definitions
//	0x0C  u32 u32  title index of the name, 0
//	0x14  u32 u32  title index of the help text, 0
//	0x1C  u32      detail level
//	0x20  u32      number of counter definitions
//	0x24  i32      default counter
//	0x28  i32      number of instances, -1 for an object without any
//	0x2C  i32      code page of the instance names, 0 for UTF-16
//	0x30  i64 i64  the object's clock and its ticks a second
static bool
read_object(struct pmon_rd *r, bool big, struct pmon_perf_object *object)
{
	uint32_t instances_at, definitions_at;
	size_t bytes;

	pmon_rd_skip(r, 4); // the caller has sized the window by it
	instances_at = get32(r, big);
	definitions_at = get32(r, big);
	object->title_index = get32(r, big);
	pmon_rd_skip(r, 4);
	object->help_index = get32(r, big);
	pmon_rd_skip(r, 4);
	object->detail_level = get32(r, big);
	object->n_counters = get32(r, big);
	pmon_rd_skip(r, 4);
	object->n_instances = get_i32(r, big);
	object->code_page = get_i32(r, big);
	object->perf_time = get64(r, big);
	object->perf_freq = get64(r, big);
	if (definitions_at < OBJECT_BYTES || definitions_at > instances_at ||
	    object->n_counters > r->len / COUNTER_BYTES || object->n_instances < NO_INSTANCES)
		pmon_rd_fail(r);
	bytes = instances_at - definitions_at;
	object->definitions = pmon_rd_sub(r, definitions_at, bytes);
	pmon_rd_seek(r, instances_at);
	object->instances_left =
		object->n_instances == NO_INSTANCES ? 1 : (uint32_t)object->n_instances;
	return pmon_rd_ok(r);
}

bool
pmon_perf_block_next(struct pmon_perf_block *block, struct pmon_perf_object *object)
{
	size_t at = pmon_rd_pos(&block->rd);
	struct pmon_rd peek = block->rd;
	uint32_t total;

	if (block->objects_left == 0)
		expect_end(&block->rd, OBJECT_BYTES);
	if (block->objects_left == 0 || !pmon_rd_ok(&block->rd))
		return false;
	block->objects_left--;
	*object = (struct pmon_perf_object){.block = block};
	total = get32(&peek, block->big_endian);
	object->rd = pmon_rd_sub(&block->rd, at, total);
	if (total < OBJECT_BYTES || !read_object(&object->rd, block->big_endian, object)) {
		pmon_rd_fail(&block->rd);
		return false;
	}
	pmon_rd_seek(&block->rd, at + total);
	return pmon_rd_ok(&block->rd);
}

// ---- Counter definitions --------------------------------------------------------------------

bool
pmon_perf_is_base(uint32_t type)
{
	return (type & (KIND_MASK | SUBTYPE_MASK)) == (KIND_COUNTER | SUBTYPE_BASE);
}

bool
pmon_perf_is_text(uint32_t type)
{
	return (type & KIND_MASK) == KIND_TEXT || (type & SIZE_MASK) == SIZE_VARIABLE;
}

static enum pmon_perf_second
clock_of(uint32_t type)
{
	switch (type & TIMER_MASK) {
	case TIMER_100NS:
		return PMON_PERF_SECOND_100NS;
	case TIMER_OBJECT:
		return PMON_PERF_SECOND_OBJECT;
	default:
		return PMON_PERF_SECOND_BLOCK;
	}
}

// Fractions and precision timers divide by the base that follows them, never by a clock: without it
// they have no second value. The MULTI timers need both a clock and a base.
static enum pmon_perf_second
second_of(const struct pmon_perf_counter *counter)
{
	uint32_t subtype = counter->type & SUBTYPE_MASK;

	if (counter->has_base && !counter->base_is_multi)
		return PMON_PERF_SECOND_BASE;
	if ((counter->type & KIND_MASK) != KIND_COUNTER || subtype == SUBTYPE_VALUE ||
	    subtype == SUBTYPE_FRACTION || subtype == SUBTYPE_PRECISE)
		return PMON_PERF_SECOND_NONE;
	return clock_of(counter->type);
}

// PERF_COUNTER_DEFINITION
//	0x00  u32      bytes of this definition
//	0x04  u32 u32  title index of the name, 0
//	0x0C  u32 u32  title index of the help text, 0
//	0x14  i32      default scale, a power of ten
//	0x18  u32      detail level
//	0x1C  u32      counter type
//	0x20  u32      bytes of the value
//	0x24  u32      offset of the value in the counter block
static bool
read_definition(struct pmon_rd *r, bool big, struct pmon_perf_counter *counter)
{
	size_t at = pmon_rd_pos(r);
	uint32_t bytes = get32(r, big);

	*counter = (struct pmon_perf_counter){0};
	counter->title_index = get32(r, big);
	pmon_rd_skip(r, 4);
	counter->help_index = get32(r, big);
	pmon_rd_skip(r, 4);
	counter->default_scale = get_i32(r, big);
	counter->detail_level = get32(r, big);
	counter->type = get32(r, big);
	counter->size = get32(r, big);
	counter->offset = get32(r, big);
	if (bytes < COUNTER_BYTES || bytes > r->len - at)
		pmon_rd_fail(r);
	else
		pmon_rd_seek(r, at + bytes);
	return pmon_rd_ok(r);
}

struct pmon_perf_counters
pmon_perf_object_counters(const struct pmon_perf_object *object)
{
	return (struct pmon_perf_counters){
		.rd = object->definitions,
		.big_endian = object->block->big_endian,
		.left = object->n_counters,
	};
}

static bool
next_definition(struct pmon_perf_counters *counters, struct pmon_perf_counter *counter)
{
	// No writer pads them by the size of another definition, not even with zeros.
	if (counters->left == 0 && pmon_rd_left(&counters->rd) >= COUNTER_BYTES)
		pmon_rd_fail(&counters->rd);
	if (counters->left == 0)
		return false;
	counters->left--;
	return read_definition(&counters->rd, counters->big_endian, counter);
}

// Bases belong to a counter only by position: those of precision timers share its title index,
// others have their own.
static void
join_base(struct pmon_perf_counters *counters, struct pmon_perf_counter *counter)
{
	struct pmon_perf_counters ahead = *counters;
	struct pmon_perf_counter base;

	if (!next_definition(&ahead, &base) || !pmon_perf_is_base(base.type))
		return;
	*counters = ahead;
	counter->has_base = true;
	counter->base_is_multi = (counter->type & MULTI_COUNTER) != 0;
	counter->base_size = base.size;
	counter->base_offset = base.offset;
}

bool
pmon_perf_counters_next(struct pmon_perf_counters *counters, struct pmon_perf_counter *counter)
{
	do {
		if (!next_definition(counters, counter))
			return false;
	} while (pmon_perf_is_base(counter->type));
	join_base(counters, counter);
	counter->second = second_of(counter);
	return true;
}

int64_t
pmon_perf_time_base(const struct pmon_perf_counter *counter, const struct pmon_perf_object *object)
{
	switch (clock_of(counter->type)) {
	case PMON_PERF_SECOND_100NS:
		return PMON_TIME_PER_SEC;
	case PMON_PERF_SECOND_OBJECT:
		return object->perf_freq;
	default:
		return object->block->perf_freq;
	}
}

// ---- Instances and values -------------------------------------------------------------------

// PERF_INSTANCE_DEFINITION
//	0x00  u32  bytes of this definition, the name included
//	0x04  u32  title index of the parent object, 0 for none
//	0x08  u32  number of the parent among that object's instances
//	0x0C  i32  unique id, -1 for none
//	0x10  u32  offset of the name
//	0x14  u32  bytes of the name, its NUL included
static void
read_instance(struct pmon_perf_object *object, struct pmon_perf_instance *instance)
{
	bool big = object->block->big_endian;
	size_t at = pmon_rd_pos(&object->rd);
	struct pmon_rd peek = object->rd;
	uint32_t bytes = get32(&peek, big);
	struct pmon_rd r = pmon_rd_sub(&object->rd, at, bytes);
	struct pmon_rd name;
	uint32_t name_at, name_len;

	pmon_rd_skip(&r, 4);
	instance->parent_object = get32(&r, big);
	instance->parent_instance = get32(&r, big);
	instance->unique_id = get_i32(&r, big);
	name_at = get32(&r, big);
	name_len = get32(&r, big);
	name = pmon_rd_sub(&r, name_len > 0 ? name_at : 0, name_len);
	if (!pmon_rd_ok(&r)) {
		pmon_rd_fail(&object->rd);
		return;
	}
	instance->name = trim_name(name.base, name.len, object->code_page == 0 ? 2 : 1);
	pmon_rd_seek(&object->rd, at + bytes);
}

// PERF_COUNTER_BLOCK: u32 length of the block, including this field; then the values.
static void
read_counter_block(struct pmon_perf_object *object, struct pmon_perf_instance *instance)
{
	size_t at = pmon_rd_pos(&object->rd);
	struct pmon_rd peek = object->rd;
	uint32_t bytes = get32(&peek, object->block->big_endian);

	if (bytes < 4)
		pmon_rd_fail(&object->rd);
	instance->values = pmon_rd_sub(&object->rd, at, bytes);
	pmon_rd_seek(&object->rd, at + bytes);
}

bool
pmon_perf_object_next(struct pmon_perf_object *object, struct pmon_perf_instance *instance)
{
	if (object->instances_left == 0)
		expect_end(&object->rd, BLOCK_BYTES);
	if (object->instances_left == 0 || !pmon_rd_ok(&object->rd))
		return false;
	object->instances_left--;
	*instance = (struct pmon_perf_instance){.unique_id = -1, .name = {.unit = 2}};
	if (object->n_instances != NO_INSTANCES)
		read_instance(object, instance);
	read_counter_block(object, instance);
	return pmon_rd_ok(&object->rd);
}

// The value of `size` bytes at `offset` of a counter block. 32-bit values are unsigned; a size of 0
// (PERF_SIZE_ZERO) is a counter without data.
static bool
read_value(struct pmon_rd values, bool big, uint32_t offset, uint32_t size, int64_t *out)
{
	pmon_rd_seek(&values, offset);
	if (size == 8)
		*out = get64(&values, big);
	else if (size == 4)
		*out = get32(&values, big);
	else
		*out = 0;
	return pmon_rd_ok(&values) && (size == 8 || size == 4 || size == 0);
}

void
pmon_perf_counter_read(const struct pmon_perf_counter *counter,
		       const struct pmon_perf_object *object,
		       const struct pmon_perf_instance *instance, struct pmon_perf_value *out)
{
	bool big = object->block->big_endian;
	int64_t base = 0;
	bool ok;

	*out = (struct pmon_perf_value){.status = PMON_RAW_VALID, .multi = 1};
	ok = read_value(instance->values, big, counter->offset, counter->size, &out->first);
	if (counter->has_base)
		ok = read_value(instance->values, big, counter->base_offset, counter->base_size,
				&base) &&
		     ok;
	if (counter->base_is_multi)
		out->multi = (uint32_t)base;
	switch (counter->second) {
	case PMON_PERF_SECOND_NONE:
		break;
	case PMON_PERF_SECOND_BLOCK:
		out->second = object->block->perf_time;
		break;
	case PMON_PERF_SECOND_100NS:
		out->second = object->block->perf_time_100ns;
		break;
	case PMON_PERF_SECOND_OBJECT:
		out->second = object->perf_time;
		break;
	case PMON_PERF_SECOND_BASE:
		out->second = base;
		break;
	}
	if (!ok)
		*out = (struct pmon_perf_value){.status = PMON_RAW_INVALID};
}

// PERF_TEXT_UNICODE is subtype 0, PERF_TEXT_ASCII 1. winperf.h: the size of a text is CounterSize.
struct pmon_perf_name
pmon_perf_text_read(const struct pmon_perf_counter *counter,
		    const struct pmon_perf_instance *instance)
{
	struct pmon_rd values = instance->values;
	const uint8_t *p;

	pmon_rd_seek(&values, counter->offset);
	p = pmon_rd_bytes(&values, counter->size);
	if (p == NULL)
		return (struct pmon_perf_name){NULL, 0, 0};
	return trim_name(p, counter->size, (counter->type & SUBTYPE_MASK) == 0 ? 2 : 1);
}
