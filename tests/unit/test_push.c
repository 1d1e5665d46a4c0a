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
	assert_int_equal(
		pmon_push_url_parse("clickhouse+https://a:8443,b.example:1/perf", &url, NULL),
		PMON_OK);
	T_EQ_U64(url.tls, 1);
	T_EQ_U64(url.n_hosts, 2);
	T_EQ_STR(url.hosts[0], "a:8443");
	T_EQ_STR(url.hosts[1], "b.example:1");
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
static uint64_t
key_of(const char *path, uint32_t type, int64_t time_base)
{
	struct mem_source *m = mem_source_new();
	struct pmon_push_keys keys;
	struct pmon_source *source;
	uint64_t key;

	(void)mem_source_series(m, path, type, time_base);
	source = mem_source_open(m);
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL);
	assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
	key = keys.list[0].key;
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
	return key;
}

static void
test_keys_of_series(void **state)
{
	uint64_t key = key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410400, 10);
	static const char *const others[] = {
		"\\\\SRV2\\Disk(p/c:#1)\\Reads/sec", "\\Disk(p/c:#1)\\Reads/sec",
		"\\\\SRV\\Disks(p/c:#1)\\Reads/sec", "\\\\SRV\\Disk(q/c:#1)\\Reads/sec",
		"\\\\SRV\\Disk(p/d:#1)\\Reads/sec",  "\\\\SRV\\Disk(p/c:)\\Reads/sec",
		"\\\\SRV\\Disk(p/c:#1)\\Writes/sec", "\\\\SRV\\Disk\\Reads/sec",
		"\\\\SRV\\Disk()\\Reads/sec",
	};

	(void)state;
	// The same without regard to case, of letters outside of ASCII too.
	T_EQ_U64(key_of("\\\\srv\\DISK(P/C:#1)\\reads/SEC", 0x10410400, 10), key);
	T_EQ_U64(key_of("\\\\S\\O\\\xC3\x84", 1, 1), key_of("\\\\s\\o\\\xC3\xA4", 1, 1));
	for (size_t i = 0; i < T_LEN(others); i++) {
		if (key_of(others[i], 0x10410400, 10) == key)
			fail_msg("%s has the key of another series", others[i]);
		for (size_t k = 0; k < i; k++)
			if (key_of(others[i], 1, 1) == key_of(others[k], 1, 1))
				fail_msg("%s and %s have one key", others[i], others[k]);
	}
	assert_true(key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410500, 10) != key);
	assert_true(key_of("\\\\SRV\\Disk(p/c:#1)\\Reads/sec", 0x10410400, 11) != key);
}

// A log may list a counter several times: the n-th has the same key in each such log, and its own.
static void
test_keys_of_twins(void **state)
{
	struct mem_source *m = mem_source_new();
	struct pmon_push_keys keys;
	struct pmon_source *source;

	(void)state;
	(void)mem_source_series(m, "\\O\\a", 1, 1);
	(void)mem_source_series(m, "\\O\\b", 1, 1);
	(void)mem_source_series(m, "\\O\\A", 1, 1);
	source = mem_source_open(m);
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL);
	assert_int_equal(pmon_push_keys_grow(&keys, NULL), PMON_OK);
	T_EQ_U64(keys.list[0].key, key_of("\\O\\a", 1, 1));
	T_EQ_U64(keys.list[0].twin, 0);
	T_EQ_U64(keys.list[2].twin, 1);
	assert_true(keys.list[2].key != keys.list[0].key);
	assert_true(keys.list[2].key != keys.list[1].key);
	pmon_push_keys_free(&keys);
	pmon_source_close(source);
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
	pmon_push_keys_init(&keys, pmon_source_schema(source), NULL);
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
	struct pmon_push_row row = {.series = 1, .time = T0, .raw = &raw};
	struct pmon_push_digest a = {0};
	struct pmon_push_digest b = {0};
	char text[PMON_PUSH_DIGEST_SIZE];

	(void)state;
	pmon_push_digest_row(&a, &row);
	pmon_push_digest_row(&b, &row);
	assert_memory_equal(&a, &b, sizeof(a));
	raw.first ^= 1;
	b = (struct pmon_push_digest){0};
	pmon_push_digest_row(&b, &row);
	assert_true(a.a != b.a && a.b != b.b);
	pmon_push_digest_print(&a, text);
	assert_true(pmon_push_digest_parse(t_span(text), &b));
	assert_memory_equal(&a, &b, sizeof(a));
	text[31] = 'x';
	assert_false(pmon_push_digest_parse(t_span(text), &b));
	assert_false(pmon_push_digest_parse(t_span("12"), &b));
}

// 300 batches, so that a file is read in several parts.
#define N_BATCHES 300

static void
test_ledger_in_a_file(void **state)
{
	char folder[] = "/tmp/pmon-test-XXXXXX";
	struct pmon_push_digest log = {1, 2};
	struct pmon_push_digest other = {1, 3};
	struct pmon_push_ledger ledger;
	char command[128];

	(void)state;
	assert_non_null(mkdtemp(folder));
	pmon_push_ledger_init(&ledger, NULL);
	assert_int_equal(pmon_push_ledger_load(&ledger, folder, "u", &log, NULL), PMON_OK);
	T_EQ_U64(ledger.n, 0);
	for (uint64_t i = 0; i < N_BATCHES; i++) {
		struct pmon_push_digest batch = {i * 7919 % N_BATCHES, i};

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
		struct pmon_push_digest batch = {i * 7919 % N_BATCHES, i};

		assert_true(pmon_push_ledger_has(&ledger, &batch));
		batch.b = N_BATCHES;
		assert_false(pmon_push_ledger_has(&ledger, &batch));
	}
	pmon_push_ledger_free(&ledger);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
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
		.retry = {.first_100ns = 100, .longest_100ns = 200, .give_up_100ns = SECOND / 20}};
	struct pmon_push_retry retry = {0};
	struct pmon_err err = {.status = PMON_E_IO, .msg = "not now"};
	int n = 0;

	(void)state;
	while (pmon_push_retry_wait(&retry, &options, &err))
		n++;
	assert_true(n > 10); // 50 ms of waits of 20 us at the most
	T_EQ_I64(err.status, PMON_E_IO);
	T_EQ_STR(err.msg, "not now");

	retry = (struct pmon_push_retry){0};
	options.retry.give_up_100ns = 1000 * SECOND;
	options.cancel = always;
	options.cancel_ctx = &asked;
	assert_false(pmon_push_retry_wait(&retry, &options, &err));
	T_EQ_I64(err.status, PMON_E_STATE);
	assert_true(asked > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_url_parts),      cmocka_unit_test(test_url_refused),
		cmocka_unit_test(test_unknown_scheme), cmocka_unit_test(test_keys_of_series),
		cmocka_unit_test(test_keys_of_twins),  cmocka_unit_test(test_rows),
		cmocka_unit_test(test_digests),        cmocka_unit_test(test_ledger_in_a_file),
		cmocka_unit_test(test_retry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
