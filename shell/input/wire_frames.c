// wire_frames.c - the contents of frames (wire.h)
// SPDX-License-Identifier: MIT

#include "shell/input/wire_frames.h"

#define NO_TEXT UINT32_MAX // the length of {NULL, 0}

static void
code_u8(struct codec *c, uint8_t *n)
{
	if (c->writes)
		pmon_wr_u8(&c->w, *n);
	else
		*n = pmon_rd_u8(&c->r);
}

static void
code_flag(struct codec *c, bool *flag)
{
	uint8_t n = *flag;

	code_u8(c, &n);
	*flag = n != 0;
}

static void
code_u32(struct codec *c, uint32_t *n)
{
	if (c->writes)
		pmon_wr_u32(&c->w, *n);
	else
		*n = pmon_rd_u32(&c->r);
}

static void
code_i32(struct codec *c, int32_t *n)
{
	uint32_t bits = (uint32_t)*n;

	code_u32(c, &bits);
	*n = (int32_t)bits;
}

static void
code_u64(struct codec *c, uint64_t *n)
{
	if (c->writes)
		pmon_wr_u64(&c->w, *n);
	else
		*n = pmon_rd_u64(&c->r);
}

static void
code_i64(struct codec *c, int64_t *n)
{
	uint64_t bits = (uint64_t)*n;

	code_u64(c, &bits);
	*n = (int64_t)bits;
}

static void
code_text(struct codec *c, struct pmon_span *text)
{
	uint32_t len = text->ptr != NULL ? (uint32_t)text->len : NO_TEXT;

	code_u32(c, &len);
	if (c->writes && text->ptr != NULL)
		pmon_wr_copy(&c->w, text->ptr, text->len);
	if (c->writes)
		return;
	text->ptr = len != NO_TEXT ? (const char *)pmon_rd_bytes(&c->r, len) : NULL;
	text->len = text->ptr != NULL ? len : 0;
}

void
code_facts(struct codec *c, struct facts *f)
{
	code_u32(c, &f->bits);
	code_text(c, &f->format);
	code_text(c, &f->writer);
	code_text(c, &f->converter);
	code_text(c, &f->machine);
	code_text(c, &f->zone);
	code_flag(c, &f->info.live);
	code_flag(c, &f->info.sampled_by_pmon);
	code_flag(c, &f->info.lists_series);
	code_i32(c, &f->info.utc_offset_min);
	code_i64(c, &f->info.log_start);
	code_i64(c, &f->info.log_end);
	code_u64(c, &f->info.size_bytes);
	code_u64(c, &f->info.bytes_read);
	code_u64(c, &f->info.records_unknown);
	code_u64(c, &f->info.losses);
	code_u64(c, &f->info.bytes_lost);
	code_u64(c, &f->info.bytes_used);
	code_u64(c, &f->info.bytes_unused);
	code_u64(c, &f->info.bytes_damaged);
	code_flag(c, &f->has_host);
	code_u32(c, &f->host.cpu_mhz);
	code_i64(c, &f->host.boot);
	code_i64(c, &f->host.perf_freq);
	code_text(c, &f->zone_info);
	code_u32(c, &f->n_machines);
}

void
code_machine(struct codec *c, struct pmon_span *name, struct pmon_span *id)
{
	code_text(c, name);
	code_text(c, id);
}

void
code_series(struct codec *c, struct pmon_series *s, struct pmon_path *other, bool *is_logged)
{
	code_text(c, &s->path.machine);
	code_text(c, &s->path.object);
	code_text(c, &s->path.parent);
	code_text(c, &s->path.instance);
	code_i32(c, &s->path.index);
	code_text(c, &s->path.counter);
	code_u32(c, &s->counter.type);
	code_u8(c, &s->counter.size_bytes);
	code_i32(c, &s->counter.default_scale);
	code_i64(c, &s->counter.time_base);
	code_flag(c, &s->wildcard);
	code_flag(c, &s->formatted);
	code_flag(c, &s->type_known);
	code_flag(c, &s->type_inferred);
	code_u32(c, &s->known_type);
	code_text(c, &other->object);
	code_text(c, &other->counter);
	code_flag(c, &s->ambiguous);
	code_flag(c, is_logged);
	code_u32(c, &s->source);
	code_u64(c, &s->order);
	code_flag(c, &s->of_process);
	code_i64(c, &s->process_id);
	code_i64(c, &s->thread_id);
}

void
code_sample(struct codec *c, struct pmon_sample *sample, uint8_t *bits, uint32_t *n)
{
	code_u8(c, bits);
	code_i64(c, &sample->time);
	code_i32(c, &sample->utc_offset_min);
	code_u32(c, &sample->stream);
	code_u64(c, &sample->ordinal);
	code_u32(c, n);
}

void
code_notice(struct codec *c, struct pmon_notice *notice, struct pmon_span *text)
{
	code_flag(c, &notice->is_loss);
	code_u64(c, &notice->offset);
	code_u64(c, &notice->length);
	code_text(c, text);
}

void
code_end(struct codec *c, uint8_t *status, struct pmon_err *err, struct pmon_span *text)
{
	code_u8(c, status);
	code_i32(c, &err->sys);
	code_u64(c, &err->offset);
	code_text(c, text);
}
