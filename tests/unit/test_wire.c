// test_wire.c - a source that went through bytes is the source; bytes that are no source are refused
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include <pmon/pmon.h>

#include "base/mem.h"
#include "base/time.h"
#include "base/wr.h"
#include "shell/input/wire.h"
#include "memsource.h"
#include "odd_log.h"

#define START INT64_C(133485408000000000) // 2024-01-01
#define BITS  0x80000001u
#define SEEDS 60

// ---- Bytes that are read --------------------------------------------------------------------

struct feed {
	const uint8_t *bytes;
	size_t n;
	size_t at;
	size_t step; // so many at once
	uint32_t bits;
	size_t n_notices;
	struct pmon_notice notice;
	char text[1024]; // of the notice
	int n_ended;
	bool died;
	const struct pmon_allocator *allocator;
};

static enum pmon_status
feed_read(void *ctx, uint8_t *bytes, size_t size, size_t *got, struct pmon_err *err)
{
	struct feed *f = ctx;
	size_t n = f->n - f->at;

	n = n < size ? n : size;
	n = n < f->step ? n : f->step;
	*got = n;
	if (n == 0) {
		*err = (struct pmon_err){.status = PMON_E_IO};
		strcpy(err->msg, "cut");
		return PMON_E_IO;
	}
	memcpy(bytes, f->bytes + f->at, n);
	f->at += n;
	return PMON_OK;
}

static void
feed_ended(void *ctx, const struct pmon_err *err)
{
	struct feed *f = ctx;

	f->n_ended++;
	f->died = err != NULL;
}

static void
feed_notice(void *ctx, const struct pmon_notice *notice)
{
	struct feed *f = ctx;

	f->n_notices++;
	f->notice = *notice;
	(void)snprintf(f->text, sizeof(f->text), "%s", notice->text);
}

static enum pmon_status
open_feed(struct feed *f, struct pmon_source **out, struct pmon_err *err)
{
	struct wire_options options = {feed_read, feed_ended, f,           feed_notice,
				       f,         &f->bits,   f->allocator};

	return wire_open(&options, out, err);
}

// ---- Comparisons ----------------------------------------------------------------------------

static void
same_text(struct pmon_span a, struct pmon_span b)
{
	assert_int_equal(a.ptr == NULL, b.ptr == NULL);
	T_EQ_U64(a.len, b.len);
	if (a.len > 0)
		assert_memory_equal(a.ptr, b.ptr, a.len);
}

static void
same_series(const struct pmon_series *a, const struct pmon_series *b)
{
	same_text(a->path.machine, b->path.machine);
	same_text(a->path.object, b->path.object);
	same_text(a->path.parent, b->path.parent);
	same_text(a->path.instance, b->path.instance);
	same_text(a->path.counter, b->path.counter);
	same_text(a->name, b->name);
	T_EQ_I64(a->path.index, b->path.index);
	T_EQ_U64(a->counter.type, b->counter.type);
	T_EQ_U64(a->counter.size_bytes, b->counter.size_bytes);
	T_EQ_I64(a->counter.default_scale, b->counter.default_scale);
	T_EQ_I64(a->counter.time_base, b->counter.time_base);
	assert_int_equal(a->wildcard, b->wildcard);
	assert_int_equal(a->formatted, b->formatted);
	assert_int_equal(a->type_known, b->type_known);
	T_EQ_U64(a->known_type, b->known_type);
	T_EQ_U64(a->id, b->id);
	T_EQ_U64(a->source, b->source);
	T_EQ_U64(a->order, b->order);
	assert_int_equal(a->of_process, b->of_process);
	T_EQ_I64(a->process_id, b->process_id);
	T_EQ_I64(a->thread_id, b->thread_id);
}

static void
same_sample(const struct pmon_sample *a, const struct pmon_sample *b)
{
	T_EQ_I64(a->time, b->time);
	T_EQ_I64(a->utc_offset_min, b->utc_offset_min);
	T_EQ_U64(a->stream, b->stream);
	T_EQ_U64(a->ordinal, b->ordinal);
	assert_int_equal(a->preceding, b->preceding);
	assert_int_equal(a->starts, b->starts);
	T_EQ_U64(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		T_EQ_U64(a->series[i], b->series[i]);
		T_EQ_U64(a->raw[i].status, b->raw[i].status);
		T_EQ_U64(a->raw[i].multi, b->raw[i].multi);
		T_EQ_I64(a->raw[i].time, b->raw[i].time);
		T_EQ_I64(a->raw[i].first, b->raw[i].first);
		T_EQ_I64(a->raw[i].second, b->raw[i].second);
	}
	assert_int_equal(a->owners == NULL, b->owners == NULL);
	if (a->owners != NULL)
		same_sample(a->owners, b->owners);
}

static void
same_schema(const struct pmon_schema *a, const struct pmon_schema *b)
{
	T_EQ_U64(pmon_schema_count(a), pmon_schema_count(b));
	for (size_t i = 0; i < pmon_schema_count(a); i++)
		same_series(pmon_schema_at(a, i), pmon_schema_at(b, i));
}

static void
same_info(const struct pmon_source_info *a, const struct pmon_source_info *b)
{
	T_EQ_STR(a->format, b->format);
	T_EQ_STR(a->writer, b->writer);
	T_EQ_STR(a->converter, b->converter);
	assert_int_equal(a->n_machines, b->n_machines);
	for (size_t i = 0; i < a->n_machines; i++) {
		T_EQ_STR(a->machines[i].name, b->machines[i].name);
		T_EQ_STR(a->machines[i].id, b->machines[i].id);
	}
	T_EQ_STR(a->machine, b->machine);
	T_EQ_STR(a->zone, b->zone);
	assert_int_equal(a->live, b->live);
	assert_int_equal(a->sampled_by_pmon, b->sampled_by_pmon);
	assert_int_equal(a->lists_series, b->lists_series);
	T_EQ_I64(a->utc_offset_min, b->utc_offset_min);
	T_EQ_I64(a->log_start, b->log_start);
	T_EQ_I64(a->log_end, b->log_end);
	T_EQ_U64(a->size_bytes, b->size_bytes);
	T_EQ_U64(a->bytes_read, b->bytes_read);
	T_EQ_U64(a->records_unknown, b->records_unknown);
	T_EQ_U64(a->losses, b->losses);
	T_EQ_U64(a->bytes_lost, b->bytes_lost);
	assert_int_equal(a->host == NULL, b->host == NULL);
	if (a->host == NULL)
		return;
	T_EQ_U64(a->host->cpu_mhz, b->host->cpu_mhz);
	T_EQ_I64(a->host->boot, b->host->boot);
	T_EQ_I64(a->host->perf_freq, b->host->perf_freq);
	assert_int_equal(a->host->zone_info == NULL, b->host->zone_info == NULL);
	if (a->host->zone_info != NULL)
		assert_memory_equal(a->host->zone_info, b->host->zone_info, 172);
}

// ---- All that can be sent -------------------------------------------------------------------

static void
put_all(struct wire_writer *w, struct pmon_source *source)
{
	const struct pmon_sample *sample;
	struct pmon_err err = {.status = PMON_OK};
	enum pmon_status status;

	assert_true(wire_put_info(w, pmon_source_info(source), BITS));
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
		assert_true(wire_put_sample(w, pmon_source_schema(source), sample));
	assert_true(wire_put_info(w, pmon_source_info(source), BITS));
	assert_true(wire_put_end(w, status, &err));
}

static void
same_sources(struct pmon_source *a, struct pmon_source *b)
{
	const struct pmon_sample *x;
	const struct pmon_sample *y;
	enum pmon_status status;

	while ((status = pmon_source_next(a, &x, NULL)) == PMON_OK) {
		assert_int_equal(pmon_source_next(b, &y, NULL), PMON_OK);
		same_sample(x, y);
	}
	assert_int_equal(pmon_source_next(b, &y, NULL), status);
	same_schema(pmon_source_schema(a), pmon_source_schema(b));
	same_info(pmon_source_info(a), pmon_source_info(b));
}

static void
same_after_trip(struct pmon_source *sent, struct pmon_source *again, size_t step)
{
	struct wire_writer w = {.n = 0};
	struct feed f = {.step = step};
	struct pmon_source *source;
	const struct pmon_sample *sample;

	put_all(&w, sent);
	f.bytes = w.bytes;
	f.n = w.n;
	assert_int_equal(open_feed(&f, &source, NULL), PMON_OK);
	same_sources(again, source);
	T_EQ_U64(f.bits, BITS);
	assert_int_equal(f.n_ended, 1);
	assert_false(f.died);
	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_END);
	assert_int_equal(pmon_source_rewind(source, NULL), PMON_E_STATE);
	pmon_source_close(source);
	assert_int_equal(f.n_ended, 1);
	wire_free(&w);
}

// Every field has a unique value; those with bounds are at one of them.
static struct pmon_source_info
all_facts(void)
{
	static uint8_t zone[172];
	static const struct pmon_machine machines[] = {
		{"M\xFF", "c54036b723af49078c8ccadd03b47807"},
		{"N", "0b50dfd1eec44ec68708840245ef60f4"}};
	static struct pmon_host host = {.cpu_mhz = 0xF0000001u, .boot = 7, .perf_freq = INT64_MAX};

	for (size_t i = 0; i < sizeof(zone); i++)
		zone[i] = (uint8_t)i;
	host.zone_info = zone;
	return (struct pmon_source_info){.format = "F",
					 .live = true,
					 .writer = "W\xFF",
					 .converter = "",
					 .machine = "M",
					 .machines = machines,
					 .n_machines = 2,
					 .zone = "Z",
					 .utc_offset_min = INT32_MIN,
					 .log_start = PMON_TIME_EARLIEST,
					 .log_end = PMON_TIME_LATEST - 1,
					 .host = &host,
					 .size_bytes = UINT64_MAX,
					 .lists_series = true,
					 .bytes_read = 1,
					 .records_unknown = 2,
					 .losses = 3,
					 .bytes_lost = 4};
}

// A source with the same property.
static struct mem_source *
everything(void)
{
	static uint32_t owned[] = {1};
	static struct pmon_raw owner[] = {
		{.status = PMON_RAW_OWNER, .multi = 15, .time = START, .first = 77, .second = 78}};
	static struct pmon_sample owners = {.time = START, .n = 1, .series = owned, .raw = owner};
	struct mem_source *m = mem_source_new();
	struct pmon_path path = {.object = PMON_SPAN(""),
				 .instance = PMON_SPAN("a\"\xC3\xA4\n"),
				 .index = -3,
				 .counter = PMON_SPAN("c)")};
	struct pmon_counter counter = {0xFFFFFFFFu, 0xFE, -7, INT64_MIN};
	struct pmon_raw raw = {PMON_RAW_NEW, 0xFFFFFFFEu, PMON_TIME_NONE, INT64_MIN, INT64_MAX};
	struct pmon_series *series;

	m->base.info = all_facts();
	(void)mem_source_add(m, &path, &counter);
	path.machine = PMON_SPAN("m");
	path.parent = PMON_SPAN("");
	(void)mem_source_add(m, &path, &counter);
	(void)mem_source_series(m, "\\A(*)\\c", PMON_PERF_COUNTER_COUNTER, 1);
	series = m->base.schema.list[1];
	series->wildcard = series->formatted = series->of_process = true;
	series->source = 5;
	series->order = UINT64_MAX;
	series->process_id = -1;
	series->thread_id = INT64_MAX;
	series = m->base.schema.list[2];
	series->type_known = true;
	series->known_type = 0x10410400;
	mem_source_sample_of(m, PMON_TIME_EARLIEST, -1, 3);
	mem_source_put(m, 2, &raw);
	mem_source_raw(m, 0, -1, 1);
	m->samples[m->n - 1].starts = m->samples[m->n - 1].preceding = true;
	mem_source_sample_of(m, PMON_TIME_LATEST - 1, INT32_MAX, 1); // the same series
	mem_source_bad(m, 2, 0xC0000BBAu);
	mem_source_bad(m, 0, 0xFFFFFFFFu);
	m->samples[m->n - 1].owners = &owners;
	m->samples[m->n - 1].ordinal = UINT64_MAX;
	mem_source_sample(m, START); // of nothing
	mem_source_sample(m, START); // others, in another order
	mem_source_raw(m, 0, 1, 2);
	mem_source_raw(m, 1, 1, 2);
	mem_source_raw(m, 2, 1, 2);
	return m;
}

static void
round_trip(void **state)
{
	(void)state;
	for (size_t step = 1; step < 2000; step = step * 3 + 1) {
		struct pmon_source *sent = mem_source_open(everything());
		struct pmon_source *again = mem_source_open(everything());

		same_after_trip(sent, again, step);
		pmon_source_close(sent);
		pmon_source_close(again);
	}
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct pmon_source *sent = odd_log(seed);
		struct pmon_source *again = odd_log(seed);

		same_after_trip(sent, again, 100000);
		pmon_source_close(sent);
		pmon_source_close(again);
	}
}

// Series that appear later are sent when they appear.
static void
growing(void **state)
{
	struct mem_source *m = mem_source_new();
	struct wire_writer w = {.n = 0};
	struct feed f = {.step = SIZE_MAX};
	struct pmon_source *source;
	const struct pmon_sample *sample;

	(void)state;
	assert_true(wire_put_info(&w, &m->base.info, 0));
	for (size_t i = 0; i < 300; i++) {
		char path[32];

		(void)snprintf(path, sizeof(path), "\\A(%zu)\\b", i);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_COUNTER, 1);
		mem_source_sample(m, START + (pmon_time)i);
		mem_source_raw(m, (uint32_t)i, (int64_t)i, 0);
		assert_int_equal(pmon_source_next(&m->base, &sample, NULL), PMON_OK);
		assert_true(wire_put_sample(&w, &m->base.schema, sample));
	}
	f.bytes = w.bytes;
	f.n = w.n;
	assert_int_equal(open_feed(&f, &source, NULL), PMON_OK);
	for (size_t i = 0; i < 300; i++) {
		T_EQ_U64(pmon_schema_count(pmon_source_schema(source)), i);
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		T_EQ_U64(sample->series[0], i);
	}
	same_schema(&m->base.schema, pmon_source_schema(source));
	pmon_source_close(source); // before its end
	assert_int_equal(f.n_ended, 1);
	assert_false(f.died);
	pmon_source_close(&m->base);
	wire_free(&w);
}

// A log of counters without samples.
static void
series_alone(void **state)
{
	struct mem_source *m = everything();
	struct wire_writer w = {.n = 0};
	struct feed f = {.step = SIZE_MAX};
	struct pmon_source *source;

	(void)state;
	assert_true(wire_put_series(&w, &m->base.schema));
	assert_true(wire_put_info(&w, &m->base.info, 0));
	f.bytes = w.bytes;
	f.n = w.n;
	assert_int_equal(open_feed(&f, &source, NULL), PMON_OK);
	same_schema(&m->base.schema, pmon_source_schema(source));
	pmon_source_close(source);
	pmon_source_close(&m->base);
	wire_free(&w);
}

static void
notices_and_failures(void **state)
{
	struct mem_source *m = everything();
	struct pmon_notice notice = {true, 1, UINT64_MAX, "12 bytes are no record"};
	struct pmon_err failed = {.status = PMON_E_FORMAT, .sys = 5, .offset = 6, .msg = "no log"};
	struct wire_writer w = {.n = 0};
	struct feed f = {.step = 7};
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err;

	(void)state;
	assert_true(wire_put_notice(&w, &notice)); // while the log is opened
	assert_true(wire_put_info(&w, &m->base.info, 0));
	notice.is_loss = false;
	assert_true(wire_put_notice(&w, &notice));
	assert_true(wire_put_end(&w, PMON_E_FORMAT, &failed));
	f.bytes = w.bytes;
	f.n = w.n;
	assert_int_equal(open_feed(&f, &source, NULL), PMON_OK);
	T_EQ_U64(f.n_notices, 1);
	assert_true(f.notice.is_loss);
	T_EQ_U64(f.notice.offset, 1);
	T_EQ_U64(f.notice.length, UINT64_MAX);
	T_EQ_STR(f.text, notice.text);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_source_next(source, &sample, &err), PMON_E_FORMAT);
		assert_int_equal(err.status, PMON_E_FORMAT);
		T_EQ_I64(err.sys, 5);
		T_EQ_U64(err.offset, 6);
		T_EQ_STR(err.msg, "no log");
	}
	T_EQ_U64(f.n_notices, 2);
	assert_false(f.notice.is_loss);
	assert_false(f.died); // the log failed, not who reads it
	pmon_source_close(source);
	pmon_source_close(&m->base);
	wire_free(&w);
}

// ---- Bytes that are no source ---------------------------------------------------------------

// Reads any bytes. Whatever is delivered must be valid for a source. Returns the final status.
static enum pmon_status
read_any(struct feed *f, size_t *n_samples)
{
	struct pmon_source *source;
	const struct pmon_sample *sample;
	struct pmon_err err = {.msg = ""};
	enum pmon_status status = open_feed(f, &source, &err);

	*n_samples = 0;
	if (status != PMON_OK) {
		assert_null(source);
		assert_int_equal(f->n_ended, 1);
		return status;
	}
	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		size_t n_series = pmon_schema_count(pmon_source_schema(source));

		++*n_samples;
		assert_true(pmon_time_is_sane(sample->time));
		for (size_t i = 0; i < sample->n; i++)
			assert_true(sample->series[i] < n_series);
		assert_true(sample->n <= n_series);
	}
	assert_true(f->died == (strcmp(err.msg, "cut") == 0 || strstr(err.msg, "invalid data")));
	pmon_source_close(source);
	assert_int_equal(f->n_ended, 1);
	return status;
}

static void
put_everything(struct wire_writer *w)
{
	struct pmon_notice notice = {true, 1, 2, "lost"};
	struct pmon_source *source = mem_source_open(everything());

	assert_true(wire_put_notice(w, &notice));
	put_all(w, source);
	pmon_source_close(source);
}

static void
truncations(void **state)
{
	struct wire_writer w = {.n = 0};
	size_t n_samples;
	size_t most = 0;

	(void)state;
	put_everything(&w);
	for (size_t n = 0; n < w.n; n++) {
		struct feed f = {.bytes = w.bytes, .n = n, .step = SIZE_MAX};

		assert_int_equal(read_any(&f, &n_samples), PMON_E_IO);
		assert_true(n_samples >= most);
		most = n_samples;
	}
	T_EQ_U64(most, 4);
	wire_free(&w);
}

static void
bit_flips(void **state)
{
	struct wire_writer w = {.n = 0};
	size_t n_refused = 0;
	size_t n_samples;

	(void)state;
	put_everything(&w);
	for (size_t bit = 0; bit < 8 * w.n; bit++) {
		struct feed f = {.bytes = w.bytes, .n = w.n, .step = SIZE_MAX};

		w.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		n_refused += read_any(&f, &n_samples) != PMON_END;
		w.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	// Every bit of a frame's header, but not of values.
	assert_true(n_refused > w.n && n_refused < 8 * w.n);
	wire_free(&w);
}

// Bytes are changed, omitted, or repeated.
static void
random_damage(void **state)
{
	struct wire_writer w = {.n = 0};
	struct t_rand r = {.state = 1};
	uint8_t *bytes;
	size_t n_samples;

	(void)state;
	put_everything(&w);
	bytes = malloc(2 * w.n);
	assert_non_null(bytes);
	for (size_t i = t_runs("PMON_TEST_WIRES", 20000); i > 0; i--) {
		struct feed f = {.bytes = bytes, .n = w.n, .step = 1 + t_rand_below(&r, 400)};
		size_t from = t_rand_below(&r, w.n);
		size_t to = t_rand_below(&r, w.n);
		size_t n = t_rand_below(&r, w.n - (from > to ? from : to));

		memcpy(bytes, w.bytes, w.n);
		memmove(bytes + to, bytes + from, n);
		for (size_t k = t_rand_below(&r, 4); k > 0; k--)
			bytes[t_rand_below(&r, w.n)] = (uint8_t)t_rand_u64(&r);
		(void)read_any(&f, &n_samples);
	}
	free(bytes);
	wire_free(&w);
}

// ---- Frames that are wrong in one field -----------------------------------------------------

static void
refuses(struct wire_writer *w, size_t want)
{
	struct feed f = {.bytes = w->bytes, .n = w->n, .step = SIZE_MAX};
	size_t n_samples;

	assert_int_equal(read_any(&f, &n_samples), PMON_E_FORMAT);
	assert_true(f.died);
	T_EQ_U64(n_samples, want);
	wire_free(w);
}

// Two valid samples, then this one, from a writer that believes that the previous one had n_ids
// series.
static void
refuses_after(const struct pmon_sample *bad, size_t n_ids)
{
	struct pmon_source *source = mem_source_open(everything());
	struct wire_writer w = {.n = 0};
	const struct pmon_sample *sample;

	assert_true(wire_put_info(&w, pmon_source_info(source), 0));
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
		assert_true(wire_put_sample(&w, pmon_source_schema(source), sample));
	}
	for (size_t i = 0; i < n_ids; i++)
		w.ids[i] = bad->series[i];
	w.n_ids = n_ids;
	assert_true(wire_put_sample(&w, pmon_source_schema(source), bad));
	pmon_source_close(source);
	refuses(&w, 2);
}

static void
refuses_sample(const struct pmon_sample *bad)
{
	refuses_after(bad, 0);
}

static void
wrong_fields(void **state)
{
	uint32_t ids[] = {0, 1, 2, 0};
	struct pmon_raw raw[4] = {{.time = START}, {.time = START}, {.time = START}, {.time = 1}};
	struct pmon_sample good = {.time = START, .n = 3, .series = ids, .raw = raw};
	struct pmon_sample bad = good;
	struct pmon_sample owners = good;
	uint32_t unknown[] = {3};
	uint32_t twice[] = {1, 2, 1};
	struct wire_writer w = {.n = 0};
	struct mem_source *m = everything();

	(void)state;
	bad.time = PMON_TIME_LATEST;
	refuses_sample(&bad);
	bad.time = PMON_TIME_NONE;
	refuses_sample(&bad);
	bad = good;
	bad.series = twice;
	refuses_sample(&bad);
	bad.series = unknown;
	bad.n = 1;
	refuses_sample(&bad);
	bad = good;
	bad.raw = raw + 1;
	refuses_sample(&bad);
	bad = good;
	bad.n = 1; // the one before has two
	refuses_after(&bad, 1);
	bad = good;
	bad.owners = &owners; // of more than one level
	owners.owners = &good;
	refuses_sample(&bad);
	m->base.info.log_end = 1;
	assert_true(wire_put_info(&w, &m->base.info, 0));
	refuses(&w, 0);
	assert_true(wire_put_end(&w, PMON_END, &(struct pmon_err){.sys = 0})); // before the facts
	refuses(&w, 0);
	m->base.info.log_end = START;
	assert_true(wire_put_info(&w, &m->base.info, 0));
	pmon_put_le32(w.bytes + 1, (uint32_t)(++w.n - 5)); // a byte too many
	assert_true(wire_put_end(&w, PMON_END, &(struct pmon_err){.sys = 0}));
	refuses(&w, 0);
	assert_true(wire_put_info(&w, &m->base.info, 0));
	assert_true(wire_put_end(&w, PMON_OK, &(struct pmon_err){.sys = 0}));
	refuses(&w, 0);
	pmon_source_close(&m->base);
}

// A length is believed up to the longest frame that there can be.
static void
long_frames(void **state)
{
	static const uint32_t lengths[] = {(1u << 20) + 1, 1u << 24, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < T_LEN(lengths); i++)
		for (uint8_t kind = 0; kind < 7; kind++) {
			uint8_t head[5] = {kind};
			struct feed f = {.bytes = head, .n = sizeof(head), .step = SIZE_MAX};
			size_t n_samples;

			pmon_put_le32(head + 1, lengths[i]);
			assert_int_equal(read_any(&f, &n_samples), PMON_E_FORMAT);
		}
}

// Texts in facts that change with each frame are kept, but not forever.
static void
changing_facts(void **state)
{
	struct mem_source *m = mem_source_new();
	struct wire_writer w = {.n = 0};
	char machine[32];

	(void)state;
	for (int i = 0; i < 2000; i++) {
		(void)snprintf(machine, sizeof(machine), "M%d", i);
		m->base.info.machine = machine;
		assert_true(wire_put_info(&w, &m->base.info, 0));
	}
	refuses(&w, 0);
	m->base.info.machine = "";
	pmon_source_close(&m->base);
}

// Each allocation fails in turn: the message is of memory, not of the process that sends.
static void
short_memory(void **state)
{
	struct wire_writer w = {.n = 0};
	bool sufficed = false;

	(void)state;
	put_everything(&w);
	for (size_t n = 1; !sufficed; n++) {
		struct t_memory memory = {.fail_at = n};
		struct pmon_allocator allocator = t_memory_allocator(&memory);
		struct feed f = {
			.bytes = w.bytes, .n = w.n, .step = SIZE_MAX, .allocator = &allocator};
		struct pmon_source *source;
		const struct pmon_sample *sample;
		struct pmon_err err = {.msg = ""};
		enum pmon_status status = open_feed(&f, &source, &err);
		bool is_open = status == PMON_OK;

		while (status == PMON_OK)
			status = pmon_source_next(source, &sample, &err);
		if (is_open)
			pmon_source_close(source);
		T_EQ_U64(memory.live_blocks, 0);
		assert_int_equal(f.n_ended, 1);
		sufficed = t_memory_sufficed(&memory);
		if (sufficed)
			assert_int_equal(status, PMON_END);
		else
			T_EQ_STR(err.msg, "not enough memory");
	}
	wire_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),    cmocka_unit_test(growing),
		cmocka_unit_test(series_alone),  cmocka_unit_test(notices_and_failures),
		cmocka_unit_test(truncations),   cmocka_unit_test(bit_flips),
		cmocka_unit_test(random_damage), cmocka_unit_test(wrong_fields),
		cmocka_unit_test(long_frames),   cmocka_unit_test(changing_facts),
		cmocka_unit_test(short_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
