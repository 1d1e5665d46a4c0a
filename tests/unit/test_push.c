// test_push.c - what all engines share: URLs, keys of series and rows, digests, ledgers
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "memsource.h"
#include "push/ledger.h"
#include "push/push.h"

#define T0     INT64_C(132223104000000000) // 2020-01-01 00:00:00
#define SECOND PMON_TIME_PER_SEC

// ---- URLs -----------------------------------------------------------------------------------

static void
test_url_parts(void **state)
{
	struct pmon_push_url url;

	(void)state;
	assert_int_equal(pmon_push_url_parse("clickhouse+https://b.example:8443/perf", &url, NULL),
			 PMON_OK);
	T_EQ_U64(url.tls, 1);
	T_EQ_STR(url.host, "b.example:8443");
	T_EQ_STR(url.path, "perf");
	assert_int_equal(pmon_push_url_parse("clickhouse+http://a", &url, NULL), PMON_OK);
	T_EQ_U64(url.tls, 0);
	T_EQ_STR(url.path, "");
}

static void
test_url_refused(void **state)
{
	static const char *const bad[] = {
		"clickhouse",
		"clickhouse+http:///perf",
		"clickhouse+http://a,b/perf",
		"clickhouse+http://a,/perf",
		"clickhouse+http://,a/perf",
		"clickhouse+http://a b/perf",
		"clickhouse+http://a\r\nX: y/perf",
		"clickhouse+http://user:secret@a/perf",
	};
	struct pmon_push_url url;
	struct pmon_err err;

	(void)state;
	for (size_t i = 0; i < T_LEN(bad); i++) {
		T_EQ_I64_AT(pmon_push_url_parse(bad[i], &url, &err), PMON_E_ARG, bad[i]);
		assert_null(strstr(err.msg, "secret"));
	}
}

static void
test_unknown_scheme(void **state)
{
	struct pmon_sink *sink;
	struct pmon_err err;

	(void)state;
	assert_int_equal(pmon_push_open("gopher://user:secret@a/b", NULL, &sink, &err), PMON_E_ARG);
	assert_null(sink);
	assert_null(strstr(err.msg, "secret"));
	for (size_t i = 0; pmon_push_scheme(i) != NULL; i++)
		assert_non_null(strstr(err.msg, pmon_push_scheme(i)));
}

// ---- Keys -----------------------------------------------------------------------------------

// The key of the first series of a log that has these.
static struct pmon_hash128
key_of(const char *path, uint32_t type, int64_t time_base)
{
	struct mem_source *m = mem_source_new();
	struct pmon_push_keys keys;
	struct pmon_source *source;
	struct pmon_hash128 key;

	(void)mem_source_series(m, path, type, time_base);
	source = mem_source_open(m);
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL, NULL);
	assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
	key = keys.list[0].key;
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
	return key;
}

static void
key_is(const char *path, uint32_t type, int64_t time_base, const char *digits)
{
	char text[PMON_HASH128_SIZE];

	pmon_hash128_print(key_of(path, type, time_base), text);
	T_EQ_STR(text, digits);
}

// From xxhsum 0.8.1 -H128 of the identities next to them: keys must never change.
static void
test_keys_are_permanent(void **state)
{
	(void)state;
	// srv, disk, p, c:, 1, reads/sec, 0x10410400, 10, 0, 0
	key_is("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410400, 10,
	       "af43047f6f95efe2f4c0231a3b0e4950");
	// (none), o, \N, \N, 0, a\u00e4\t\\\xFF, 0x00000001, -1, 0, 0: the last byte is not UTF-8
	key_is("\\O\\A\xC3\x84\t\\\xFF", 1, -1, "79a52baa0e2639d6b1091c905f1a2359");
}

static void
test_keys_of_series(void **state)
{
	struct pmon_hash128 key = key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410400, 10);
	static const char *const others[] = {
		"\\\\SRV2\\Disk(p/c:#1)\\Reads/sec", "\\Disk(p/c:#1)\\Reads/sec",
		"\\\\SRV\\Disks(p/c:#1)\\Reads/sec", "\\\\SRV\\Disk(q/c:#1)\\Reads/sec",
		"\\\\SRV\\Disk(p/d:#1)\\Reads/sec",  "\\\\SRV\\Disk(p/c:)\\Reads/sec",
		"\\\\SRV\\Disk(p/c:#1)\\Writes/sec", "\\\\SRV\\Disk\\Reads/sec",
		"\\\\SRV\\Disk()\\Reads/sec",        "\\\\SRV\\Disk(\\N)\\Reads/sec",
		"\\\\SRV\\Disk(\xFF)\\Reads/sec",    "\\\\SRV\\Disk(\xFE)\\Reads/sec",
		"\\\\SRV\\Disk(\\xFF)\\Reads/sec",
	};

	(void)state;
	// The same without regard to case, of letters outside of ASCII too.
	assert_true(pmon_hash128_equal(key_of("\\\\srv\\DISK(P/C:#1)\\reads/SEC", 0x10410400, 10),
				       key));
	assert_true(pmon_hash128_equal(key_of("\\\\S\\O\\\xC3\x84", 1, 1),
				       key_of("\\\\s\\o\\\xC3\xA4", 1, 1)));
	for (size_t i = 0; i < T_LEN(others); i++) {
		if (pmon_hash128_equal(key_of(others[i], 0x10410400, 10), key))
			fail_msg("%s has the key of another series", others[i]);
		for (size_t k = 0; k < i; k++)
			if (pmon_hash128_equal(key_of(others[i], 1, 1), key_of(others[k], 1, 1)))
				fail_msg("%s and %s have one key", others[i], others[k]);
	}
	assert_false(pmon_hash128_equal(key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410500, 10),
					key));
	assert_false(pmon_hash128_equal(key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410400, 11),
					key));
}

// A log may list a counter several times: the n-th has the same key in each such log, and its own.
static void
test_keys_of_duplicates(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_push_keys keys;
	struct pmon_source *source;

	(void)state;
	(void)mem_source_series(m, "\\O\\a", 1, 1);
	(void)mem_source_series(m, "\\O\\b", 1, 1);
	(void)mem_source_series(m, "\\O\\A", 1, 1);
	source = mem_source_open(m);
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL, NULL);
	assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
	assert_true(pmon_hash128_equal(keys.list[0].key, key_of("\\O\\a", 1, 1)));
	T_EQ_U64(keys.list[0].duplicate, 0);
	T_EQ_U64(keys.list[2].duplicate, 1);
	assert_false(pmon_hash128_equal(keys.list[2].key, keys.list[0].key));
	assert_false(pmon_hash128_equal(keys.list[2].key, keys.list[1].key));
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
}

// ---- Keys of a bad hash ---------------------------------------------------------------------

// A hash that is just the last byte, which is the number of a counter among those with the same
// path.
static struct pmon_hash128
hash_of_last_byte(const void *bytes, size_t len)
{
	return (struct pmon_hash128){0, ((const uint8_t *)bytes)[len - 1]};
}

// The same counter added again does not become another one.
static void
test_duplicates_do_not_collide(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_push_keys keys;
	struct pmon_source *source;

	(void)state;
	(void)mem_source_series(m, "\\O\\a", 1, 1);
	(void)mem_source_series(m, "\\o\\A", 1, 1);
	source = mem_source_open(m);
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL, NULL);
	keys.hash = hash_of_last_byte;
	assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
	T_EQ_U64(keys.list[0].key.low, '0');
	T_EQ_U64(keys.list[1].key.low, '1');
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
}

// If two different counters have one key, they are refused, whatever the difference.
static void
test_collisions_are_refused(void **state)
{
	static const struct {
		const char *path;
		uint32_t type;
		int64_t time_base;
	} others[] = {{"\\O(i)\\b", 1, 1},   {"\\O(j)\\a", 1, 1},   {"\\\\M\\O(i)\\a", 1, 1},
		      {"\\O(i#2)\\a", 1, 1}, {"\\O(p/i)\\a", 1, 1}, {"\\O\\a", 1, 1},
		      {"\\P(i)\\a", 1, 1},   {"\\O(i)\\a", 2, 1},   {"\\O(i)\\a", 1, 2}};

	(void)state;
	for (size_t i = 0; i < T_LEN(others); i++) {
		struct mem_source *m = mem_source_new();
		struct pmon_push_keys keys;
		struct pmon_source *source;
		struct pmon_err err;

		(void)mem_source_series(m, "\\O(i)\\a", 1, 1);
		(void)mem_source_series(m, others[i].path, others[i].type, others[i].time_base);
		source = mem_source_open(m);
		pmon_push_keys_init(&keys, pmon_source_schema(source), NULL, NULL);
		keys.hash = hash_of_last_byte;
		T_EQ_I64_AT(pmon_push_keys_grow(&keys, &err), PMON_E_UNSUPPORTED, others[i].path);
		assert_non_null(strstr(err.msg, "00000000-0000-0000-0000-000000000030"));
		assert_non_null(strstr(err.msg, ": \\O(i)\\a and "));
		assert_non_null(strstr(err.msg, others[i].path));
		T_EQ_U64(keys.n, 1);
		pmon_push_keys_free(&keys);
		pmon_source_close(source);
	}
}

// ---- Rows -----------------------------------------------------------------------------------

// Samples at 0 s, 1 s, 1 s again, (2 s without the series), 3 s.
static struct pmon_source *
open_rows(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t series = mem_source_series(m, "\\O\\a", PMON_PERF_COUNTER_COUNTER, 1);

	mem_source_sample(m, T0);
	mem_source_raw(m, series, 1, 1);
	mem_source_sample(m, T0 + SECOND);
	mem_source_raw(m, series, 2, 2);
	mem_source_sample(m, T0 + SECOND);
	mem_source_raw(m, series, 3, 3);
	mem_source_skip(m);
	mem_source_sample(m, T0 + 3 * SECOND);
	mem_source_raw(m, series, 4, 4);
	return mem_source_open(m);
}

static void
test_rows(void **state)
{
	static const struct {
		pmon_time time;
		uint32_t nth;
		pmon_time absent_after;
	} want[] = {{T0, 0, 0},
		    {T0 + SECOND, 0, 0},
		    {T0 + SECOND, 1, 0},
		    {T0 + 3 * SECOND, 0, T0 + SECOND}};
	struct pmon_source *source = open_rows();
	struct pmon_push_keys keys;
	const struct pmon_sample *sample;
	struct pmon_push_row row;
	size_t n = 0;

	(void)state;
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL, NULL);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK) {
		assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
		pmon_push_keys_row(&keys, sample, 0, &row);
		T_EQ_I64(row.time, want[n].time);
		T_EQ_U64(row.nth, want[n].nth);
		T_EQ_I64(row.absent_after, want[n].absent_after);
		n++;
	}
	T_EQ_U64(n, T_LEN(want));
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
}

// ---- Digests and ledgers --------------------------------------------------------------------

static void
test_digests(void **state)
{
	struct pmon_raw raw = {.time = T0, .first = 1, .second = 2, .multi = 3, .status = 0};
	struct pmon_push_row row = {.series = {0, 1}, .time = T0, .raw = &raw};
	struct pmon_hash128 a = {0};
	struct pmon_hash128 b = {0};
	char text[PMON_HASH128_SIZE];

	(void)state;
	pmon_push_digest_row(&a, &row);
	pmon_push_digest_row(&b, &row);
	assert_memory_equal(&a, &b, sizeof(a));
	raw.first ^= 1;
	b = (struct pmon_hash128){0};
	pmon_push_digest_row(&b, &row);
	assert_true(a.high != b.high && a.low != b.low);
	pmon_hash128_print(a, text);
	assert_true(pmon_hash128_parse(t_span(text), &b));
	assert_memory_equal(&a, &b, sizeof(a));
	text[31] = 'x';
	assert_false(pmon_hash128_parse(t_span(text), &b));
	assert_false(pmon_hash128_parse(t_span("12"), &b));
}

// Each field of a row, and their order, is in the digest; and so is where a text ends.
static void
test_digest_is_of_every_field(void **state)
{
	struct pmon_raw raw = {.time = T0, .first = 1, .second = 2, .multi = 3, .status = 4};
	struct pmon_push_row row = {{5, 6}, T0 + 7, 8, 9, &raw};
	struct pmon_hash128 seen[16];
	size_t n = 0;

	(void)state;
	for (int field = 0; field < 11; field++) {
		struct pmon_raw r = raw;
		struct pmon_push_row other = row;

		other.raw = &r;
		other.series.high += field == 1;
		other.series.low += field == 2;
		other.time += field == 3;
		other.nth += field == 4;
		other.absent_after += field == 5;
		r.time += field == 6;
		r.first += field == 7;
		r.second += field == 8;
		r.multi += field == 9;
		r.status += field == 10;
		seen[n] = (struct pmon_hash128){0};
		pmon_push_digest_row(&seen[n++], &other);
	}
	seen[n] = seen[0];
	pmon_push_digest_row(&seen[n++], &row); // twice
	seen[n] = (struct pmon_hash128){0};
	pmon_push_digest_text(&seen[n], "ab");
	pmon_push_digest_text(&seen[n++], "c");
	seen[n] = (struct pmon_hash128){0};
	pmon_push_digest_text(&seen[n], "a");
	pmon_push_digest_text(&seen[n++], "bc");
	seen[n] = (struct pmon_hash128){0};
	pmon_push_digest_text(&seen[n++], "abc");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (pmon_hash128_equal(seen[i], seen[k]))
				fail_msg("%zu and %zu have one digest", i, k);
}

// 300 batches, so that a file is read in several parts.
#define N_BATCHES 300

static void
test_ledger_in_a_file(void **state)
{
	char folder[] = "/tmp/pmon-test-XXXXXX";
	struct pmon_hash128 log = {1, 2};
	struct pmon_hash128 other = {1, 3};
	struct pmon_push_ledger ledger;
	char command[128];

	(void)state;
	assert_non_null(mkdtemp(folder));
	pmon_push_ledger_init(&ledger, NULL);
	assert_int_equal(pmon_push_ledger_load(&ledger, folder, "u", &log, NULL), PMON_OK);
	T_EQ_U64(ledger.n, 0);
	for (uint64_t i = 0; i < N_BATCHES; i++) {
		struct pmon_hash128 batch = {i * 7919 % N_BATCHES, i};

		assert_int_equal(pmon_push_ledger_add(&ledger, &batch, NULL), PMON_OK);
	}
	assert_int_equal(pmon_push_ledger_save(&ledger, folder, "u", &log, NULL), PMON_OK);
	pmon_push_ledger_free(&ledger);

	pmon_push_ledger_init(&ledger, NULL);
	assert_int_equal(pmon_push_ledger_load(&ledger, folder, "u", &other, NULL), PMON_OK);
	assert_int_equal(pmon_push_ledger_load(&ledger, folder, "v", &log, NULL), PMON_OK);
	T_EQ_U64(ledger.n, 0);
	assert_int_equal(pmon_push_ledger_load(&ledger, folder, "u", &log, NULL), PMON_OK);
	T_EQ_U64(ledger.n, N_BATCHES);
	for (uint64_t i = 0; i < N_BATCHES; i++) {
		struct pmon_hash128 batch = {i * 7919 % N_BATCHES, i};

		assert_true(pmon_push_ledger_has(&ledger, &batch, 10));
		batch.low = N_BATCHES;
		assert_false(pmon_push_ledger_has(&ledger, &batch, 10));
	}
	pmon_push_ledger_free(&ledger);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

// ---- Batches --------------------------------------------------------------------------------

// An engine that takes at most six values, and whose ledger and faults are set by the test.
struct fake_server {
	struct pmon_hash128 ledger[16];
	size_t n_ledger;
	size_t n_series;
	size_t fail_at; // the send that fails; 0: none does
	size_t n_sends;
	int64_t values[64]; // in the order in which they were sent
	size_t n_values;
	pmon_hash128_fn hash; // of series, or NULL
	pmon_time keep_from;  // 0: everything is kept
	pmon_time clock;      // 0: it has none
	uint64_t borders;     // a bit for each number of values at which a batch ended
};

struct fake_engine {
	struct pmon_push_sink push; // first
	struct fake_server *server;
	int64_t values[16];
	size_t n;
};

static enum pmon_status
fake_open(struct pmon_push_sink *push, const char *url, struct pmon_err *err)
{
	(void)url, (void)err;
	((struct fake_engine *)push)->server = push->options.cancel_ctx; // which nothing else reads
	return PMON_OK;
}

static void
fake_close(struct pmon_push_sink *push)
{
	(void)push;
}

static enum pmon_status
fake_begin(struct pmon_push_sink *push, struct pmon_err *err)
{
	const struct fake_server *server = ((struct fake_engine *)push)->server;

	(void)err;
	if (server->hash != NULL)
		push->keys.hash = server->hash;
	if (server->keep_from != 0)
		push->keep_from = server->keep_from;
	return PMON_OK;
}

static enum pmon_status
fake_read_clock(struct pmon_push_sink *push, pmon_time *now, struct pmon_err *err)
{
	(void)err;
	if (((struct fake_engine *)push)->server->clock != 0)
		*now = ((struct fake_engine *)push)->server->clock;
	return PMON_OK;
}

static enum pmon_status
fake_read_ledger(struct pmon_push_sink *push, struct pmon_err *err)
{
	const struct fake_server *server = ((struct fake_engine *)push)->server;
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && i < server->n_ledger; i++)
		status = pmon_push_ledger_add(&push->ledger, &server->ledger[i], err);
	return status;
}

static enum pmon_status
fake_add_series(struct pmon_push_sink *push, size_t i, struct pmon_err *err)
{
	struct fake_server *server = ((struct fake_engine *)push)->server;

	(void)err;
	T_EQ_U64(i, server->n_series);
	server->n_series++;
	return PMON_OK;
}

static enum pmon_status
fake_add(struct pmon_push_sink *push, const struct pmon_sample *sample,
	 const struct pmon_push_row *rows, struct pmon_err *err)
{
	struct fake_engine *e = (struct fake_engine *)push;

	(void)err;
	for (size_t i = 0; i < sample->n; i++)
		e->values[e->n++] = rows[i].raw->first;
	return PMON_OK;
}

static enum pmon_status
fake_send(struct pmon_push_sink *push, uint64_t *n_new, struct pmon_err *err)
{
	struct fake_engine *e = (struct fake_engine *)push;
	struct fake_server *server = e->server;

	T_EQ_U64(pmon_push_batch_kept(&push->batch), e->n);
	(void)err;
	if (++server->n_sends == server->fail_at)
		return PMON_E_IO;
	memcpy(server->values + server->n_values, e->values, e->n * sizeof(e->values[0]));
	server->n_values += e->n;
	server->borders |= UINT64_C(1) << server->n_values;
	server->ledger[server->n_ledger++] = push->batch.digest;
	*n_new = e->n;
	return PMON_OK;
}

static void
fake_clear(struct pmon_push_sink *push)
{
	((struct fake_engine *)push)->n = 0;
}

static const struct pmon_push_engine fake = {
	.size = sizeof(struct fake_engine),
	.batch_rows = 6,
	.open = fake_open,
	.close = fake_close,
	.begin = fake_begin,
	.read_clock = fake_read_clock,
	.read_ledger = fake_read_ledger,
	.add_series = fake_add_series,
	.add = fake_add,
	.send = fake_send,
	.clear = fake_clear,
	.tell = pmon_push_tell_backward,
};

// Samples of 2, 2, 1, 3, 7, 1 and 1 values, which are 0, 1, 2 ...; the sixth is earlier than the fifth.
static struct pmon_source *
open_samples(void)
{
	static const struct {
		unsigned n;
		int second;
	} samples[] = {{2, 0}, {2, 1}, {1, 2}, {3, 3}, {7, 9}, {1, 5}, {1, 10}};
	struct mem_source *m = mem_source_new();
	uint32_t series[7];
	int64_t value = 0;

	for (unsigned i = 0; i < T_LEN(series); i++) {
		char path[] = "\\O\\a";

		path[3] = (char)('a' + i);
		series[i] = mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 1);
	}
	for (size_t i = 0; i < T_LEN(samples); i++) {
		mem_source_sample(m, T0 + samples[i].second * SECOND);
		for (unsigned k = 0; k < samples[i].n; k++)
			mem_source_raw(m, series[k], value++, 0);
	}
	return mem_source_open(m);
}

static enum pmon_status
push_samples(struct fake_server *server, size_t batch_rows, struct pmon_push_counts *counts)
{
	struct pmon_push_options options = {
		.size = sizeof(options), .batch_rows = batch_rows, .cancel_ctx = server};
	struct pmon_source *source = open_samples();
	struct pmon_sink *sink;
	enum pmon_status status;

	server->n_series = server->n_sends = 0;
	assert_int_equal(pmon_push_sink_open(&fake, "fake://", &options, &sink, NULL), PMON_OK);
	status = pmon_copy(source, sink, NULL, NULL);
	*counts = pmon_push_counts(sink);
	pmon_sink_close(sink);
	pmon_source_close(source);
	return status;
}

// A batch ends before the sample that would make it too large, and one sample is never cut.
static void
test_batches(void **state)
{
	struct fake_server server = {.n_ledger = 0};
	struct pmon_push_counts counts;

	(void)state;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(server.borders, 1u << 5 | 1u << 8 | 1u << 15 | 1u << 17);
	for (size_t i = 0; i < 17; i++)
		T_EQ_I64(server.values[i], (int64_t)i);
	T_EQ_U64(server.n_series, 7);
	T_EQ_U64(counts.series, 7);
	T_EQ_U64(counts.samples, 7);
	T_EQ_U64(counts.rows, 17);
	T_EQ_U64(counts.sent, 17);
	T_EQ_U64(counts.stored, 0);
	T_EQ_U64(counts.backward, 1);
}

// Stored samples are not sent again; in batches of another size they are.
static void
test_batches_again(void **state)
{
	struct fake_server server = {.n_ledger = 0};
	struct pmon_push_counts counts;

	(void)state;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(server.n_sends, 0);
	T_EQ_U64(server.n_ledger, 4);
	T_EQ_U64(counts.sent, 0);
	T_EQ_U64(counts.stored, 17);
	server.n_values = 0;
	assert_int_equal(push_samples(&server, 5, &counts), PMON_OK);
	T_EQ_U64(server.n_sends, 0); // the borders are the same
	assert_int_equal(push_samples(&server, 4, &counts), PMON_OK);
	T_EQ_U64(server.n_sends, 2); // 4 and 1 + 3 in place of 5 and 3
	T_EQ_U64(counts.sent, 8);
	T_EQ_U64(counts.stored, 9);
}

// What is older than the retention is not sent, and is neither stored nor missing; batches end at the same
// samples as before. The sixth sample is of 5 s, in the batch that the seventh ends.
static void
test_batches_expire(void **state)
{
	struct fake_server server = {.keep_from = T0 + 3 * SECOND};
	struct pmon_push_counts counts;

	(void)state;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(server.borders, 1u << 3 | 1u << 10 | 1u << 12);
	T_EQ_I64(server.values[0], 5);
	T_EQ_U64(counts.sent, 12);
	T_EQ_U64(counts.expired, 5);
	server.keep_from =
		T0 + 9 * SECOND; // later, the sixth expires too, and the seventh does not
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.sent, 0);
	T_EQ_U64(counts.stored, 8);
	T_EQ_U64(counts.expired, 9);
	server.keep_from = T0 + 11 * SECOND;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.stored, 0);
	T_EQ_U64(counts.expired, 17);
	server.keep_from = 0; // nothing was claimed to be there
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.sent, 5);
	T_EQ_U64(counts.stored, 12);
}

// An interrupted push continues at its position, with the batch that was on its way.
static void
test_batches_cut_off(void **state)
{
	struct fake_server server = {.fail_at = 3};
	struct pmon_push_counts counts;

	(void)state;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_E_IO);
	T_EQ_U64(counts.sent, 8);
	T_EQ_U64(counts.stored, 0);
	server.fail_at = 0;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.stored, 8);
	T_EQ_U64(counts.sent, 9);
	T_EQ_U64(server.n_values, 17);
	for (size_t i = 0; i < 17; i++)
		T_EQ_I64(server.values[i], (int64_t)i);
}

// If a log has two counters of one key, none of it is sent.
static void
test_a_push_is_refused(void **state)
{
	struct fake_server server = {.hash = hash_of_last_byte};
	struct pmon_push_counts counts;

	(void)state;
	assert_int_equal(push_samples(&server, 0, &counts), PMON_E_UNSUPPORTED);
	T_EQ_U64(server.n_sends, 0);
	T_EQ_U64(counts.sent, 0);
}

// ---- Waiting --------------------------------------------------------------------------------

static bool
always(void *ctx)
{
	++*(int *)ctx;
	return true;
}

static void
test_retry(void **state)
{
	int asked = 0;
	struct pmon_push_options options = {
		.size = sizeof(options),
		.retry = {.first_100ns = 100, .longest_100ns = 200, .give_up_100ns = SECOND / 20}};
	struct pmon_push_retry retry = {0};
	struct pmon_err err = {.status = PMON_E_IO, .msg = "not now"};
	int n = 0;

	(void)state;
	// 50 ms of waits of 20 us at the most; where the machine is busy, 500 ms and more
	for (; n <= 10 && options.retry.give_up_100ns <= 50 * SECOND;
	     options.retry.give_up_100ns *= 10) {
		retry = (struct pmon_push_retry){0};
		n = 0;
		(void)pmon_push_retry_limit(&retry, &options);
		while (pmon_push_retry_wait(&retry, &options, &err))
			n++;
	}
	assert_true(n > 10);
	T_EQ_I64(err.status, PMON_E_IO);
	T_EQ_STR(err.msg, "not now");

	// An engine that asks for a second gets the 50 ms that there are, and then no more.
	options.retry.give_up_100ns = SECOND / 20;
	retry = (struct pmon_push_retry){.asked_100ns = SECOND};
	(void)pmon_push_retry_limit(&retry, &options);
	assert_true(pmon_push_retry_wait(&retry, &options, &err));
	assert_false(pmon_push_retry_wait(&retry, &options, &err));

	retry = (struct pmon_push_retry){0};
	options.retry.give_up_100ns = 1000 * SECOND;
	(void)pmon_push_retry_limit(&retry, &options);
	options.cancel = always;
	options.cancel_ctx = &asked;
	assert_false(pmon_push_retry_wait(&retry, &options, &err));
	T_EQ_I64(err.status, PMON_E_STATE);
	assert_true(asked > 0);
}

// Samples ahead of the clock are left out wherever they are in a log, like expired ones: they are in no batch that was
// claimed to be there, and are sent when they are allowed, or when the clock gets to them.
static void
test_batches_ahead(void **state)
{
	const pmon_time limit = 600 * SECOND;
	struct fake_server server = {.clock = T0 + 4 * SECOND - limit};
	struct pmon_push_counts counts;

	(void)state;
	// The fifth, sixth and seventh sample, with 7, 1 and 1 values, are of 9, 5 and 10 s.
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.ahead, 9);
	T_EQ_U64(counts.sent, 8);
	T_EQ_U64(counts.stored, 0);
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.ahead, 9);
	T_EQ_U64(counts.sent, 0);
	T_EQ_U64(counts.stored, 8);
	server.clock = 0; // unknown: that of this machine is long after them
	assert_int_equal(push_samples(&server, 0, &counts), PMON_OK);
	T_EQ_U64(counts.ahead, 0);
	T_EQ_U64(counts.sent, 9);
	T_EQ_U64(counts.stored, 8);
}

// How long an attempt may last never gets past the end of all attempts, but for a second.
static void
test_retry_limit(void **state)
{
	struct pmon_push_options options = {.size = sizeof(options),
					    .timeout_100ns = 120 * SECOND,
					    .retry = {.first_100ns = 1, .longest_100ns = 1}};
	static const int64_t ends[] = {1, SECOND, 5 * SECOND, 3000 * SECOND};

	(void)state;
	for (size_t i = 0; i < T_LEN(ends); i++) {
		struct pmon_push_retry retry = {0};
		int64_t limit;

		options.retry.give_up_100ns = ends[i];
		limit = pmon_push_retry_limit(&retry, &options);
		assert_true(limit <= (ends[i] > SECOND ? ends[i] : SECOND));
		assert_true(limit >= SECOND && limit <= 120 * SECOND);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_url_parts),
		cmocka_unit_test(test_url_refused),
		cmocka_unit_test(test_unknown_scheme),
		cmocka_unit_test(test_keys_of_series),
		cmocka_unit_test(test_keys_of_duplicates),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_keys_are_permanent),
		cmocka_unit_test(test_duplicates_do_not_collide),
		cmocka_unit_test(test_collisions_are_refused),
		cmocka_unit_test(test_a_push_is_refused),
		cmocka_unit_test(test_digest_is_of_every_field),
		cmocka_unit_test(test_digests),
		cmocka_unit_test(test_ledger_in_a_file),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_batches_again),
		cmocka_unit_test(test_batches_expire),
		cmocka_unit_test(test_batches_cut_off),
		cmocka_unit_test(test_retry),
		cmocka_unit_test(test_retry_limit),
		cmocka_unit_test(test_batches_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
