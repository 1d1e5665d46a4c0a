// test_push_answers.c - how pushes react to the answers of ClickHouse, Prometheus and proxies
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "base/time.h"
#include "fake_server.h"
#include "moments.h"
#include "push_to.h"

#define CLICKHOUSE "clickhouse+http://127.0.0.1:%u/perf"
#define PROMETHEUS "prometheus+http://127.0.0.1:%u"
#define VALUES     "INTO%20perf.pmon_fact%20" // as it stands in a target
#define VICTORIA   "victoriametrics+http://127.0.0.1:%u"

// A server that gives one answer to the first few requests whose target or body contains a text,
// and otherwise works normally.
struct script {
	const char *needle;
	struct fake_http_reply reply;
	unsigned times; // 0: always
	unsigned n;     // requests that have the text
	struct fake_http_reply then;
	unsigned n_all;
	char head[2000];  // of the last request
	const char *date; // a header of all other answers; may be NULL
};

static struct fake_http_reply
answer(void *ctx, const struct fake_http_request *request)
{
	struct script *script = ctx;

	script->n_all++;
	(void)snprintf(script->head, sizeof(script->head), "%s", request->head);
	if (strstr(request->target, script->needle) != NULL ||
	    strstr(request->body, script->needle) != NULL) {
		script->n++;
		if (script->times == 0 || script->n <= script->times)
			return script->reply;
		if (script->then.code != 0)
			return script->then;
	}
	return (struct fake_http_reply){
		.code = 200,
		.headers = script->date,
		.body = strcmp(request->body, "SELECT version()") == 0 ? "26.7.1.1\n" : ""};
}

static struct pushed
push(const char *url, struct script *script, const struct pmon_push_options *options)
{
	if (!push_is_there(strncmp(url, "clickhouse", 10) == 0 ? "clickhouse" : "prometheus"))
		skip();
	return push_to(fake_http_start(answer, script), url, options);
}

// For a server that never answers as it should.
static const struct pmon_push_options gives_up = {.size = sizeof(gives_up),
						  .retry = {.give_up_100ns = PMON_TIME_PER_SEC}};

// ---- Refusals -------------------------------------------------------------------------------

// The numbers are ClickHouse's own: src/Common/ErrorCodes.cpp of its sources. RFC 9110 and 6585 say what 408, 429
// and 503 are.
static void
test_retried_answers(void **state)
{
	static const struct {
		const char *needle;
		int code;
		const char *body;
		bool again;
	} rows[] = {
		{VALUES, 500, "Code: 241. DB::Exception: Memory limit exceeded", true},
		{VALUES, 500, "Code: 252", true}, // too many parts
		{VALUES, 500, "Code: 62. DB::Exception: Syntax error", false},
		{VALUES, 500, "Code: 24199. DB::Exception: no such number", false},
		{VALUES, 500, "Code: 60. DB::Exception: no such table", false},
		{VALUES, 500, "busy", true},
		{VALUES, 500, "Coda: 62", true}, // not in the words of ClickHouse
		{VALUES, 503, "", true},
		{VALUES, 429, "slowly", true},
		{VALUES, 408, "too slow", true},
		{VALUES, 404, "is not here", false},
		{VALUES, 0, NULL, true}, // hangs up
		// Tables that others make at the same time.
		{"CREATE", 500, "Code: 57. DB::Exception: exists", true},
		{"CREATE", 500, "Code: 60. DB::Exception: no such table", true},
		{"CREATE", 404, "Code: 218. DB::Exception: dropped", true},
		{"CREATE", 500, "Code: 497. DB::Exception: access denied", false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = rows[i].needle,
					.reply = {.code = rows[i].code, .body = rows[i].body},
					.times = 1};
		struct pushed pushed = push(CLICKHOUSE, &script, NULL);

		T_EQ_I64_AT(pushed.status, rows[i].again ? PMON_OK : PMON_E_FORMAT,
			    rows[i].body != NULL ? rows[i].body : "hangs up");
		T_EQ_U64(pushed.counts.retries, rows[i].again);
		if (rows[i].again)
			T_EQ_U64(pushed.counts.sent, 8);
		else
			assert_non_null(strstr(pushed.err.msg, rows[i].body));
	}
}

static void
test_given_up(void **state)
{
	unsigned n = 0;

	(void)state;
	// A slow machine has no time for a third attempt at first.
	for (int64_t ms = 100; n <= 2 && ms <= 100000; ms *= 10) {
		struct script script = {.needle = VALUES, .reply = {.code = 503, .body = " \n"}};
		struct pmon_push_options options = {
			.size = sizeof(options),
			.retry = {.give_up_100ns = ms * PMON_TIME_PER_MSEC}};
		struct pushed pushed = push(CLICKHOUSE, &script, &options);
		size_t len = strlen(pushed.err.msg);

		assert_int_equal(pushed.status, PMON_E_IO);
		T_EQ_STR(pushed.err.msg + len - 11, "answers 503"); // with no text after it
		T_EQ_U64(pushed.counts.sent, 0);
		n = script.n;
	}
	assert_true(n > 2);
}

// A server may send a long message: the first 200 bytes are reported.
static void
test_long_words(void **state)
{
	char words[1001];
	struct script script = {.needle = VALUES, .reply = {.code = 400, .body = words}};
	struct pushed pushed;
	const char *told;

	(void)state;
	memset(words, 'w', sizeof(words) - 1);
	words[sizeof(words) - 1] = '\0';
	pushed = push(CLICKHOUSE, &script, NULL);
	assert_int_equal(pushed.status, PMON_E_FORMAT);
	told = strstr(pushed.err.msg, ": w");
	assert_non_null(told);
	assert_int_equal(strlen(told + 2), 200);
}

static void
test_answer_too_long(void **state)
{
	size_t len = 100000; // where nothing is to be said
	struct script script = {.needle = VALUES, .reply = {.code = 200, .body_len = len}};
	char *body = calloc(1, len);
	struct pushed pushed;

	(void)state;
	assert_non_null(body);
	script.reply.body = body;
	pushed = push(CLICKHOUSE, &script, NULL);
	free(body);
	assert_int_equal(pushed.status, PMON_E_LIMIT);
	assert_non_null(strstr(pushed.err.msg, "too long"));
	assert_int_equal(script.n, 1);
}

// The server reports a series whose key belongs to another one; but only among those requested.
static void
test_keys_that_were_not_asked_for(void **state)
{
	static const char *const bodies[] = {"short", "00000000-0000-0000-0000-000000000000\n"};

	(void)state;
	for (size_t i = 0; i < T_LEN(bodies); i++) {
		struct script script = {.needle = "uniqExact(identity)",
					.reply = {.code = 200, .body = bodies[i]}};
		struct pushed pushed = push(CLICKHOUSE, &script, NULL);

		assert_int_equal(pushed.status, PMON_E_FORMAT);
		T_EQ_U64(pushed.counts.sent, 0);
	}
}

// ---- Compressed rows ------------------------------------------------------------------------

#ifdef PMON_WITH_ZSTD

struct packing {
	const char *version;
	int code; // of the answer to compressed rows
	unsigned n_packed;
	unsigned n_plain;
};

// RFC 8878 has the first bytes of a frame.
static struct fake_http_reply
answer_packed(void *ctx, const struct fake_http_request *request)
{
	struct packing *packing = ctx;
	struct fake_http_reply reply = {.code = 200, .body = ""};

	if (strstr(request->body, "SELECT version()") != NULL) {
		reply.body = packing->version;
	} else if (strstr(request->target, VALUES) != NULL) {
		bool is_packed = strstr(request->head, "\r\nContent-Encoding: zstd\r\n") != NULL;

		assert_int_equal(is_packed, memcmp(request->body, "\x28\xb5\x2f\xfd", 4) == 0);
		packing->n_packed += is_packed;
		packing->n_plain += !is_packed;
		if (is_packed)
			reply = (struct fake_http_reply){.code = packing->code, .body = "Code: 48"};
	}
	return reply;
}

// If they are rejected, all rows are sent unchanged.
static void
test_compressed_rows(void **state)
{
	struct packing cases[] = {
		{"26.7.2.1\n", 200, 0, 0}, {"26.7.2.1\n", 400, 0, 0}, {"18.16.1\n", 200, 0, 0}};
	static const unsigned expected[][2] = {{1, 0}, {1, 1}, {0, 0}};

	(void)state;
	if (!push_is_there("clickhouse"))
		skip();
	for (size_t i = 0; i < T_LEN(cases); i++) {
		struct pmon_push_options options = {.size = sizeof(options), .batch_rows = 8};
		struct pushed pushed =
			push_to(fake_http_start(answer_packed, &cases[i]), CLICKHOUSE, &options);

		bool is_taken = expected[i][0] != 0;

		assert_int_equal(pushed.status, is_taken ? PMON_OK : PMON_E_UNSUPPORTED);
		T_EQ_U64(pushed.counts.sent, is_taken ? 8 : 0);
		assert_int_equal(cases[i].n_packed, expected[i][0]);
		assert_int_equal(cases[i].n_plain, expected[i][1]);
	}
}

#endif

// ---- Ids of statements ----------------------------------------------------------------------

// What a server has seen: the ids of the first two statements that read the ledger, of any other one, and the body
// of the last request.
struct statements {
	int code; // of the answers to the first
	unsigned n_ledger;
	char ids[2][PMON_HASH128_SIZE];
	char other[PMON_HASH128_SIZE];
	char last[200];
};

static void
take_id(const char *target, char id[PMON_HASH128_SIZE])
{
	const char *at = strstr(target, "query_id=");

	(void)snprintf(id, PMON_HASH128_SIZE, "%s", at != NULL ? at + strlen("query_id=") : "");
}

// 216 is QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING in ClickHouse's ErrorCodes.cpp.
static struct fake_http_reply
answer_statements(void *ctx, const struct fake_http_request *request)
{
	struct statements *s = ctx;

	(void)snprintf(s->last, sizeof(s->last), "%s", request->body);
	if (strncmp(request->body, "SELECT batch, max(rows)", 23) != 0) {
		if (strncmp(request->body, "SELECT views", 12) == 0 ||
		    strncmp(request->body, "EXISTS", 6) == 0)
			take_id(request->target, s->other);
		return (struct fake_http_reply){
			.code = 200,
			.body = strcmp(request->body, "SELECT version()") == 0 ? "26.7.1.1\n" : ""};
	}
	if (s->n_ledger < 2)
		take_id(request->target, s->ids[s->n_ledger]);
	if (s->n_ledger++ == 0 || s->code != 500)
		return (struct fake_http_reply){
			.code = s->code, .body = "Code: 216. DB::Exception: is already running"};
	return (struct fake_http_reply){.code = 200};
}

static void
test_attempts_share_an_id(void **state)
{
	struct statements s = {.code = 500};
	struct pushed pushed;

	(void)state;
	if (!push_is_there("clickhouse"))
		skip();
	pushed = push_to(fake_http_start(answer_statements, &s), CLICKHOUSE, NULL);
	assert_int_equal(pushed.status, PMON_OK);
	T_EQ_U64(pushed.counts.retries, 1);
	T_EQ_U64(strlen(s.ids[0]), PMON_HASH128_SIZE - 1);
	T_EQ_STR(s.ids[0], s.ids[1]);
	T_EQ_U64(strlen(s.other), PMON_HASH128_SIZE - 1);
	assert_string_not_equal(s.other, s.ids[0]);
}

static void
test_given_up_is_cancelled(void **state)
{
	struct statements s = {.code = 503};
	struct pushed pushed;
	char expected[200];

	(void)state;
	if (!push_is_there("clickhouse"))
		skip();
	pushed = push_to(fake_http_start(answer_statements, &s), CLICKHOUSE, &gives_up);
	assert_int_equal(pushed.status, PMON_E_IO);
	(void)snprintf(expected, sizeof(expected), "KILL QUERY WHERE query_id = '%s' ASYNC",
		       s.ids[0]);
	T_EQ_STR(s.last, expected);
}

// ---- Who asks -------------------------------------------------------------------------------

// RFC 7617 has the example of Aladdin, RFC 6750 that of the token.
static void
test_credentials(void **state)
{
	struct script script = {.needle = "nothing"};
	struct pmon_push_options options = {
		.size = sizeof(options), .user = "Aladdin", .password = "open sesame"};

	(void)state;
	assert_int_equal(push(PROMETHEUS, &script, &options).status, PMON_OK);
	assert_non_null(
		strstr(script.head, "\r\nAuthorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n"));
	options.password = NULL;
	assert_int_equal(push(PROMETHEUS, &script, &options).status, PMON_OK);
	assert_non_null(strstr(script.head, "\r\nAuthorization: Basic QWxhZGRpbjo=\r\n"));
	options = (struct pmon_push_options){.size = sizeof(struct pmon_push_options),
					     .token = "mF_9.B5f-4.1JqM"};
	assert_int_equal(push(PROMETHEUS, &script, &options).status, PMON_OK);
	assert_non_null(strstr(script.head, "\r\nAuthorization: Bearer mF_9.B5f-4.1JqM\r\n"));
}

// Without encryption, secrets are only sent to this machine.
static void
test_secrets_stay_here(void **state)
{
	static const struct {
		const char *url;
		bool is_here;
	} rows[] = {
		{"prometheus+http://127.0.0.1:9090", true},
		{"prometheus+http://127.9.9.9:9090", true},
		{"prometheus+http://localhost:9090", true},
		{"prometheus+http://[::1]:9090", true},
		{"prometheus+http://[::2]:9090", false},
		{"prometheus+http://128.0.0.1:9090", false},
		{"prometheus+http://localhost.example.org:9090", false},
		{"prometheus+http://a-name-that-is-longer-than-sixty-four-characters-"
		 "because-it-has-many-words.example.org",
		 false},
		{"prometheus+https://example.org", true},
	};
	struct pmon_push_options options = {.size = sizeof(options), .token = "secret"};
	struct pmon_err err;

	(void)state;
	if (!push_is_there("prometheus"))
		skip();
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_sink *sink = NULL;

		T_EQ_I64_AT(pmon_push_open(rows[i].url, &options, &sink, &err),
			    rows[i].is_here ? PMON_OK : PMON_E_ARG, rows[i].url);
		if (sink != NULL)
			pmon_sink_close(sink);
		else
			assert_null(strstr(err.msg, "secret"));
	}
}

// Headers are in each request; one that is malformed, or that pmon sets itself, is none. Those with keys are secrets;
// messages show no values.
static void
test_headers(void **state)
{
	static const struct {
		const char *header;
		const char *url;
		enum pmon_status status;
	} rows[] = {
		{"X-Scope-OrgID: sales", "prometheus+http://192.0.2.1", PMON_OK},
		{"DD-API-KEY: quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"Authorization: quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"DD-API-KEY: quiet", "prometheus+http://127.0.0.1", PMON_OK},
		{"DD-API-KEY: quiet", "otlp+https://192.0.2.1", PMON_OK},
		{"X-Scope-OrgID:", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"X-Scope-OrgID: ", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"X-Scope-OrgID quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{": quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"A: quiet\r\nB: quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"content-type: quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
		{"Host: quiet", "prometheus+http://192.0.2.1", PMON_E_ARG},
	};
	struct script script = {.needle = "nothing"};
	static const char *const both[] = {"X-Scope-OrgID: sales", "X-Other: a, b", NULL};
	struct pmon_push_options options = {.size = sizeof(options), .headers = both};

	(void)state;
	assert_int_equal(push(PROMETHEUS, &script, &options).status, PMON_OK);
	assert_non_null(strstr(script.head, "\r\nX-Scope-OrgID: sales\r\n"));
	assert_non_null(strstr(script.head, "\r\nX-Other: a, b\r\n"));
	for (size_t i = 0; i < T_LEN(rows); i++) {
		const char *const headers[] = {rows[i].header, NULL};
		struct pmon_sink *sink = NULL;
		struct pmon_err err;

		options.headers = headers;
		T_EQ_I64_AT(pmon_push_open(rows[i].url, &options, &sink, &err), rows[i].status,
			    rows[i].header);
		if (sink != NULL)
			pmon_sink_close(sink);
		else
			assert_null(strstr(err.msg, "quiet"));
	}
}

// A file of certificates that is not there will not be there in a second either.
static void
test_no_certificates(void **state)
{
	struct script script = {.needle = "nothing"};
	struct pmon_push_options options = {.size = sizeof(options),
					    .ca_file = "/nonexistent/ca.pem"};
	struct pushed pushed = push("prometheus+https://127.0.0.1:%u", &script, &options);

	(void)state;
	assert_int_equal(pushed.status, PMON_E_UNSUPPORTED);
	assert_int_equal(script.n_all, 0);
}

static bool
always(void *ctx)
{
	(void)ctx;
	return true;
}

static void
test_interrupted(void **state)
{
	struct script script = {.needle = "nothing"};
	struct pmon_push_options options = {.size = sizeof(options), .cancel = always};
	struct pushed pushed = push(PROMETHEUS, &script, &options);

	(void)state;
	assert_int_equal(pushed.status, PMON_E_STATE);
	T_EQ_STR(pushed.err.msg, "interrupted");
}

// However long a server asks to wait, the limit for all attempts comes first.
static void
test_retry_after_is_capped(void **state)
{
	struct script script = {.needle = "write",
				.reply = {.code = 503, .headers = "Retry-After: 86400\r\n"},
				.times = 1};
	struct pushed pushed = push(PROMETHEUS, &script, &gives_up);

	(void)state;
	assert_int_equal(pushed.status, PMON_OK);
	T_EQ_U64(pushed.counts.retries, 1);
}

// Without a message, the status alone decides whether the request may be repeated: RFC 9110, 15.5.9
// and 15.6.
static void
test_statuses(void **state)
{
	static const struct {
		int code;
		bool again;
	} rows[] = {{408, true}, {429, true}, {500, true}, {599, true}, {410, false}, {304, false}};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {
			.needle = "write", .reply = {.code = rows[i].code}, .times = 1};
		struct pushed pushed = push(PROMETHEUS, &script, NULL);

		T_EQ_I64(pushed.status, rows[i].again ? PMON_OK : PMON_E_FORMAT);
		T_EQ_U64(pushed.counts.retries, rows[i].again);
	}
}

// ---- Names ----------------------------------------------------------------------------------

// Names written unquoted into statements are plain.
static void
test_names_of_databases(void **state)
{
	static const struct {
		const char *url;
		enum pmon_status status;
	} rows[] = {
		{"clickhouse+http://a/perf_1", PMON_OK},
		{"clickhouse+http://a/1perf", PMON_E_ARG},
		{"clickhouse+http://a/pe-rf", PMON_E_ARG},
		{"clickhouse+http://a/", PMON_E_ARG},
		{"clickhouse+http://a,b/perf", PMON_E_ARG},
		{"clickhouse+http://a/"
		 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		 "a"
		 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		 "a",
		 PMON_E_ARG},
	};

	(void)state;
	if (!push_is_there("clickhouse"))
		skip();
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_push_options options = {.size = sizeof(options)};
		struct pmon_sink *sink = NULL;

		T_EQ_I64_AT(pmon_push_open(rows[i].url, &options, &sink, NULL), rows[i].status,
			    rows[i].url);
		if (sink != NULL)
			pmon_sink_close(sink);
	}
}

// ---- Prometheus -----------------------------------------------------------------------------

// If a batch is refused as too old, only its last samples are sent again. The message is that of Prometheus
// (storage/interface.go).
static void
test_out_of_order(void **state)
{
	static const struct {
		struct fake_http_reply then;
		enum pmon_status status;
		const char *words;
	} rows[] = {
		{{.code = 204}, PMON_OK, NULL},
		{{.code = 400, .body = "duplicate sample for timestamp"},
		 PMON_E_FORMAT,
		 "out of order"},
		{{.code = 400, .body = "something else"}, PMON_E_FORMAT, "something else"},
		{{.code = 503, .body = "going down"}, PMON_E_IO, "going down"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = "write",
					.reply = {.code = 400, .body = "out of order sample"},
					.times = 1,
					.then = rows[i].then};
		struct pushed pushed =
			push(PROMETHEUS, &script, rows[i].status == PMON_E_IO ? &gives_up : NULL);

		assert_int_equal(pushed.status, rows[i].status);
		if (rows[i].words != NULL)
			assert_non_null(strstr(pushed.err.msg, rows[i].words));
		else
			T_EQ_U64(pushed.counts.stored, 4); // of the first batch
	}
}

// The path of a URL, with and without its slashes.
static void
test_targets(void **state)
{
	static const char *const urls[] = {PROMETHEUS "/", PROMETHEUS "//",
					   "http://127.0.0.1:%u/api/v1/write/"};

	(void)state;
	for (size_t i = 0; i < T_LEN(urls); i++) {
		struct script script = {.needle = "nothing"};

		assert_int_equal(push(urls[i], &script, NULL).status, PMON_OK);
		T_EQ_I64_AT(strncmp(script.head, "POST /api/v1/write HTTP", 23), 0, urls[i]);
	}
}

// ---- VictoriaMetrics ------------------------------------------------------------------------

// Started a minute before 2020-01-11, which is ten days after the first sample of the log, and up for a minute.
#define METRICS "a 1\nvm_app_start_timestamp 1578700740\nvm_app_uptime_seconds 60\n"
#define KEPT(n) METRICS "flag{name=\"retentionPeriod\", value=\"" n "\", is_set=\"true\"} 1\n"

static bool
is_told(void *ctx)
{
	return *(const bool *)ctx;
}

// From here on the user wants an end.
static void
note(void *ctx, const struct pmon_notice *notice)
{
	if (strstr(notice->text, "waiting some seconds") != NULL)
		*(bool *)ctx = true;
}

// Its -retentionPeriod is in months without a unit (docs of VictoriaMetrics, "Retention"); what is older would be
// dropped without a word.
static void
test_retention(void **state)
{
	static const struct {
		const char *metrics;
		bool is_kept;
	} rows[] = {
		{KEPT("1"), true},
		{KEPT("0.1"), false},
		{KEPT("9d"), false},
		{KEPT("11d"), true},
		{KEPT("200h"), false},
		{KEPT("300h"), true},
		{KEPT("1w"), false},
		{KEPT("2w"), true},
		{KEPT("1y"), true},
		{KEPT("0.02y"), false},
		{KEPT(""), true},
		{KEPT("long"), true},
		{KEPT("0"), true},
		{KEPT("1e300"), true},
		{METRICS, true},
		{"x\nvm_app_start_timestamp 1578700800", true},
		{"x\nvm_app_start_timestamp soon\nvm_app_uptime_seconds 0\n", true},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = "/metrics",
					.reply = {.code = 200, .body = rows[i].metrics}};
		bool told = false;
		struct pmon_push_options options = {.size = sizeof(options),
						    .notice = note,
						    .notice_ctx = &told,
						    .cancel = is_told,
						    .cancel_ctx = &told};
		struct pushed pushed = push(VICTORIA, &script, &options);

		T_EQ_I64_AT(pushed.status, rows[i].is_kept ? PMON_E_STATE : PMON_E_UNSUPPORTED,
			    rows[i].metrics);
		assert_non_null(strstr(pushed.err.msg, rows[i].is_kept ? "before VictoriaMetrics"
								       : "-retentionPeriod"));
		T_EQ_U64_AT(pushed.counts.sent, rows[i].is_kept ? 8 : 0, rows[i].metrics);
	}
}

// A server that has just started, and has been up for a second when it is asked again.
struct young {
	unsigned n_asked;
	unsigned n_early; // batches that it was sent before
	unsigned n_batches;
};

static struct fake_http_reply
answer_young(void *ctx, const struct fake_http_request *request)
{
	struct young *young = ctx;
	bool is_up = young->n_asked > 0;

	if (strstr(request->target, "/metrics") == NULL) {
		young->n_batches++;
		young->n_early += young->n_asked < 2;
		return (struct fake_http_reply){.code = 200, .body = ""};
	}
	young->n_asked++;
	return (struct fake_http_reply){
		.code = 200,
		.body = is_up ? "x\nvm_app_start_timestamp 1578700800\nvm_app_uptime_seconds 1\n"
			      : "x\nvm_app_start_timestamp 1578700800\nvm_app_uptime_seconds 0\n"};
}

// A server that is killed and restarted within a second looks the same afterwards, because its
// start time is in whole seconds. Its count of writes does not help either: a write whose answer
// was lost counts twice. So nothing is sent until it has been up for a second.
static void
test_young(void **state)
{
	struct young young = {.n_asked = 0};
	bool told = false;
	struct pmon_push_options options = {.size = sizeof(options),
					    .notice = note,
					    .notice_ctx = &told,
					    .cancel = is_told,
					    .cancel_ctx = &told};
	struct pushed pushed;

	(void)state;
	if (!push_is_there("prometheus"))
		skip();
	pushed = push_to(fake_http_start(answer_young, &young), VICTORIA, &options);
	assert_int_equal(pushed.status, PMON_E_STATE); // interrupted when it waits for the disk
	assert_true(young.n_batches > 0);
	T_EQ_U64(young.n_early, 0);
}

// If it does not report its start time, being accepted has to be enough.
static void
test_no_metrics(void **state)
{
	size_t len = (size_t)5 << 20;
	char *much = calloc(1, len);
	struct script script = {.needle = "/metrics", .reply = {.code = 404, .body = "no"}};

	(void)state;
	assert_non_null(much);
	assert_int_equal(push(VICTORIA, &script, NULL).status, PMON_OK);
	script.reply = (struct fake_http_reply){.code = 200, .body = much, .body_len = len};
	assert_int_equal(push(VICTORIA, &script, NULL).status, PMON_OK);
	script.reply = (struct fake_http_reply){.code = 503, .body = "later"};
	assert_int_equal(push(VICTORIA, &script, &gives_up).status, PMON_E_IO);
	free(much);
}

// ---- Time -----------------------------------------------------------------------------------

// The header with which a server tells a time, as RFC 9110 (5.6.7) has it.
static void
print_date(pmon_time time, char buf[64])
{
	time_t seconds = (time_t)((time - PMON_TIME_EARLIEST) / PMON_TIME_PER_SEC);
	struct tm tm;

	assert_true(strftime(buf, 64, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n",
			     gmtime_r(&seconds, &tm)) > 0);
}

// The samples are of T0 and of the three seconds after it, with two values each. The clock advances during a test, so
// the rows stay away from the very limit.
static void
test_clock(void **state)
{
	static const char *const urls[] = {CLICKHOUSE, PROMETHEUS, VICTORIA};
	static const struct {
		int64_t clock; // after T0, in seconds
		bool allows;
		uint64_t ahead;
	} rows[] = {
		{0, false, 0},          {86400, false, 0}, {-500, false, 0},
		{-1000, false, 8},      {-1000, true, 0},  {-400000000, false, 8}, // 2007
		{1000000000, false, 0},                                            // 2051
	};
	char date[64];

	(void)state;
	for (size_t i = 0; i < T_LEN(rows) * T_LEN(urls); i++) {
		size_t r = i % T_LEN(rows);
		struct script script = {.needle = "no such text", .date = date};
		struct pmon_push_options options = {.size = sizeof(options),
						    .allow_future = rows[r].allows};
		struct pushed pushed;

		print_date(T0 + rows[r].clock * SECOND, date);
		pushed = push(urls[i / T_LEN(rows)], &script, &options);
		assert_int_equal(pushed.status, PMON_OK);
		T_EQ_U64_AT(pushed.counts.ahead, rows[r].ahead, date);
		T_EQ_U64_AT(pushed.counts.sent, 8 - rows[r].ahead, date);
		T_EQ_U64_AT(pushed.counts.stored, 0, date);
	}
}

// A server that does not tell the time, or not so that it can be read, is asked nothing more: the clock of this machine
// counts, and the samples are older than that.
static void
test_no_clock(void **state)
{
	static const char long_date[] = "Date: Sun, 06 Nov 94 08:49:37 GMT, and so on, and so on, "
					"and so on, and so on, and so on\r\n";
	static const char *const dates[] = {"", "Date: soon\r\n", "Date: \r\n", long_date,
					    "Dated: Thu, 01 Jan 1970 00:00:00 GMT\r\n"};

	(void)state;
	for (size_t i = 0; i < T_LEN(dates); i++) {
		struct script script = {.needle = "no such text", .date = dates[i]};
		struct pushed pushed = push(PROMETHEUS, &script, NULL);

		assert_int_equal(pushed.status, PMON_OK);
		T_EQ_U64_AT(pushed.counts.sent, 8, dates[i]);
	}
}

// Take whatever comes and answer nothing.
static void
be_silent(void *ctx, int fd)
{
	char byte;

	(void)ctx;
	while (fake_server_read(fd, &byte, 1))
		continue;
}

// The end of all attempts is also the end of one that lasts: otherwise this takes the two minutes of the timeout for
// each.
static void
test_silence(void **state)
{
	struct pushed pushed;
	int ctx = 0;

	(void)state;
	if (!push_is_there("prometheus"))
		skip();
	pushed = push_to(fake_server_start(be_silent, &ctx, sizeof(ctx)), PROMETHEUS, &gives_up);
	assert_int_equal(pushed.status, PMON_E_IO);
	T_EQ_U64(pushed.counts.retries, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_retried_answers),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_answer_too_long),
		cmocka_unit_test(test_keys_that_were_not_asked_for),
#ifdef PMON_WITH_ZSTD
		cmocka_unit_test(test_compressed_rows),
#endif
		cmocka_unit_test(test_attempts_share_an_id),
		cmocka_unit_test(test_given_up_is_cancelled),
		cmocka_unit_test(test_credentials),
		cmocka_unit_test(test_secrets_stay_here),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_no_certificates),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_retry_after_is_capped),
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_names_of_databases),
		cmocka_unit_test(test_out_of_order),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_retention),
		cmocka_unit_test(test_young),
		cmocka_unit_test(test_no_metrics),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_no_clock),
		cmocka_unit_test(test_silence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
