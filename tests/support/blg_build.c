// blg_build.c - build binary performance logs in memory, field by field
// SPDX-License-Identifier: MIT

#include "blg_build.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_HEADER 0x48
#define EVENT_HEADER  48
#define PART_HEADER   24
#define NO_STRING     UINT32_MAX

// ---- Growing bytes --------------------------------------------------------------------------

struct bytes {
	uint8_t *p;
	size_t n;
	size_t cap;
};

static void
put(struct bytes *b, const void *p, size_t n)
{
	if (b->cap - b->n < n) {
		b->cap = (b->cap + n) * 2;
		b->p = realloc(b->p, b->cap);
		if (b->p == NULL)
			abort();
	}
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void
put_le(struct bytes *b, uint64_t v, size_t n)
{
	uint8_t le[8];

	for (size_t i = 0; i < n; i++)
		le[i] = (uint8_t)(v >> 8 * i);
	put(b, le, n);
}

static void
put8(struct bytes *b, uint8_t v)
{
	put_le(b, v, 1);
}

static void
put16(struct bytes *b, uint16_t v)
{
	put_le(b, v, 2);
}

static void
put32(struct bytes *b, uint32_t v)
{
	put_le(b, v, 4);
}

static void
put64(struct bytes *b, int64_t v)
{
	put_le(b, (uint64_t)v, 8);
}

static void
put_fill(struct bytes *b, uint8_t c, size_t n)
{
	while (n-- > 0)
		put(b, &c, 1);
}

static void
put_align(struct bytes *b, size_t n)
{
	put_fill(b, 0, (n - b->n % n) % n);
}

// ASCII as UTF-16, without a NUL.
static void
put_text(struct bytes *b, const char *s)
{
	for (; *s != '\0'; s++)
		put16(b, (uint8_t)*s);
}

static void
put_string(struct bytes *b, const char *s)
{
	put_text(b, s);
	put16(b, 0);
}

static void
set_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

// ---- The file -------------------------------------------------------------------------------

struct blg_build {
	struct blg_build_options options;
	uint8_t log_id[16];
	struct bytes file;   // whole buffers
	struct bytes buffer; // the one that is being filled, with its header
	size_t n_buffers;    // begun
	struct bytes sample;
	struct bytes items; // of a multi record
	struct bytes names;
	uint32_t n_items;
	uint32_t multi_status;
	int64_t multi_time;
};

static void
set_defaults(struct blg_build_options *o)
{
	if (o->os_major == 0) {
		o->os_major = 10;
		o->os_build = 14393;
	}
	if (o->buffer_bytes == 0)
		o->buffer_bytes = 0x1000;
	if (o->chunk_bytes == 0)
		o->chunk_bytes = 8000;
	if (o->log_mode == 0)
		o->log_mode = 0x01000001;
	if (o->zone_name == NULL)
		o->zone_name = "Test Standard Time";
}

// Begin a buffer with its header; end_buffer() sets what is known only when the buffer is full.
static void
begin_buffer(struct blg_build *b)
{
	bool old = b->options.os_major < 6;
	bool is_first = b->n_buffers == 0;
	struct bytes *out = &b->buffer;

	out->n = 0;
	put32(out, b->options.buffer_bytes); // 0x00 buffer size
	put32(out, 0);                       // 0x04 used, or (old) sequence
	put32(out, 0);                       // 0x08 current offset
	put32(out, 0);                       // 0x0C reference count
	put64(out, 0);                       // 0x10 flush time
	put64(out, (int64_t)(old ? 0x1122334455667788 : b->n_buffers)); // 0x18 sequence, or GUID
	put64(out, 0);                                        // 0x20 clock, or second half of GUID
	put32(out, 0x00010800);                               // 0x28 CPU, alignment, logger id
	put32(out, old ? 0x00020000 : 3);                     // 0x2C flags, or state
	put32(out, 0);                                        // 0x30 used
	put16(out, 1);                                        // 0x34 flags
	put16(out, (uint16_t)(is_first ? (old ? 1 : 4) : 0)); // 0x36 type
	put_fill(out, 0, 16);                                 // 0x38 dead pointers
	// The old sequence number is 0 in the first buffer, then 2 and up.
	if (old)
		set_le(out->p + 0x04, is_first ? 0 : b->n_buffers + 1, 4);
	b->n_buffers++;
}

static void
end_buffer(struct blg_build *b)
{
	if (b->options.os_major >= 6)
		set_le(b->buffer.p + 0x04, b->buffer.n, 4);
	set_le(b->buffer.p + 0x08, b->buffer.n + 0x100, 4);
	set_le(b->buffer.p + 0x30, b->buffer.n, 4);
	put_fill(&b->buffer, 0xFF, b->options.buffer_bytes - b->buffer.n);
	put(&b->file, b->buffer.p, b->buffer.n);
}

size_t
blg_build_flush(struct blg_build *b)
{
	end_buffer(b);
	begin_buffer(b);
	return b->n_buffers - 1;
}

size_t
blg_build_where(const struct blg_build *b)
{
	return b->n_buffers - 1;
}

static void
put_date(struct bytes *out, const struct blg_build_date *d)
{
	const uint16_t words[8] = {d->year, d->month,  d->weekday, d->day,
				   d->hour, d->minute, d->second,  d->ms};

	for (size_t i = 0; i < 8; i++)
		put16(out, words[i]);
}

static void
put_zone_name(struct bytes *out, const char *name)
{
	size_t start = out->n;

	put_text(out, name);
	put_fill(out, 0, start + 64 - out->n);
}

// SYSTEM_TRACE_HEADER at 0x48 and TRACE_LOGFILE_HEADER at 0x68.
static void
put_header_event(struct blg_build *b)
{
	const struct blg_build_options *o = &b->options;
	struct bytes *out = &b->buffer;
	size_t size_at = out->n + 4;
	size_t pointer = o->is_32bit ? 4 : 8;

	put16(out, 0);                   // 0x48 version
	put8(out, o->is_32bit ? 1 : 2);  // 0x4A header type
	put8(out, 0xC0);                 // 0x4B
	put16(out, 0);                   // 0x4C size, below
	put16(out, 0);                   // 0x4E hook id
	put32(out, 1);                   // 0x50 thread
	put32(out, 2);                   // 0x54 process
	put64(out, o->start);            // 0x58 time
	put64(out, 0);                   // 0x60 kernel and user time
	put32(out, o->buffer_bytes);     // 0x68
	put8(out, o->os_major);          // 0x6C
	put8(out, o->os_minor);          // 0x6D
	put16(out, 0x0501);              // 0x6E
	put32(out, o->os_build);         // 0x70
	put32(out, 1);                   // 0x74 CPU buffers
	put64(out, o->end);              // 0x78
	put32(out, 156250);              // 0x80 timer resolution
	put32(out, 0);                   // 0x84 maximum file size
	put32(out, o->log_mode);         // 0x88
	put32(out, 0);                   // 0x8C buffers written, by finish
	put32(out, 1);                   // 0x90 start buffers
	put32(out, o->is_32bit ? 4 : 8); // 0x94 pointer size
	put32(out, 0);                   // 0x98 events lost
	put32(out, 2400);                // 0x9C CPU MHz
	put_fill(out, 0, 2 * pointer);   // 0xA0
	put32(out, (uint32_t)o->bias);   // TIME_ZONE_INFORMATION
	put_zone_name(out, o->zone_name);
	put_date(out, &o->to_standard);
	put32(out, (uint32_t)o->standard_bias);
	put_zone_name(out, "Test Daylight Time");
	put_date(out, &o->to_daylight);
	put32(out, (uint32_t)o->daylight_bias);
	put_align(out, 8);
	put64(out, 0);        // boot time
	put64(out, 10000000); // performance frequency
	put64(out, o->start);
	put32(out, 2);               // clock type
	put32(out, 0);               // buffers lost
	put_string(out, "{test}");   // logger name
	put_string(out, "test.blg"); // path
	set_le(out->p + size_at, out->n - BUFFER_HEADER, 2);
	put_align(out, 8);
}

struct blg_build *
blg_build_new(const struct blg_build_options *options)
{
	struct blg_build *b = calloc(1, sizeof(*b));

	if (b == NULL)
		abort();
	if (options != NULL)
		b->options = *options;
	set_defaults(&b->options);
	memset(b->log_id, 0x11, sizeof(b->log_id));
	begin_buffer(b);
	put_header_event(b);
	(void)blg_build_flush(b);
	return b;
}

uint8_t *
blg_build_finish(struct blg_build *b, size_t *len_out)
{
	uint8_t *file;

	if (b->buffer.n > BUFFER_HEADER)
		end_buffer(b);
	file = b->file.p;
	*len_out = b->file.n;
	set_le(file + 0x8C, b->file.n / b->options.buffer_bytes, 4);
	free(b->buffer.p);
	free(b->sample.p);
	free(b->items.p);
	free(b->names.p);
	free(b);
	return file;
}

void
blg_build_reorder(uint8_t *file, size_t len, const size_t *order, size_t n)
{
	size_t size = len / (n + 1);
	uint8_t *copy = malloc(len);

	if (copy == NULL)
		abort();
	memcpy(copy, file, len);
	for (size_t i = 0; i < n; i++)
		memcpy(file + (i + 1) * size, copy + order[i] * size, size);
	free(copy);
}

// ---- Events ---------------------------------------------------------------------------------

static void
put_event(struct blg_build *b, const void *bytes, size_t len)
{
	size_t padded = (len + 7) / 8 * 8;

	if (BUFFER_HEADER + padded > b->options.buffer_bytes)
		abort(); // larger than a buffer
	if (b->buffer.n + padded > b->options.buffer_bytes)
		(void)blg_build_flush(b);
	put(&b->buffer, bytes, len);
	put_align(&b->buffer, 8);
}

// EVENT_TRACE_HEADER, 48 bytes.
static void
put_event_header(struct blg_build *b, struct bytes *out, uint8_t type, int64_t time, size_t payload,
		 const uint8_t guid[16])
{
	put16(out, (uint16_t)(EVENT_HEADER + payload)); // 0x00 size
	put8(out, b->options.is_32bit ? 10 : 20);       // 0x02
	put8(out, 0xC0);                                // 0x03
	put8(out, type);                                // 0x04
	put8(out, 0);                                   // 0x05 level
	put16(out, 60);                                 // 0x06 version
	put32(out, 1);                                  // 0x08 thread
	put32(out, 2);                                  // 0x0C process
	put64(out, time);                               // 0x10 local time
	put(out, guid, 16);                             // 0x18
	put64(out, 0);                                  // 0x28
}

void
blg_build_part(struct blg_build *b, uint8_t type, int64_t time, uint32_t part, uint32_t n_parts,
	       const void *bytes, size_t len)
{
	static const uint8_t pdh[16] = {0xB3, 0x3B, 0x3F, 0x93, 0x3E, 0x94, 0x0D, 0x49,
					0x9C, 0xED, 0x3C, 0xBB, 0x14, 0xC1, 0x44, 0x79};
	struct bytes event = {0};

	put_event_header(b, &event, type, time, PART_HEADER + len, pdh);
	put(&event, b->log_id, 16); // 0x00 log id
	put32(&event, part);        // 0x10
	put32(&event, n_parts);     // 0x14
	put(&event, bytes, len);
	put_event(b, event.p, event.n);
	free(event.p);
}

void
blg_build_record(struct blg_build *b, uint8_t type, int64_t time, const void *bytes, size_t len)
{
	size_t chunk = b->options.chunk_bytes;
	uint32_t n_parts = (uint32_t)(len == 0 ? 1 : (len + chunk - 1) / chunk);

	for (uint32_t i = 0; i < n_parts; i++) {
		size_t left = len - i * chunk;

		blg_build_part(b, type, time, i + 1, n_parts, (const uint8_t *)bytes + i * chunk,
			       left < chunk ? left : chunk);
	}
}

void
blg_build_foreign(struct blg_build *b, size_t payload)
{
	static const uint8_t guid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	struct bytes event = {0};

	put_event_header(b, &event, 0x0A, 0, payload, guid);
	put_fill(&event, 0x5A, payload);
	put_event(b, event.p, event.n);
	free(event.p);
}

// SYSTEM_TRACE_HEADER: the size follows a version.
void
blg_build_system_event(struct blg_build *b, size_t payload)
{
	struct bytes event = {0};

	put16(&event, 2);                          // 0x00 version
	put8(&event, b->options.is_32bit ? 1 : 2); // 0x02
	put8(&event, 0xC0);                        // 0x03
	put16(&event, (uint16_t)(32 + payload));   // 0x04 size
	put16(&event, 0x0501);                     // 0x06 hook id
	put_fill(&event, 0, 24);
	put_fill(&event, 0x5A, payload);
	put_event(b, event.p, event.n);
	free(event.p);
}

void
blg_build_log_id(struct blg_build *b, const uint8_t id[16])
{
	memcpy(b->log_id, id, sizeof(b->log_id));
}

// ---- Names and catalogue --------------------------------------------------------------------

void
blg_build_names(struct blg_build *b, int64_t time, const char *machine,
		const struct blg_build_title *titles, size_t n)
{
	struct bytes r = {0};

	put_string(&r, machine);
	for (size_t i = 0; i < n; i++) {
		char digits[11];
		size_t at = sizeof(digits) - 1;
		uint32_t index = titles[i].index;

		digits[at] = '\0';
		do {
			digits[--at] = (char)('0' + index % 10);
			index /= 10;
		} while (index > 0);
		put_string(&r, digits + at);
		put_string(&r, titles[i].name);
	}
	put16(&r, 0);
	blg_build_record(b, 0x24, time, r.p, r.n);
	free(r.p);
}

static uint32_t
add_string(struct bytes *area, const char *s)
{
	uint32_t at = (uint32_t)area->n;

	if (s == NULL)
		return NO_STRING;
	put_string(area, s);
	return at;
}

static void
put_entry(struct bytes *out, const struct blg_build_entry *e)
{
	struct bytes area = {0};
	uint32_t machine = add_string(&area, e->machine != NULL ? e->machine : "");
	uint32_t object = add_string(&area, e->object);
	uint32_t instance = add_string(&area, e->instance);
	uint32_t parent = add_string(&area, e->parent);
	uint32_t counter = add_string(&area, e->counter);

	// The area begins at offset 0x34 of the entry, whose length is a multiple of 8.
	while ((0x34 + area.n) % 8 != 0)
		put8(&area, 0);
	put32(out, (uint32_t)(0x34 + area.n)); // 0x00 length
	put32(out, e->flags);                  // 0x04
	put32(out, 0);                         // 0x08 user data
	put32(out, e->type);                   // 0x0C
	put64(out, e->time_base);              // 0x10
	put32(out, (uint32_t)e->scale);        // 0x18
	put32(out, machine);                   // 0x1C
	put32(out, object);                    // 0x20
	put32(out, instance);                  // 0x24
	put32(out, parent);                    // 0x28
	put32(out, e->index);                  // 0x2C
	put32(out, counter);                   // 0x30
	put(out, area.p, area.n);              // 0x34
	free(area.p);
}

void
blg_build_catalogue(struct blg_build *b, int64_t time, const struct blg_build_entry *entries,
		    size_t n)
{
	struct bytes r = {0};

	put32(&r, 0x000006FF); // record tag
	put32(&r, 0x00020008);
	for (size_t i = 0; i < n; i++)
		put_entry(&r, &entries[i]);
	blg_build_record(b, 0x20, time, r.p, r.n);
	free(r.p);
}

// ---- Samples --------------------------------------------------------------------------------

void
blg_build_sample_begin(struct blg_build *b)
{
	b->sample.n = 0;
	put32(&b->sample, 0x00034C42); // 'B' 'L' 0x0003
	put32(&b->sample, 0);          // length, at the end
}

void
blg_build_sample_end(struct blg_build *b, int64_t time)
{
	set_le(b->sample.p + 4, b->sample.n, 4);
	blg_build_record(b, 0x22, time, b->sample.p, b->sample.n);
}

void
blg_build_value(struct blg_build *b, uint16_t form, const void *bytes, size_t len)
{
	put(&b->sample, "BL", 2);
	put16(&b->sample, form);
	put32(&b->sample, (uint32_t)(8 + len));
	put(&b->sample, bytes, len);
}

void
blg_build_single(struct blg_build *b, uint32_t status, int64_t time, int64_t first, int64_t second,
		 uint32_t multi)
{
	struct bytes r = {0};

	put32(&r, status); // 0x08
	put64(&r, time);   // 0x0C
	put32(&r, 0);      // 0x14
	put64(&r, first);  // 0x18
	put64(&r, second); // 0x20
	put32(&r, multi);  // 0x28
	put32(&r, 0);      // 0x2C
	blg_build_value(b, 0x0103, r.p, r.n);
	free(r.p);
}

void
blg_build_multi_begin(struct blg_build *b, uint32_t status, int64_t time)
{
	b->items.n = 0;
	b->names.n = 0;
	b->n_items = 0;
	b->multi_status = status;
	b->multi_time = time;
}

void
blg_build_item(struct blg_build *b, const char *name, uint32_t multi, int64_t first, int64_t second)
{
	put32(&b->items, (uint32_t)b->names.n); // 0x00 name offset, moved at the end
	put32(&b->items, multi);                // 0x04
	put64(&b->items, first);                // 0x08
	put64(&b->items, second);               // 0x10
	put_string(&b->names, name);
	b->n_items++;
}

void
blg_build_multi_end(struct blg_build *b)
{
	struct bytes r = {0};
	uint32_t names_at = 0x18 + 24 * b->n_items; // counted from 0x08 of the record

	put_align(&b->names, 8);
	put32(&r, (uint32_t)(0x18 + b->items.n + b->names.n)); // 0x08 block length
	put32(&r, b->n_items);                                 // 0x0C
	put32(&r, b->multi_status);                            // 0x10
	put32(&r, 0);                                          // 0x14
	put64(&r, b->multi_time);                              // 0x18
	for (uint32_t i = 0; i < b->n_items; i++) {
		uint8_t *item = b->items.p + 24 * i;
		uint32_t at = item[0] | (uint32_t)item[1] << 8 | (uint32_t)item[2] << 16;

		set_le(item, names_at + at, 4);
	}
	put(&r, b->items.p, b->items.n); // 0x20
	put(&r, b->names.p, b->names.n);
	blg_build_value(b, 0x0203, r.p, r.n);
	free(r.p);
}

// ---- Whole objects --------------------------------------------------------------------------

// Convert a FILETIME to the SYSTEMTIME of PERF_DATA_BLOCK, counting years and months.
static void
put_systemtime(struct bytes *out, int64_t t)
{
	static const uint8_t lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t ms = t / 10000;
	int64_t days = ms / 86400000;
	struct blg_build_date d = {.year = 1601, .weekday = (uint16_t)((days + 1) % 7)};

	ms %= 86400000;
	for (;; d.year++) {
		bool leap = (d.year % 4 == 0 && d.year % 100 != 0) || d.year % 400 == 0;
		int64_t length = leap ? 366 : 365;

		if (days >= length) {
			days -= length;
			continue;
		}
		for (d.month = 0;; d.month++) {
			length = lengths[d.month] + (leap && d.month == 1);
			if (days < length)
				break;
			days -= length;
		}
		break;
	}
	d.month++;
	d.day = (uint16_t)(days + 1);
	d.hour = (uint16_t)(ms / 3600000);
	d.minute = (uint16_t)(ms / 60000 % 60);
	d.second = (uint16_t)(ms / 1000 % 60);
	d.ms = (uint16_t)(ms % 1000);
	put_date(out, &d);
}

static void
put_definitions(struct bytes *out, const struct blg_build_object *o)
{
	uint32_t at = 8; // the counter block begins with its length, padded to 8

	for (size_t i = 0; i < o->n_counters; i++) {
		const struct blg_build_counter *c = &o->counters[i];

		put32(out, 40 + o->extra);      // 0x00 length
		put32(out, c->title);           // 0x04
		put32(out, 0);                  // 0x08
		put32(out, c->title + 1);       // 0x0C help
		put32(out, 0);                  // 0x10
		put32(out, (uint32_t)c->scale); // 0x14
		put32(out, 100);                // 0x18 detail level
		put32(out, c->type);            // 0x1C
		put32(out, c->size);            // 0x20
		put32(out, at);                 // 0x24 offset
		put_fill(out, 0xEE, o->extra);
		at += 8; // each value takes 8 bytes, whatever its size
	}
}

static void
put_counter_block(struct bytes *out, const struct blg_build_object *o, size_t instance)
{
	put32(out, (uint32_t)(8 + 8 * o->n_counters)); // 0x00 length
	put32(out, 0);
	for (size_t i = 0; i < o->n_counters; i++) {
		int64_t value = o->values[instance * o->n_counters + i];

		// Bytes next to a DWORD must be ignored, so they are not zero.
		if (o->counters[i].size == 4)
			value |= (int64_t)((uint64_t)0xDEAD << 32);
		put64(out, value);
	}
}

static void
put_instance(struct bytes *out, const struct blg_build_object *o,
	     const struct blg_build_instance *in)
{
	struct bytes name = {0};

	if (o->code_page == 0)
		put_string(&name, in->name);
	else
		put(&name, in->name, strlen(in->name) + 1);
	put32(out, (uint32_t)(24 + (name.n + 7) / 8 * 8));                     // 0x00 length
	put32(out, in->parent_title);                                          // 0x04
	put32(out, in->parent_number);                                         // 0x08
	put32(out, in->unique_id != 0 ? (uint32_t)in->unique_id : UINT32_MAX); // 0x0C
	put32(out, 24);                                                        // 0x10 name offset
	put32(out, (uint32_t)name.n);                                          // 0x14 name length
	put(out, name.p, name.n);
	put_fill(out, 0, (8 - name.n % 8) % 8);
	free(name.p);
}

// PERF_OBJECT_TYPE with everything in it.
static void
put_object(struct bytes *out, const struct blg_build_object *o)
{
	size_t start = out->n;
	size_t definitions = o->n_counters * (40 + o->extra);

	put32(out, 0);                            // 0x00 total length, below
	put32(out, (uint32_t)(64 + definitions)); // 0x04 definition length
	put32(out, 64);                           // 0x08 header length
	put32(out, o->title);                     // 0x0C
	put32(out, 0);                            // 0x10
	put32(out, o->title + 1);                 // 0x14 help
	put32(out, 0);                            // 0x18
	put32(out, 100);                          // 0x1C detail level
	put32(out, (uint32_t)o->n_counters);      // 0x20
	put32(out, 0);                            // 0x24 default counter
	put32(out, o->instances == NULL ? UINT32_MAX : (uint32_t)o->n_instances); // 0x28
	put32(out, (uint32_t)o->code_page);                                       // 0x2C
	put64(out, o->object_time);                                               // 0x30
	put64(out, o->object_freq);                                               // 0x38
	put_definitions(out, o);
	if (o->instances == NULL)
		put_counter_block(out, o, 0);
	for (size_t i = 0; o->instances != NULL && i < o->n_instances; i++) {
		put_instance(out, o, &o->instances[i]);
		put_counter_block(out, o, i);
	}
	set_le(out->p + start, out->n - start, 4);
}

void
blg_build_object(struct blg_build *b, const struct blg_build_object *o)
{
	struct bytes r = {0};

	put(&r, "P\0E\0R\0F\0", 8);         // 0x00 signature
	put32(&r, 1);                       // 0x08 little-endian
	put32(&r, 1);                       // 0x0C version
	put32(&r, 1);                       // 0x10 revision
	put32(&r, 0);                       // 0x14 total length, below
	put32(&r, 104);                     // 0x18 header length
	put32(&r, 1);                       // 0x1C objects
	put32(&r, o->title);                // 0x20 default object
	put_systemtime(&r, o->system_time); // 0x24
	put32(&r, 0);                       // 0x34 alignment
	put64(&r, o->perf_time);            // 0x38
	put64(&r, o->perf_freq);            // 0x40
	put64(&r, o->perf_time_100ns);      // 0x48
	put32(&r, 8);                       // 0x50 length of the machine's name
	put32(&r, 88);                      // 0x54 and its offset
	put_string(&r, "SRV");              // 0x58
	put_fill(&r, 0, 104 - r.n);
	put_object(&r, o);
	set_le(r.p + 0x14, r.n, 4);
	blg_build_value(b, 0x0503, r.p, r.n);
	free(r.p);
}

void
blg_build_instance_list(struct blg_build *b, int64_t time)
{
	struct bytes r = {0};

	put64(&r, time);   // 0x00 first sample
	put64(&r, time);   // 0x08 last sample
	put32(&r, 1);      // 0x10 samples
	put32(&r, 0);      // 0x14 objects
	put32(&r, 0x20);   // 0x18 length
	put32(&r, 0x05FF); // 0x1C record tag
	blg_build_record(b, 0x23, time + 30, r.p, r.n);
	free(r.p);
}
