// test_push_memory.c - pushes when memory is short: each allocation fails once
// SPDX-License-Identifier: MIT
//
// Whatever fails, a push reports that memory is short and leaves no files, and what the server got until
// then is the beginning of what it gets with enough memory.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "fake_server.h"
#include "memsource.h"
#include "moments.h"
#include "odd_log.h"
#include "push/clickhouse/clickhouse.h"
#include "push/push.h"

#define MANY 150 // series, so that what has room for 100 must grow

// The target of a push in a test, and what it received.
struct engine {
	const char *url; // %u is the port
	struct fake_server *(*start)(struct engine *engine);
	const char *state_dir;
	bool is_live;
	struct fake_record record;
	unsigned n_metrics; // how often it was asked for
};

static bool
is_built_in(const char *url)
{
	for (size_t i = 0; pmon_push_scheme(i) != NULL; i++)
		if (strncmp(url, pmon_push_scheme(i), strlen(pmon_push_scheme(i))) == 0)
			return true;
	return false;
}

static bool
has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

// ---- Servers --------------------------------------------------------------------------------

static void
note_http(struct engine *engine, const struct fake_http_request *request)
{
	fake_record_add(&engine->record, request->target, strlen(request->target));
	fake_record_add(&engine->record, request->body, request->body_len);
}

// Its tables are there, as a newer pmon has made them, and one batch that is not of this log.
static struct fake_http_reply
answer_clickhouse(void *ctx, const struct fake_http_request *request)
{
	struct fake_http_reply reply = {.code = 200, .body = ""};

	note_http(ctx, request);
	if (has(request->body, "EXISTS TABLE"))
		reply.body = "1\n";
	else if (has(request->body, "SELECT views, keys"))
		reply.body = "1000000\t2\n";
	else if (has(request->body, "SELECT version()"))
		reply.body = "26.7.2.1\n";
	else if (has(request->body, "SELECT days"))
		reply.body = "30000\n";
	else if (has(request->body, "SELECT DISTINCT batch"))
		reply.body = "00112233445566778899aabbccddeeff\n";
	return reply;
}

// A ClickHouse without tables: all of them are made.
static struct fake_http_reply
answer_empty(void *ctx, const struct fake_http_request *request)
{
	note_http(ctx, request);
	return (struct fake_http_reply){.code = 200, .body = ""};
}

// A VictoriaMetrics that reports its start once: so the test need not wait until it has written its files.
static struct fake_http_reply
answer_metrics(void *ctx, const struct fake_http_request *request)
{
	struct engine *engine = ctx;

	note_http(ctx, request);
	if (strcmp(request->target, "/metrics") == 0 && engine->n_metrics++ == 0)
		return (struct fake_http_reply){
			.code = 200,
			.body = "a 1\nvm_app_start_timestamp 1577836800\n"
				"vm_app_uptime_seconds 100\n"
				"flag{name=\"retentionPeriod\", value=\"100y\"} 1\n"};
	return (struct fake_http_reply){.code = 204};
}

static struct fake_server *
start_clickhouse(struct engine *engine)
{
	return fake_http_start(answer_clickhouse, engine);
}

static struct fake_server *
start_empty(struct engine *engine)
{
	return fake_http_start(answer_empty, engine);
}

static struct fake_server *
start_metrics(struct engine *engine)
{
	engine->n_metrics = 0;
	return fake_http_start(answer_metrics, engine);
}

static void
note_rows(void *ctx, const uint8_t *bytes, size_t len)
{
	struct engine *engine = ctx;

	fake_record_add(&engine->record, bytes, len);
}

// The tables are those of pmon 0.1, with two series in them: they get new keys first.
static struct fake_pg_reply
answer_postgres(void *ctx, const char *sql)
{
	static const char two[] = "1\tS\tO\t\\N\t\\N\t0\tC\t65536\t0\t8\t0\n"
				  "2\t\\N\tO\tp\ti\t3\tC\t65536\t0\t8\t1\n";
	struct engine *engine = ctx;

	if (sql == NULL)
		return (struct fake_pg_reply){FAKE_PG_DONE, ""};
	fake_record_add(&engine->record, sql, strlen(sql));
	if (strncmp(sql, "COPY", 4) == 0)
		return (struct fake_pg_reply){FAKE_PG_COPY, ""};
	if (has(sql, "to_regclass('pmon_version')"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, "t\n"};
	if (has(sql, "FROM pmon_version"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, "1 1\n"};
	if (has(sql, "FROM pg_attribute"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, "1\n"};
	if (has(sql, "WHERE key IS NULL"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, engine->n_metrics++ == 0 ? two : ""};
	if (has(sql, "RETURNING stream"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, "7\n"};
	if (has(sql, "string_agg(batch") || has(sql, "SELECT min(i.n)"))
		return (struct fake_pg_reply){FAKE_PG_ROWS, "\\N\n"};
	return (struct fake_pg_reply){FAKE_PG_DONE, "INSERT 0 1"};
}

static struct fake_server *
start_postgres(struct engine *engine)
{
	struct fake_pg pg = {answer_postgres, note_rows, engine};

	engine->n_metrics = 0;
	return fake_pg_start(&pg);
}

// ---- Logs -----------------------------------------------------------------------------------

// Counters that come one by one with odd names, then all of them, then half of them.
static struct pmon_source *
wide_log(bool is_live)
{
	struct mem_source *m = mem_source_new();

	for (uint32_t i = 0; i < MANY; i++) {
		char path[60];

		(void)snprintf(path, sizeof(path), "\\\\S\\O(\xC3\xA4\xFF%u)\\C %u", i % 7, i);
		(void)mem_source_series(m, path, PMON_PERF_COUNTER_COUNTER, 1000);
	}
	for (uint32_t k = 0; k < 9; k++) {
		mem_source_sample(m, T0 + k * SECOND);
		for (uint32_t i = 0; i < (k == 8 ? MANY / 2 : MANY); i++)
			mem_source_raw(m, i, k * (i + 1), k * 1000);
	}
	m->base.info.live = is_live;
	return mem_source_open(m);
}

// ---- Pushing --------------------------------------------------------------------------------

static enum pmon_status
push(struct engine *engine, struct t_memory *memory, struct pmon_source *source)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_push_options options = {
		.allocator = &allocator,
		.state_dir = engine->state_dir,
		.batch_rows = 400,
		.retry = {.first_100ns = 10000, .give_up_100ns = 500000},
	};
	struct fake_server *server = engine->start(engine);
	struct pmon_sink *sink;
	struct pmon_err err = {.status = PMON_OK};
	char url[100];
	enum pmon_status status;

	engine->record.n = 0;
	(void)snprintf(url, sizeof(url), engine->url, fake_server_port(server));
	status = pmon_push_open(url, &options, &sink, &err);
	if (status == PMON_OK)
		status = pmon_copy(source, sink, NULL, &err);
	if (sink != NULL)
		pmon_sink_close(sink);
	fake_server_stop(server);
	if (status != PMON_OK && status != PMON_E_NOMEM)
		fail_msg("%s: %s", engine->url, err.msg);
	T_EQ_U64_AT(memory->live_blocks, 0, engine->url);
	T_EQ_U64_AT(memory->live_bytes, 0, engine->url);
	pmon_source_close(source);
	return status;
}

// Push with allocation n failing, and with enough memory in the end.
static void
sweep(struct engine *engine, bool rest)
{
	struct t_memory memory = {0};
	struct fake_record all;

	if (!is_built_in(engine->url))
		skip();
	assert_int_equal(push(engine, &memory, wide_log(engine->is_live)), PMON_OK);
	all = engine->record;
	assert_true(all.n > (size_t)MANY * 20);
	engine->record = (struct fake_record){NULL, 0, 0};
	for (size_t n = 1;; n++) {
		enum pmon_status status;

		memory = (struct t_memory){.fail_at = n, .fail_rest = rest};
		status = push(engine, &memory, wide_log(engine->is_live));
		assert_true(engine->record.n <= all.n);
		if (engine->record.n > 0)
			assert_memory_equal(engine->record.bytes, all.bytes, engine->record.n);
		if (status == PMON_OK)
			T_EQ_U64(engine->record.n, all.n);
		if (t_memory_sufficed(&memory))
			break;
		if (rest)
			assert_int_equal(status, PMON_E_NOMEM);
	}
	fake_record_free(&all);
	fake_record_free(&engine->record);
}

static void
test_clickhouse(void **state)
{
	struct engine engine = {.url = "clickhouse+http://127.0.0.1:%u/perf",
				.start = start_clickhouse};

	(void)state;
	sweep(&engine, false);
	sweep(&engine, true);
}

static void
test_clickhouse_makes_tables(void **state)
{
	struct engine engine = {.url = "clickhouse+http://127.0.0.1:%u/perf", .start = start_empty};

	(void)state;
	sweep(&engine, true);
}

static void
test_postgres(void **state)
{
	struct engine engine = {.url = "postgresql://127.0.0.1:%u/perf", .start = start_postgres};

	(void)state;
	sweep(&engine, false);
	sweep(&engine, true);
}

// Each push begins with an empty folder of what was sent, as its URL has another port. In memory files are
// synchronised at once.
static void
sweep_with_folder(bool is_live)
{
	char folder[60];
	char command[100];
	struct engine engine = {.url = "prometheus+http://127.0.0.1:%u",
				.start = start_empty,
				.state_dir = folder,
				.is_live = is_live};

	(void)snprintf(folder, sizeof(folder), "%s/pmon-test-push-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	assert_non_null(mkdtemp(folder));
	sweep(&engine, false);
	(void)snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

static void
test_prometheus(void **state)
{
	(void)state;
	sweep_with_folder(false);
}

static void
test_prometheus_live(void **state)
{
	(void)state;
	sweep_with_folder(true);
}

static void
test_victoriametrics(void **state)
{
	struct engine engine = {.url = "victoriametrics+http://127.0.0.1:%u",
				.start = start_metrics};

	(void)state;
	sweep(&engine, true);
}

// ---- Describing -----------------------------------------------------------------------------

static void
note_text(void *ctx, struct pmon_span text)
{
	fake_record_add(ctx, text.ptr, text.len);
}

static enum pmon_status
describe(const char *url, struct t_memory *memory, struct fake_record *record)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_push_options options = {.allocator = &allocator};
	struct pmon_source *source = odd_log(5);
	const struct pmon_sample *sample;
	enum pmon_status status;

	assert_int_equal(pmon_source_next(source, &sample, NULL), PMON_OK);
	status = pmon_push_describe(url, &options, pmon_source_schema(source), sample, note_text,
				    record, NULL);
	pmon_source_close(source);
	T_EQ_U64_AT(memory->live_blocks, 0, url);
	return status;
}

static void
test_descriptions(void **state)
{
	static const char *const urls[] = {"clickhouse+http://a/perf", "postgresql://a/perf",
					   "prometheus+http://a"};
	struct t_memory memory;

	(void)state;
	for (size_t i = 0; i < T_LEN(urls); i++) {
		struct fake_record record = {NULL, 0, 0};

		if (!is_built_in(urls[i]))
			continue;
		memory = (struct t_memory){0};
		assert_int_equal(describe(urls[i], &memory, &record), PMON_OK);
		assert_true(record.n > 100);
		for (size_t n = 1; n <= memory.calls; n++) {
			struct t_memory little = {.fail_at = n};

			assert_int_equal(describe(urls[i], &little, &record), PMON_E_NOMEM);
		}
		fake_record_free(&record);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clickhouse),
		cmocka_unit_test(test_clickhouse_makes_tables),
		cmocka_unit_test(test_postgres),
		cmocka_unit_test(test_prometheus),
		cmocka_unit_test(test_prometheus_live),
		cmocka_unit_test(test_victoriametrics),
		cmocka_unit_test(test_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
