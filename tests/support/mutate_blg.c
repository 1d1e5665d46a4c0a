// mutate_blg.c - mutate binary logs by their buffers, events and records
// SPDX-License-Identifier: MIT

#include "mutate.h"

#include <stdlib.h>
#include <string.h>

#define BUFFER_HEAD 0x48
#define EVENT_HEAD  0x30
#define PART_HEAD   0x18
#define RECORD_HEAD 8
#define MAX_FOUND   512

// A range of bytes: offset and length.
struct stretch {
	size_t at;
	size_t size;
};

struct found {
	struct stretch list[MAX_FOUND];
	size_t n;
};

struct field {
	uint8_t at;
	uint8_t width;
};

static void
find(struct found *found, size_t at, size_t size)
{
	if (found->n < MAX_FOUND)
		found->list[found->n++] = (struct stretch){at, size};
}

static bool
pick(struct mutate *m, const struct found *found, struct stretch *out)
{
	if (found->n == 0)
		return false;
	*out = found->list[mutate_random(m, found->n)];
	return true;
}

static bool
change_one(struct mutate *m, size_t at, const struct field *fields, size_t n)
{
	struct field field = fields[mutate_random(m, n)];

	return mutate_field(m, at + field.at, field.width);
}

static size_t
buffer_size(const struct mutate *m)
{
	size_t size = (size_t)mutate_get(m, 0, 4);

	return size >= 0x100 && size <= m->size ? size : m->size;
}

// The events of the buffers, starting with a chosen one.
static void
find_events(struct mutate *m, struct found *found)
{
	size_t size = buffer_size(m);
	size_t first = mutate_random(m, m->size / size);

	found->n = 0;
	for (size_t buffer = first * size; buffer + size <= m->size && found->n < MAX_FOUND;
	     buffer += size)
		for (size_t at = BUFFER_HEAD; at + EVENT_HEAD <= size;) {
			size_t length = (size_t)mutate_get(m, buffer + at, 2);

			if (length < EVENT_HEAD || length > size - at)
				break;
			find(found, buffer + at, length);
			at += (length + 7) / 8 * 8;
		}
}

// The records 'B' 'L' of an event, inner ones after the one that contains them.
static void
find_records(const struct mutate *m, struct stretch event, struct found *found)
{
	size_t end = event.at + event.size;

	found->n = 0;
	for (size_t at = event.at + EVENT_HEAD + PART_HEAD; at + RECORD_HEAD <= end; at += 2)
		if (m->data[at] == 'B' && m->data[at + 1] == 'L')
			find(found, at, (size_t)mutate_get(m, at + 4, 4));
}

static bool
change_buffer_head(struct mutate *m)
{
	static const struct field fields[] = {{0, 4},    {4, 4},    {8, 4},    {0x10, 8},
					      {0x18, 8}, {0x30, 4}, {0x34, 2}, {0x36, 2}};
	size_t size = buffer_size(m);

	return change_one(m, mutate_random(m, m->size / size) * size, fields,
			  sizeof(fields) / sizeof(fields[0]));
}

static bool
change_file_head(struct mutate *m)
{
	static const struct field fields[] = {{0x68, 4}, {0x6C, 4}, {0x70, 4}, {0x78, 8},
					      {0x88, 4}, {0x8C, 4}, {0x94, 4}, {0x98, 4},
					      {0xA8, 4}, {0xB0, 4}, {0x4A, 1}, {0x4C, 2}};

	return change_one(m, 0, fields, sizeof(fields) / sizeof(fields[0]));
}

static bool
change_event_head(struct mutate *m, struct stretch event)
{
	static const struct field fields[] = {{0, 2},    {2, 1},    {3, 1},    {4, 1},    {0x10, 8},
					      {0x18, 4}, {0x30, 4}, {0x40, 4}, {0x44, 4}, {4, 4}};

	return change_one(m, event.at, fields, sizeof(fields) / sizeof(fields[0]));
}

static bool
change_record(struct mutate *m, struct stretch event)
{
	static const struct field fields[] = {{2, 2},    {4, 4},    {8, 4},    {0x0C, 4}, {0x0C, 8},
					      {0x10, 4}, {0x18, 8}, {0x20, 8}, {0x20, 4}, {0x24, 4},
					      {0x28, 8}, {0x28, 4}, {0x30, 8}};
	struct found records;
	struct stretch record;

	find_records(m, event, &records);
	return pick(m, &records, &record) &&
	       change_one(m, record.at, fields, sizeof(fields) / sizeof(fields[0]));
}

// A word anywhere in the event: in a catalogue, a table of names, or a record.
static bool
change_inside(struct mutate *m, struct stretch event)
{
	size_t head = EVENT_HEAD + PART_HEAD;

	return event.size > head + 4 &&
	       mutate_field(m, event.at + head + mutate_random(m, (event.size - head) / 4) * 4, 4);
}

static bool
swap(struct mutate *m, struct stretch a, struct stretch b)
{
	size_t size = a.size < b.size ? a.size : b.size;

	if (a.at == b.at || (a.at < b.at ? b.at - a.at : a.at - b.at) < size)
		return false;
	for (size_t i = 0; i < size; i++) {
		uint8_t byte = m->data[a.at + i];

		m->data[a.at + i] = m->data[b.at + i];
		m->data[b.at + i] = byte;
	}
	return true;
}

static bool
change_events(struct mutate *m)
{
	struct found events;
	struct stretch one;
	struct stretch other;

	find_events(m, &events);
	if (!pick(m, &events, &one) || !pick(m, &events, &other))
		return false;
	switch (mutate_random(m, 8)) {
	case 0:
		return swap(m, one, other);
	case 1: // twice
		memmove(m->data + one.at, m->data + other.at,
			one.size < other.size ? one.size : other.size);
		return true;
	case 2:
		return mutate_fill(m, one.at, EVENT_HEAD, 0);
	case 3:
	case 4:
		return change_event_head(m, one);
	case 5:
		return change_inside(m, one);
	default:
		return change_record(m, one) || change_inside(m, one);
	}
}

static bool
change_buffers(struct mutate *m)
{
	size_t size = buffer_size(m);
	size_t n = m->size / size;
	struct stretch one = {mutate_random(m, n) * size, size};
	struct stretch other = {mutate_random(m, n) * size, size};

	switch (mutate_random(m, 4)) {
	case 0:
		return swap(m, one, other);
	case 1:
		return mutate_copy(m, one.at, size, other.at);
	case 2:
		return mutate_remove(m, one.at, size);
	default:
		return mutate_fill(m, one.at, size, mutate_random(m, 2) ? 0xFF : 0);
	}
}

bool
mutate_blg(struct mutate *m)
{
	switch (mutate_random(m, 10)) {
	case 0:
		return change_buffer_head(m);
	case 1:
		return change_file_head(m);
	case 2:
		return change_buffers(m);
	default:
		return change_events(m);
	}
}
