// blg_trip.c - write a source as a BLG and read it back
// SPDX-License-Identifier: MIT

#include "blg_trip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "folder.h"
#include "lines.h"
#include "t.h"

#include "format/blg/write.h"

char trip_path[64];

// ---- A source ---------------------------------------------------------------------------------

struct mem_source *
trip_new(void)
{
	struct mem_source *m = mem_source_new();

	m->base.info.log_start = PMON_TIME_NONE;
	m->base.info.log_end = PMON_TIME_NONE;
	return m;
}

uint32_t
trip_parts(struct mem_source *m, const struct pmon_path *p, uint32_t type, bool wildcard)
{
	struct pmon_counter counter = {.type = type, .time_base = 1000, .default_scale = -2};
	uint32_t id;

	if (type == RAWCOUNT || type == DOUBLE_RAW)
		counter.time_base = 0;
	if (type == TIMER_100N)
		counter.time_base = PMON_TIME_PER_SEC;
	id = mem_source_add(m, p, &counter);
	m->base.schema.list[id]->wildcard = wildcard;
	return id;
}

uint32_t
trip_series(struct mem_source *m, const char *text, uint32_t type, bool wildcard)
{
	struct pmon_path p;

	assert_true(pmon_path_parse(t_span(text), &p, NULL));
	return trip_parts(m, &p, type, wildcard);
}

void
trip_value(struct mem_source *m, uint32_t id, int64_t first)
{
	mem_source_raw(m, id, first, (m->samples[m->n - 1].time - T0) / 10000);
}

// ---- The log ------------------------------------------------------------------------------------

int
trip_setup(void **state)
{
	if (folder_make(state) != 0)
		return -1;
	(void)snprintf(trip_path, sizeof(trip_path), "%s/log.blg", folder);
	return 0;
}

int
trip_remove_log(void **state)
{
	(void)state;
	(void)unlink(trip_path);
	return 0;
}

struct pmon_sink *
create_log(void)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(trip_path, "blg", &options, &sink, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return sink;
}

void
write_log(struct pmon_source *source)
{
	struct pmon_sink *sink = create_log();
	struct pmon_err err;

	if (pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
}

static void
no_loss(void *ctx, const struct pmon_notice *notice)
{
	(void)ctx;
	if (notice->is_loss)
		fail_msg("%s", notice->text);
}

struct pmon_source *
open_log(const char *name)
{
	struct pmon_log_options options = {.size = sizeof(options), .notice = no_loss};
	struct pmon_source *source;
	struct pmon_err err;

	if (pmon_log_open(name, &options, &source, &err) != PMON_OK)
		fail_msg("%s: %s", name, err.msg);
	return source;
}

void
check_buffers(void)
{
	size_t len;
	char *text = t_read_file(trip_path, &len);
	const uint8_t *p = (const uint8_t *)text;

	assert_non_null(text);
	assert_int_equal(len % BLG_OUT_BUFFER, 0);
	T_EQ_U64(pmon_le32(p + 0x8C), len / BLG_OUT_BUFFER);
	assert_true(pmon_le64(p + 0x78) != 0);
	for (size_t at = 0, i = 0; at < len; at += BLG_OUT_BUFFER, i++) {
		uint32_t used = pmon_le32(p + at + 0x30);
		bool is_end = at == 0 || at + BLG_OUT_BUFFER == len;

		T_EQ_U64(pmon_le32(p + at), BLG_OUT_BUFFER);
		T_EQ_U64(pmon_le32(p + at + 4), used);
		T_EQ_U64(pmon_le64(p + at + 0x18), i);
		assert_true(used % 8 == 0 && used >= 0x48 && used <= BLG_OUT_BUFFER);
		T_EQ_U64(p[at + 0x34], (is_end ? 1u : 0u) | (i > 0 ? 0x20u : 0u));
		for (size_t k = used; k < BLG_OUT_BUFFER; k++)
			assert_int_equal(p[at + k], 0xFF);
	}
	free(text);
}

void
round_trip(struct pmon_source *source)
{
	struct pmon_source *back;
	struct lines a, b;

	write_log(source);
	check_buffers();
	back = open_log(trip_path);
	a = read_lines(source);
	b = read_lines(back);
	same_lines(&b, &a);
	a = read_statistics(source);
	b = read_statistics(back);
	same_lines(&b, &a);
	pmon_source_close(back);
	pmon_source_close(source);
}

void
values_of(size_t n, char *buf, size_t size)
{
	struct pmon_source *source = open_log(trip_path);
	const struct pmon_sample *s;
	struct pmon_err err;
	size_t at = 0;

	for (size_t i = 0; i <= n; i++)
		assert_int_equal(pmon_source_next(source, &s, &err), PMON_OK);
	buf[0] = '\0';
	for (size_t i = 0; i < s->n; i++)
		at += (size_t)snprintf(
			buf + at, size - at, "%s%s=%" PRId64, i > 0 ? " " : "",
			pmon_schema_at(pmon_source_schema(source), s->series[i])->name.ptr,
			s->raw[i].first);
	pmon_source_close(source);
}
