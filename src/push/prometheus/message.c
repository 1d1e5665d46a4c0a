// message.c - the body of a remote write: protobuf, compressed with snappy
// SPDX-License-Identifier: MIT
//
// Concatenated messages are one message with the fields of all. So each series is packed as a
// request of its own, and the whole tree is never in memory.

#include "push/prometheus/prometheus.h"

#include <string.h>

#include <remote_write.pb-c.h>

#include "base/mem.h"
#include "base/utf.h"

// ---- Labels ---------------------------------------------------------------------------------

struct making {
	struct pmon_arena *arena;
	struct prom_labels *out;
	bool failed;
};

// Invalid text becomes U+FFFD, which takes three bytes for at least one.
const char *
pmon_prom_clean(struct pmon_arena *arena, struct pmon_span text)
{
	char *copy = pmon_arena_alloc(arena, 3 * text.len + 1);
	size_t pos = 0;
	size_t len = 0;

	while (copy != NULL && pos < text.len) {
		size_t at = pos;
		uint32_t c = pmon_utf8_next(text, &pos);
		bool is_text = c != 0 && !(c >= 0xD800 && c <= 0xDFFF);
		const char *from = is_text ? text.ptr + at : "\xEF\xBF\xBD";
		size_t n = is_text ? pos - at : 3;

		memcpy(copy + len, from, n);
		len += n;
	}
	return copy;
}

static void
take_label(void *ctx, const char *name, struct pmon_span text)
{
	struct making *making = ctx;
	struct prom_labels *out = making->out;

	if (out->n == PROM_LABELS)
		return;
	out->names[out->n] = name;
	out->values[out->n] = pmon_prom_clean(making->arena, text);
	making->failed |= out->values[out->n] == NULL;
	out->n++;
}

bool
pmon_prom_labels(struct pmon_arena *arena, const struct om_track *track, struct prom_labels *out)
{
	struct making making = {.arena = arena, .out = out};

	*out = (struct prom_labels){.names = {"__name__"}, .n = 1};
	pmon_om_labels(track, take_label, &making);
	return !making.failed;
}

bool
pmon_prom_description(struct pmon_arena *arena, const struct om_family *family,
		      const struct om_track *track, struct prom_labels *out)
{
	struct making making = {.arena = arena, .out = out};

	*out = (struct prom_labels){.names = {"__name__"}, .n = 1};
	pmon_om_describe(family, track, take_label, &making);
	return !making.failed;
}

// ---- Messages -------------------------------------------------------------------------------

// protobuf-c does not write texts that it is given, but does not say so.
static void
fill_labels(const struct prom_labels *labels, Pmon__Remote__Label messages[PROM_LABELS],
	    Pmon__Remote__Label *pointers[PROM_LABELS])
{
	for (size_t i = 0; i < labels->n; i++) {
		pmon__remote__label__init(&messages[i]);
		messages[i].name = (char *)(uintptr_t)labels->names[i];
		messages[i].value = (char *)(uintptr_t)labels->values[i];
		pointers[i] = &messages[i];
	}
}

static void
fill_samples(const struct prom_point *points, size_t n, Pmon__Remote__Sample *messages,
	     Pmon__Remote__Sample **pointers)
{
	for (size_t i = 0; i < n; i++) {
		pmon__remote__sample__init(&messages[i]);
		memcpy(&messages[i].value, &points[i].bits, sizeof(messages[i].value));
		messages[i].timestamp = points[i].ms;
		pointers[i] = &messages[i];
	}
}

static bool
pack(const struct pmon_allocator *allocator, struct pmon_push_bytes *body,
     Pmon__Remote__TimeSeries *series)
{
	Pmon__Remote__WriteRequest request = PMON__REMOTE__WRITE_REQUEST__INIT;
	size_t size;

	request.n_timeseries = 1;
	request.timeseries = &series;
	size = pmon__remote__write_request__get_packed_size(&request);
	if (!pmon_mem_grow(allocator, &body->list, &body->cap, body->n + size, 1))
		return false;
	body->n += pmon__remote__write_request__pack(&request, body->list + body->n);
	return true;
}

bool
pmon_prom_add(const struct pmon_allocator *allocator, struct pmon_push_bytes *body,
	      struct prom_labels *labels, const char *name, bool is_counter,
	      const struct prom_point *points, size_t n)
{
	Pmon__Remote__Label label_messages[PROM_LABELS];
	Pmon__Remote__Label *label_pointers[PROM_LABELS];
	Pmon__Remote__TimeSeries series = PMON__REMOTE__TIME_SERIES__INIT;
	size_t each = sizeof(Pmon__Remote__Sample) + sizeof(Pmon__Remote__Sample *);
	Pmon__Remote__Sample *samples = pmon_mem_alloc(allocator, n * each);
	char full[OM_NAME_SIZE + sizeof("_total")];
	bool good;

	if (samples == NULL)
		return false;
	(void)snprintf(full, sizeof(full), "%s%s", name, is_counter ? "_total" : "");
	labels->values[0] = full;
	fill_labels(labels, label_messages, label_pointers);
	series.n_labels = labels->n;
	series.labels = label_pointers;
	series.n_samples = n;
	series.samples = (Pmon__Remote__Sample **)(void *)(samples + n);
	fill_samples(points, n, samples, series.samples);
	good = pack(allocator, body, &series);
	labels->values[0] = NULL;
	pmon_mem_free(allocator, samples, n * each);
	return good;
}

bool
pmon_prom_compress(const struct snappy_calls *snappy, const struct pmon_allocator *allocator,
		   const struct pmon_push_bytes *body, struct pmon_push_bytes *out)
{
	size_t most = snappy->max_compressed_length(body->n);

	if (!pmon_mem_grow(allocator, &out->list, &out->cap, most, 1))
		return false;
	out->n = out->cap;
	return snappy->compress((const char *)body->list, body->n, (char *)out->list, &out->n) ==
	       SNAPPY_OK;
}
