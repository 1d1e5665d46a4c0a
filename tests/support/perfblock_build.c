// perfblock_build.c - build PERF_DATA_BLOCKs field by field, in either byte order
// SPDX-License-Identifier: MIT

#include "perfblock_build.h"

#include <stdlib.h>

#include "t.h"

#include "base/time.h"
#include "base/utf.h"

static void
put8(struct pb *b, uint8_t v)
{
	if (b->len == b->cap) {
		b->cap = b->cap * 2 + 256;
		b->bytes = realloc(b->bytes, b->cap);
		assert_non_null(b->bytes);
	}
	b->bytes[b->len++] = v;
}

static void
put(struct pb *b, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		put8(b, (uint8_t)(v >> 8 * (b->big_endian ? size - 1 - i : i)));
}

static void
put32(struct pb *b, uint32_t v)
{
	put(b, v, 4);
}

static void
align8(struct pb *b)
{
	while ((b->len - b->block) % 8 != 0)
		put8(b, 0xEE);
}

void
pb_patch(struct pb *b, size_t at, uint32_t v)
{
	size_t len = b->len;

	b->len = at;
	put32(b, v);
	b->len = len;
}

void
pb_zero(struct pb *b)
{
	put32(b, 0);
}

// UTF-16 with a NUL; returns the length in bytes.
static uint32_t
put_utf16(struct pb *b, const char *text)
{
	struct pmon_span span = t_span(text);
	size_t before = b->len;

	for (size_t pos = 0; pos < span.len;)
		put(b, pmon_utf8_next(span, &pos), 2);
	put(b, 0, 2);
	return (uint32_t)(b->len - before);
}

static void
put_systemtime(struct pb *b, int64_t time_100ns)
{
	struct pmon_civil c = pmon_time_civil(time_100ns);

	put(b, (uint64_t)c.year, 2);
	put(b, (uint64_t)c.month, 2);
	put(b, (uint64_t)c.weekday, 2);
	put(b, (uint64_t)c.day, 2);
	put(b, (uint64_t)c.hour, 2);
	put(b, (uint64_t)c.minute, 2);
	put(b, (uint64_t)c.second, 2);
	put(b, (uint64_t)(c.ticks / PMON_TIME_PER_MSEC), 2);
}

void
pb_begin(struct pb *b, int64_t time_100ns, int64_t perf_time, const char *machine)
{
	uint32_t len;

	b->block = b->len;
	b->n_objects = 0;
	b->in_object = false;
	put(b, 'P', 2);
	put(b, 'E', 2);
	put(b, 'R', 2);
	put(b, 'F', 2);
	put32(b, !b->big_endian);
	put32(b, 1); // version
	put32(b, 1); // revision
	put32(b, 0); // total
	put32(b, 0); // header
	put32(b, 0); // number of objects
	put32(b, 0); // default object
	put_systemtime(b, time_100ns + b->local_min * PMON_TIME_PER_MIN);
	put32(b, 0);
	put(b, (uint64_t)perf_time, 8);
	put(b, PB_FREQ, 8);
	put(b, (uint64_t)time_100ns, 8);
	put32(b, 0);
	put32(b, PB_HEAD);
	len = put_utf16(b, machine);
	pb_patch(b, b->block + 80, machine[0] != '\0' ? len : 0);
	align8(b);
	pb_patch(b, b->block + 24, (uint32_t)(b->len - b->block));
}

static void
end_object(struct pb *b)
{
	if (!b->in_object)
		return;
	align8(b);
	pb_patch(b, b->object, (uint32_t)(b->len - b->object));
	if (b->n_instances != UINT32_MAX)
		pb_patch(b, b->object + 40, b->n_instances);
	b->in_object = false;
}

static uint32_t
stride(const struct pb *b)
{
	return 40 + b->slack;
}

static void
put_slack(struct pb *b)
{
	for (uint32_t i = 0; i < b->slack; i++)
		put8(b, 0xEE);
}

static void
put_definitions(struct pb *b, const struct pb_counter *counters, size_t n)
{
	uint32_t offset = 8;

	for (size_t i = 0; i < n; i++) {
		put32(b, stride(b));
		put32(b, counters[i].title);
		put32(b, 0);
		put32(b, counters[i].title + 1);
		put32(b, 0);
		put32(b, (uint32_t)counters[i].scale);
		put32(b, 100);
		put32(b, counters[i].type);
		put32(b, counters[i].size);
		put32(b, offset);
		put_slack(b);
		offset += counters[i].size;
	}
}

void
pb_object(struct pb *b, uint32_t title, const struct pb_counter *counters, size_t n,
	  int n_instances, int32_t code_page)
{
	uint32_t header = 64 + b->slack;

	end_object(b);
	b->object = b->len;
	b->in_object = true;
	b->n_objects++;
	b->n_instances = n_instances == PB_NO_INST ? UINT32_MAX : 0;
	b->code_page = code_page;
	put32(b, 0);
	put32(b, header + (uint32_t)n * stride(b));
	put32(b, header);
	put32(b, title);
	put32(b, 0);
	put32(b, title + 1);
	put32(b, 0);
	put32(b, 100);
	put32(b, (uint32_t)n);
	put32(b, 0);
	put32(b, UINT32_MAX);
	put32(b, (uint32_t)code_page);
	put(b, PB_OBJECT_TIME, 8);
	put(b, PB_OBJECT_FREQ, 8);
	put_slack(b);
	put_definitions(b, counters, n);
}

void
pb_instance(struct pb *b, uint32_t parent_title, uint32_t parent, int32_t unique_id,
	    const char *name)
{
	size_t at = b->len;
	uint32_t len = 0;

	b->n_instances++;
	put32(b, 0);
	put32(b, parent_title);
	put32(b, parent);
	put32(b, (uint32_t)unique_id);
	put32(b, 24 + b->slack);
	put32(b, 0);
	put_slack(b);
	if (b->code_page == 0) {
		len = put_utf16(b, name);
	} else {
		for (; name[len] != '\0'; len++)
			put8(b, (uint8_t)name[len]);
		put8(b, 0);
		len++;
	}
	pb_patch(b, at + 20, len);
	align8(b);
	pb_patch(b, at, (uint32_t)(b->len - at));
}

void
pb_values(struct pb *b, const struct pb_counter *counters, size_t n, const uint64_t *values)
{
	size_t at = b->len;

	put32(b, 0);
	put32(b, 0);
	for (size_t i = 0; i < n; i++)
		put(b, values[i], counters[i].size);
	align8(b);
	pb_patch(b, at, (uint32_t)(b->len - at));
}

void
pb_end(struct pb *b)
{
	uint32_t head = 0;

	end_object(b);
	if (b->without_head)
		for (size_t i = 0; i < 4; i++)
			head |= (uint32_t)b->bytes[b->block + 24 + (b->big_endian ? 3 - i : i)]
				<< 8 * i;
	pb_patch(b, b->block + 20, (uint32_t)(b->len - b->block) - head);
	pb_patch(b, b->block + 28, b->n_objects);
}

void
pb_free(struct pb *b)
{
	free(b->bytes);
	b->bytes = NULL;
	b->len = b->cap = 0;
}
