// wire_read.c - deserialize a source
// SPDX-License-Identifier: MIT

#include "shell/input/wire.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/time.h"
#include "shell/input/wire_frames.h"
#include "model/machine.h"
#include "model/source.h"

#define CHUNK_BYTES  ((size_t)128 << 10) // read at once
#define FRAME_BYTES  ((size_t)1 << 20)   // of a frame without samples, at most
#define PATH_BYTES   ((uint64_t)1 << 30) // of the paths of all series
#define SERIES       4000000             // the default of pmon_limits.series
#define FACTS        1000                // the most changes of the texts in the info
#define NOTICE_BYTES 512                 // of the text of a notice; longer ones are truncated

// The values of a sample. seen marks the series of the newest sample with its number.
struct values {
	uint32_t *ids;
	struct pmon_raw *raw;
	uint64_t *seen;
	size_t n;
	size_t cap_ids;
	size_t cap_raw;
	size_t cap_seen;
	size_t n_seen;
	uint64_t number;
};

struct wire_source {
	struct pmon_source base;
	struct wire_options options;
	const struct pmon_allocator *allocator;
	uint8_t *bytes; // bytes from begin to end have not been consumed
	size_t cap;
	size_t begin;
	size_t end;
	uint64_t origin;         // offset of bytes in the stream
	struct pmon_arena texts; // of the info
	struct pmon_machines machines;
	size_t n_texts;
	bool has_info;
	struct pmon_host host;
	uint8_t zone[ZONE_BYTES];
	uint64_t path_bytes;
	struct values values;
	struct values owning;
	struct pmon_sample sample;
	struct pmon_sample owners;
	bool has_ended;          // the last frame has come
	enum pmon_status status; // the final status; PMON_OK before
	struct pmon_err err;
};

// Readers of the old text may still be using it.
static void
take_fact(struct wire_source *s, struct pmon_rd *r, struct pmon_span text, const char **fact)
{
	if (text.ptr == NULL)
		text = (struct pmon_span){"", 0};
	if (strlen(*fact) == text.len && memcmp(*fact, text.ptr, text.len) == 0)
		return;
	if (s->n_texts++ >= FACTS)
		pmon_rd_fail(r);
	else if (pmon_arena_copy(&s->texts, text, &text))
		*fact = text.ptr;
	else
		s->status = PMON_E_NOMEM;
}

// Set only once.
static void
take_host(struct wire_source *s, const struct facts *f)
{
	s->host = f->host;
	s->host.zone_info = NULL;
	if (f->zone_info.len == ZONE_BYTES)
		s->host.zone_info = memcpy(s->zone, f->zone_info.ptr, ZONE_BYTES);
	s->base.info.host = f->has_host ? &s->host : NULL;
}

// Set only once.
static void
take_machines(struct wire_source *s, struct codec *c, uint32_t n)
{
	struct pmon_span name;
	struct pmon_span id;

	for (uint32_t i = 0; i < n && pmon_rd_ok(&c->r); i++) {
		code_machine(c, &name, &id);
		if (pmon_rd_ok(&c->r) && !s->has_info && !pmon_machines_add(&s->machines, name, id))
			s->status = PMON_E_NOMEM;
	}
	pmon_machines_give(&s->machines, &s->base.info);
}

static bool
is_time(pmon_time time)
{
	return time == PMON_TIME_NONE || pmon_time_is_sane(time);
}

static void
take_info(struct wire_source *s, struct codec *c)
{
	struct facts f = {.info = s->base.info}; // with the texts
	struct pmon_source_info *info = &s->base.info;

	code_facts(c, &f);
	if (!is_time(f.info.log_start) || !is_time(f.info.log_end))
		pmon_rd_fail(&c->r);
	if (!pmon_rd_ok(&c->r))
		return;
	*info = f.info;
	take_fact(s, &c->r, f.format, &info->format);
	take_fact(s, &c->r, f.writer, &info->writer);
	take_fact(s, &c->r, f.converter, &info->converter);
	take_fact(s, &c->r, f.machine, &info->machine);
	take_fact(s, &c->r, f.zone, &info->zone);
	take_machines(s, c, f.n_machines);
	if (!s->has_info)
		take_host(s, &f);
	s->has_info = true;
	*s->options.bits = f.bits;
}

static void
take_notice(struct wire_source *s, struct codec *c)
{
	struct pmon_notice notice = {.length = 0};
	struct pmon_span span = {NULL, 0};
	char text[NOTICE_BYTES];
	size_t len;

	code_notice(c, &notice, &span);
	len = span.len < sizeof(text) ? span.len : sizeof(text) - 1;
	if (len > 0)
		memcpy(text, span.ptr, len);
	text[len] = '\0';
	notice.text = text;
	if (pmon_rd_ok(&c->r) && s->options.notice != NULL)
		s->options.notice(s->options.notice_ctx, &notice);
}

static void
take_end(struct wire_source *s, struct codec *c)
{
	struct pmon_err err = {.sys = 0};
	struct pmon_span text = {NULL, 0};
	uint8_t status = 0;

	code_end(c, &status, &err, &text);
	if (status < PMON_END || status > PMON_E_EXISTS || text.len >= sizeof(err.msg))
		pmon_rd_fail(&c->r);
	if (!pmon_rd_ok(&c->r))
		return;
	s->status = pmon_err_set(&s->err, (enum pmon_status)status, err.offset, "%.*s",
				 (int)text.len, text.ptr != NULL ? text.ptr : "");
	s->err.sys = err.sys;
}

static void
take_series(struct wire_source *s, struct codec *c)
{
	struct pmon_series series = {.id = 0};
	struct pmon_path other = {.index = 0};
	bool is_logged = false;
	uint32_t id;

	code_series(c, &series, &other, &is_logged);
	if (other.object.ptr != NULL)
		*(is_logged ? &series.logged : &series.english) = &other;
	s->path_bytes += c->r.len;
	if (s->path_bytes > PATH_BYTES || s->base.schema.n >= SERIES ||
	    series.path.object.ptr == NULL || series.path.counter.ptr == NULL)
		pmon_rd_fail(&c->r);
	if (pmon_rd_ok(&c->r))
		s->status = pmon_schema_copy(&s->base.schema, &series, &id);
}

static bool
make_room(struct wire_source *s, struct values *v, size_t n)
{
	size_t n_series = s->base.schema.n;

	if (!pmon_mem_grow(s->allocator, &v->ids, &v->cap_ids, n, sizeof(*v->ids)) ||
	    !pmon_mem_grow(s->allocator, &v->raw, &v->cap_raw, n, sizeof(*v->raw)) ||
	    !pmon_mem_grow(s->allocator, &v->seen, &v->cap_seen, n_series, sizeof(*v->seen)))
		return false;
	for (; v->n_seen < n_series; v->n_seen++)
		v->seen[v->n_seen] = 0;
	return true;
}

// Check that each series is in the schema, and only once in the sample.
static void
get_ids(struct wire_source *s, struct pmon_rd *r, struct values *v, size_t n)
{
	const uint8_t *p = pmon_rd_bytes(r, n * ID_BYTES);

	v->number++;
	v->n = n;
	for (size_t i = 0; p != NULL && i < n; i++, p += ID_BYTES) {
		v->ids[i] = pmon_le32(p);
		if (v->ids[i] >= s->base.schema.n || v->seen[v->ids[i]] == v->number) {
			pmon_rd_fail(r);
			return;
		}
		v->seen[v->ids[i]] = v->number;
	}
}

static void
get_raws(struct pmon_rd *r, struct values *v)
{
	const uint8_t *p = pmon_rd_bytes(r, v->n * RAW_BYTES);

	for (size_t i = 0; p != NULL && i < v->n; i++, p += RAW_BYTES) {
		v->raw[i] = (struct pmon_raw){.status = pmon_le32(p),
					      .multi = pmon_le32(p + 4),
					      .time = (pmon_time)pmon_le64(p + 8),
					      .first = (int64_t)pmon_le64(p + 16),
					      .second = (int64_t)pmon_le64(p + 24)};
		if (!is_time(v->raw[i].time)) {
			pmon_rd_fail(r);
			return;
		}
	}
}

// Returns whether another one follows.
static bool
get_sample(struct wire_source *s, struct codec *c, struct values *v, struct pmon_sample *out)
{
	uint8_t bits = 0;
	uint32_t n = 0;
	bool as_before;

	*out = (struct pmon_sample){.n = 0};
	code_sample(c, out, &bits, &n);
	as_before = (bits & SAMPLE_AS_BEFORE) != 0;
	if (!pmon_time_is_sane(out->time) || n > s->base.schema.n || (as_before && n != v->n))
		pmon_rd_fail(&c->r);
	if (!pmon_rd_ok(&c->r))
		return false;
	if (!make_room(s, v, n)) {
		s->status = PMON_E_NOMEM;
		return false;
	}
	if (!as_before)
		get_ids(s, &c->r, v, n);
	get_raws(&c->r, v);
	out->preceding = (bits & SAMPLE_LEAD_IN) != 0;
	out->starts = (bits & SAMPLE_STARTS) != 0;
	out->n = n;
	out->series = v->ids;
	out->raw = v->raw;
	return (bits & SAMPLE_OWNERS) != 0;
}

static void
take_sample(struct wire_source *s, struct codec *c)
{
	if (!get_sample(s, c, &s->values, &s->sample))
		return;
	if (get_sample(s, c, &s->owning, &s->owners))
		pmon_rd_fail(&c->r);
	s->sample.owners = &s->owners;
}

// ---- The stream -----------------------------------------------------------------------------

static void
tell_end(struct wire_source *s, const struct pmon_err *err)
{
	if (!s->has_ended)
		s->options.ended(s->options.ctx, err);
	s->has_ended = true;
}

// Read until at least `need` bytes are available.
static enum pmon_status
fill(struct wire_source *s, size_t need)
{
	enum pmon_status status = PMON_OK;
	size_t n = s->end - s->begin;

	if (n >= need)
		return PMON_OK;
	if (n > 0)
		memmove(s->bytes, s->bytes + s->begin, n);
	s->origin += s->begin;
	s->begin = 0;
	s->end = n;
	if (!pmon_mem_grow(s->allocator, &s->bytes, &s->cap,
			   need > CHUNK_BYTES ? need : CHUNK_BYTES, 1))
		return pmon_err_nomem(&s->err);
	while (status == PMON_OK && s->end < need) {
		size_t got = 0;

		status = s->options.read(s->options.ctx, s->bytes + s->end, s->cap - s->end, &got,
					 &s->err);
		s->end += got;
	}
	return status;
}

// The longest valid frame: none contains a series twice.
static size_t
longest(const struct wire_source *s, enum kind kind)
{
	return FRAME_BYTES +
	       (kind == KIND_SAMPLE ? 2 * s->base.schema.n * (ID_BYTES + RAW_BYTES) : 0);
}

static enum pmon_status
refuse(struct wire_source *s, uint64_t offset)
{
	return pmon_err_set(&s->err, PMON_E_FORMAT, 0,
			    "the process that reads the log sent invalid data (byte %llu)",
			    (unsigned long long)offset);
}

static void
take(struct wire_source *s, enum kind kind, struct codec *c)
{
	if (kind == KIND_INFO)
		take_info(s, c);
	else if (kind == KIND_NOTICE)
		take_notice(s, c);
	else if (kind == KIND_SERIES)
		take_series(s, c);
	else if (kind == KIND_SAMPLE && s->has_info)
		take_sample(s, c);
	else if (kind == KIND_END && s->has_info)
		take_end(s, c);
	else
		pmon_rd_fail(&c->r);
}

// Take the next frame.
static enum pmon_status
next_frame(struct wire_source *s, enum kind *kind)
{
	enum pmon_status status = fill(s, HEAD_BYTES);
	struct codec c = {.writes = false};
	size_t len;

	if (status != PMON_OK)
		return status;
	*kind = (enum kind)s->bytes[s->begin];
	len = pmon_le32(s->bytes + s->begin + 1);
	if (len > longest(s, *kind))
		return refuse(s, s->origin + s->begin);
	status = fill(s, HEAD_BYTES + len);
	if (status != PMON_OK)
		return status;
	s->begin += HEAD_BYTES;
	c.r = pmon_rd_init(s->bytes + s->begin, len, s->origin + s->begin);
	take(s, *kind, &c);
	s->begin += len;
	if (s->status != PMON_OK && *kind != KIND_END)
		return pmon_err_nomem(&s->err); // the rest of the frame was not read
	if (!pmon_rd_ok(&c.r) || pmon_rd_left(&c.r) > 0)
		return refuse(s, pmon_rd_ok(&c.r) ? pmon_rd_offset(&c.r) : c.r.fail_at);
	if (s->status == PMON_OK)
		return PMON_OK;
	tell_end(s, NULL);
	return s->status;
}

static enum pmon_status
wire_next(struct pmon_source *source, const struct pmon_sample **sample, struct pmon_err *err)
{
	struct wire_source *s = (struct wire_source *)source;
	enum kind kind = KIND_INFO;

	while (s->status == PMON_OK && kind != KIND_SAMPLE)
		s->status = next_frame(s, &kind);
	if (s->status == PMON_OK) {
		*sample = &s->sample;
		return PMON_OK;
	}
	tell_end(s, &s->err);
	if (err != NULL)
		*err = s->err;
	return s->status;
}

static enum pmon_status
wire_rewind(struct pmon_source *source, struct pmon_err *err)
{
	(void)source;
	return pmon_err_set(err, PMON_E_STATE, 0, "it can be read only once");
}

static void
free_values(const struct pmon_allocator *allocator, struct values *v)
{
	pmon_mem_free(allocator, v->ids, v->cap_ids * sizeof(*v->ids));
	pmon_mem_free(allocator, v->raw, v->cap_raw * sizeof(*v->raw));
	pmon_mem_free(allocator, v->seen, v->cap_seen * sizeof(*v->seen));
}

static void
wire_close(struct pmon_source *source)
{
	struct wire_source *s = (struct wire_source *)source;

	tell_end(s, NULL);
	free_values(s->allocator, &s->values);
	free_values(s->allocator, &s->owning);
	pmon_schema_free(&s->base.schema);
	pmon_arena_free(&s->texts);
	pmon_mem_free(s->allocator, s->bytes, s->cap);
	pmon_mem_free(s->allocator, s, sizeof(*s));
}

static const struct pmon_source_ops wire_ops = {wire_next, wire_rewind, wire_close};

enum pmon_status
wire_open(const struct wire_options *options, struct pmon_source **out, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct wire_source *s = pmon_mem_alloc0(allocator, sizeof(*s));
	enum pmon_status status = PMON_OK;
	enum kind kind;

	*out = NULL;
	if (s == NULL) {
		options->ended(options->ctx, NULL);
		return pmon_err_nomem(err);
	}
	s->options = *options;
	s->allocator = allocator;
	s->base.ops = &wire_ops;
	s->base.info.format = s->base.info.writer = s->base.info.converter = "";
	s->base.info.machine = s->base.info.zone = "";
	pmon_schema_init(&s->base.schema, s->allocator);
	pmon_arena_init(&s->texts, s->allocator);
	s->machines.arena = &s->texts;
	while (status == PMON_OK && !s->has_info)
		status = next_frame(s, &kind);
	if (status == PMON_OK) {
		*out = &s->base;
		return PMON_OK;
	}
	tell_end(s, &s->err);
	if (err != NULL)
		*err = s->err;
	wire_close(&s->base);
	return status;
}
