// wire_write.c - serialize a source
// SPDX-License-Identifier: MIT

#include "shell/input/wire.h"

#include <string.h>

#include "base/mem.h"
#include "shell/input/wire_frames.h"

#define MACHINES_BYTES ((size_t)512 << 10) // for machines and their ids; others are not sent
#define FIXED_BYTES    256 // more than all fields of a frame except texts and values

// Begin a frame with at most this many bytes of text and values.
static struct codec
begin(struct wire_writer *writer, enum kind kind, size_t size)
{
	struct codec c = {.writes = true, .w.failed = true};

	size += HEAD_BYTES + FIXED_BYTES;
	if (pmon_mem_grow(pmon_mem_allocator(NULL), &writer->bytes, &writer->cap, writer->n + size,
			  1))
		c.w = pmon_wr_init(writer->bytes + writer->n, size);
	pmon_wr_u8(&c.w, (uint8_t)kind);
	pmon_wr_u32(&c.w, 0); // the length, see finish()
	return c;
}

static bool
finish(struct wire_writer *writer, const struct codec *c)
{
	if (!pmon_wr_ok(&c->w))
		return false;
	pmon_put_le32(c->w.base + 1, (uint32_t)(pmon_wr_pos(&c->w) - HEAD_BYTES));
	writer->n += pmon_wr_pos(&c->w);
	return true;
}

static struct pmon_span
span_of(const char *text)
{
	return (struct pmon_span){text, text != NULL ? strlen(text) : 0};
}

// How many machines fit in a frame, and their size in bytes.
static size_t
count_machines(const struct pmon_source_info *info, size_t *size)
{
	size_t n = 0;

	*size = 0;
	for (; n < info->n_machines && *size < MACHINES_BYTES; n++)
		*size += 8 + strlen(info->machines[n].name) + strlen(info->machines[n].id);
	return *size < MACHINES_BYTES ? n : n - 1;
}

bool
wire_put_info(struct wire_writer *writer, const struct pmon_source_info *info, uint32_t bits)
{
	size_t machines_size;
	struct facts f = {.bits = bits,
			  .info = *info,
			  .host.boot = PMON_TIME_NONE,
			  .format = span_of(info->format),
			  .writer = span_of(info->writer),
			  .converter = span_of(info->converter),
			  .machine = span_of(info->machine),
			  .zone = span_of(info->zone),
			  .n_machines = (uint32_t)count_machines(info, &machines_size),
			  .has_host = info->host != NULL};
	struct codec c = begin(writer, KIND_INFO,
			       f.format.len + f.writer.len + f.converter.len + f.machine.len +
				       f.zone.len + ZONE_BYTES + machines_size);

	if (f.has_host)
		f.host = *info->host;
	if (f.host.zone_info != NULL)
		f.zone_info = (struct pmon_span){(const char *)info->host->zone_info, ZONE_BYTES};
	code_facts(&c, &f);
	for (size_t i = 0; i < f.n_machines; i++) {
		struct pmon_span name = span_of(info->machines[i].name);
		struct pmon_span id = span_of(info->machines[i].id);

		code_machine(&c, &name, &id);
	}
	return finish(writer, &c);
}

bool
wire_put_notice(struct wire_writer *writer, const struct pmon_notice *notice)
{
	struct pmon_notice copy = *notice;
	struct pmon_span text = span_of(notice->text);
	struct codec c = begin(writer, KIND_NOTICE, text.len);

	code_notice(&c, &copy, &text);
	return finish(writer, &c);
}

bool
wire_put_end(struct wire_writer *writer, enum pmon_status status, const struct pmon_err *err)
{
	struct pmon_err copy = *err;
	struct pmon_span text = span_of(copy.msg);
	struct codec c = begin(writer, KIND_END, text.len);
	uint8_t number = (uint8_t)status;

	code_end(&c, &number, &copy, &text);
	return finish(writer, &c);
}

static bool
put_one(struct wire_writer *writer, const struct pmon_series *series)
{
	struct pmon_series copy = *series;
	struct pmon_path other = {.index = 0};
	bool is_logged = series->logged != NULL;
	const struct pmon_path *path = &series->path;
	struct codec c;

	if (is_logged || series->english != NULL)
		other = is_logged ? *series->logged : *series->english;
	c = begin(writer, KIND_SERIES,
		  path->machine.len + path->object.len + path->parent.len + path->instance.len +
			  path->counter.len + other.object.len + other.counter.len);
	code_series(&c, &copy, &other, &is_logged);
	return finish(writer, &c);
}

static bool
is_as_before(const struct wire_writer *writer, const struct pmon_sample *sample)
{
	return sample->n == writer->n_ids && sample->n > 0 &&
	       memcmp(sample->series, writer->ids, sample->n * sizeof(*writer->ids)) == 0;
}

static bool
keep_ids(struct wire_writer *writer, const struct pmon_sample *sample)
{
	writer->n_ids = sample->n;
	if (sample->n == 0)
		return true;
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &writer->ids, &writer->cap_ids, sample->n,
			   sizeof(*writer->ids)))
		return false;
	memcpy(writer->ids, sample->series, sample->n * sizeof(*writer->ids));
	return true;
}

static void
put_values(struct pmon_wr *w, const struct pmon_sample *sample, bool as_before)
{
	uint8_t *p = pmon_wr_bytes(w, as_before ? 0 : sample->n * ID_BYTES);

	for (size_t i = 0; p != NULL && !as_before && i < sample->n; i++, p += ID_BYTES)
		pmon_put_le32(p, sample->series[i]);
	p = pmon_wr_bytes(w, sample->n * RAW_BYTES);
	for (size_t i = 0; p != NULL && i < sample->n; i++, p += RAW_BYTES) {
		const struct pmon_raw *raw = &sample->raw[i];

		pmon_put_le32(p, raw->status);
		pmon_put_le32(p + 4, raw->multi);
		pmon_put_le64(p + 8, (uint64_t)raw->time);
		pmon_put_le64(p + 16, (uint64_t)raw->first);
		pmon_put_le64(p + 24, (uint64_t)raw->second);
	}
}

static void
put_sample(struct codec *c, const struct pmon_sample *sample, bool as_before)
{
	struct pmon_sample copy = *sample;
	uint32_t n = (uint32_t)sample->n;
	uint8_t bits = (uint8_t)((sample->preceding ? SAMPLE_LEAD_IN : 0) |
				 (sample->starts ? SAMPLE_STARTS : 0) |
				 (as_before ? SAMPLE_AS_BEFORE : 0) |
				 (sample->owners != NULL ? SAMPLE_OWNERS : 0));

	code_sample(c, &copy, &bits, &n);
	put_values(&c->w, sample, as_before);
	if (sample->owners != NULL)
		put_sample(c, sample->owners, false);
}

bool
wire_put_series(struct wire_writer *writer, const struct pmon_schema *schema)
{
	for (; writer->n_series < pmon_schema_count(schema); writer->n_series++)
		if (!put_one(writer, pmon_schema_at(schema, writer->n_series)))
			return false;
	return true;
}

bool
wire_put_sample(struct wire_writer *writer, const struct pmon_schema *schema,
		const struct pmon_sample *sample)
{
	bool as_before = is_as_before(writer, sample);
	size_t n = sample->n + (sample->owners != NULL ? sample->owners->n : 0);
	struct codec c;

	if (!wire_put_series(writer, schema))
		return false;
	c = begin(writer, KIND_SAMPLE, n * (ID_BYTES + RAW_BYTES));
	put_sample(&c, sample, as_before);
	return (as_before || keep_ids(writer, sample)) && finish(writer, &c);
}

void
wire_free(struct wire_writer *writer)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(NULL);

	pmon_mem_free(allocator, writer->bytes, writer->cap);
	pmon_mem_free(allocator, writer->ids, writer->cap_ids * sizeof(*writer->ids));
	*writer = (struct wire_writer){.n = 0};
}
