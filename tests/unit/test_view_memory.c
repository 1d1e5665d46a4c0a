// test_view_memory.c - the server of pmon view and pmon serve when memory is short, and bad requests
// SPDX-License-Identifier: MIT
//
// malloc() and its like are defined here, before those of the C library. Each allocation for an answer fails in turn:
// the answer is whole then, or says that memory is short, and all memory is given back.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include "memsource.h"
#include "moments.h"
#include "os/term.h"
#include "text/stream.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define HAS_OWN_MALLOC
#endif
#endif

#if defined(PMON_WITH_WEB) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&              \
	!defined(__SANITIZE_THREAD__) && !defined(HAS_OWN_MALLOC)

#include "web/api.h"
#include "web/events.h"
#include "web/guard.h"
#include "web/metrics.h"
#include "web/view.h"
#include "web/view_private.h"

// ---- Memory ---------------------------------------------------------------------------------

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);
extern void __libc_free(void *ptr);

#define FOR_ALL __attribute__((visibility("default"))) // the C library calls them too

static _Thread_local struct {
	bool is_on;
	size_t calls;
	size_t fail_at; // 0: none
	bool fail_rest;
	long live; // blocks
} memory;

static bool
fails(void)
{
	if (!memory.is_on)
		return false;
	memory.calls++;
	return memory.fail_at != 0 && (memory.calls == memory.fail_at ||
				       (memory.fail_rest && memory.calls > memory.fail_at));
}

static void *
count(void *block)
{
	memory.live += memory.is_on && block != NULL;
	return block;
}

FOR_ALL void *
malloc(size_t size)
{
	return fails() ? NULL : count(__libc_malloc(size));
}

FOR_ALL void *
calloc(size_t n, size_t size)
{
	return fails() ? NULL : count(__libc_calloc(n, size));
}

FOR_ALL void *
realloc(void *ptr, size_t size)
{
	if (fails())
		return NULL;
	return ptr == NULL ? count(__libc_malloc(size)) : __libc_realloc(ptr, size);
}

FOR_ALL void
free(void *ptr)
{
	memory.live -= memory.is_on && ptr != NULL;
	__libc_free(ptr);
}

static void
begin_memory(size_t fail_at, bool fail_rest)
{
	memory.calls = 0;
	memory.fail_at = fail_at;
	memory.fail_rest = fail_rest;
	memory.live = 0;
	memory.is_on = true;
}

// ---- A view ---------------------------------------------------------------------------------

static struct pmon_source *source;
static struct view *view;

// Three counters, one of which is reset and was absent for some time.
static struct pmon_source *
make_log(void)
{
	struct mem_source *m = mem_source_new();
	uint32_t a = mem_source_series(m, "\\\\S\\Process(x)\\IO Reads", PMON_PERF_COUNTER_COUNTER,
				       1000);
	uint32_t b = mem_source_series(m, "\\\\S\\Memory\\Available MBytes",
				       PMON_PERF_COUNTER_RAWCOUNT, 1);
	uint32_t c = mem_source_series(m, "\\\\S\\Process(y10)\\IO Reads",
				       PMON_PERF_COUNTER_COUNTER, 1000);

	for (int i = 0; i < 600; i++) {
		mem_source_sample(m, T0 + i * SECOND);
		mem_source_raw(m, a, i < 300 ? 7 * i : i, 1000 * i);
		mem_source_raw(m, b, 100 + i % 9, 0);
		if (i < 100 || i > 200)
			mem_source_raw(m, c, 3 * i, 1000 * i);
	}
	return mem_source_open(m);
}

static int
open_view(void **state)
{
	struct set_plan plans[VIEW_SETS] = {{.n_files = 0}};
	struct pmon_calc_options calc = {.policy = PMON_POLICY_DEFAULT};

	(void)state;
	source = make_log();
	plans[0].source = source;
	if (view_new(&view, NULL) != PMON_OK || view_open(view, plans, &calc, NULL) != PMON_OK)
		return -1;
	while (set_facts(view->sets[0]).state == SET_LOADING)
		pmon_os_sleep(PMON_TIME_PER_MSEC);
	return 0;
}

static int
close_view(void **state)
{
	(void)state;
	view_stop(view);
	view_free(view);
	pmon_source_close(source);
	return 0;
}

// ---- Answers --------------------------------------------------------------------------------

#define MOST_PARAMS 4

struct request {
	const char *path;
	struct call_param params[MOST_PARAMS]; // lengths are filled in
};

struct answer {
	unsigned status;
	char param[20]; // at fault
	char *text;     // NULL: none
	size_t len;
	bool is_uncounted; // the text is of memory that does not count
};

// Reads the file of an answer.
static void
take_file(struct call *call, struct answer *answer)
{
	bool was_on = memory.is_on;

	memory.is_on = false;
	answer->len = (size_t)lseek(call->fd, 0, SEEK_END);
	answer->text = malloc(answer->len + 1);
	assert_non_null(answer->text);
	assert_int_equal(pread(call->fd, answer->text, answer->len, 0), answer->len);
	answer->text[answer->len] = '\0';
	answer->is_uncounted = true;
	(void)close(call->fd);
	memory.is_on = was_on;
}

// The first event of a stream.
static void
take_event(struct call *call, struct answer *answer)
{
	static char buf[1 << 16];
	size_t n = events_read(call->events, buf, sizeof(buf));
	bool was_on = memory.is_on;

	events_close(call->events);
	memory.is_on = false;
	answer->text = calloc(1, n + 1);
	assert_non_null(answer->text);
	memcpy(answer->text, buf, n);
	answer->len = n;
	answer->is_uncounted = true;
	memory.is_on = was_on;
	if (n == 0)
		answer->status = 500; // an end of the stream
}

// As the server does it.
static struct answer
ask(const struct request *request)
{
	struct answer answer = {.status = 0};
	struct call call = {.view = view, .path = request->path, .status = 200, .fd = -1};
	char *text = NULL;
	size_t len = 0;

	for (size_t i = 0; i < MOST_PARAMS && request->params[i].name != NULL; i++) {
		call.params[call.n_params] = request->params[i];
		call.params[call.n_params++].len = strlen(request->params[i].value);
	}
	call.json.stream = open_memstream(&text, &len);
	if (call.json.stream == NULL)
		return (struct answer){.status = 500};
	api_find(request->path)->answer(&call);
	call_end(&call);
	if (!text_stream_close(call.json.stream, &text))
		call_no_memory(&call);
	answer.status = call.status;
	if (call.error_param != NULL)
		(void)snprintf(answer.param, sizeof(answer.param), "%s", call.error_param);
	if (call.status != 200) {
		free(text);
		events_close(call.events);
		if (call.fd >= 0)
			(void)close(call.fd);
		return answer;
	}
	if (call.fd >= 0 || call.events != NULL)
		free(text);
	if (call.fd >= 0)
		take_file(&call, &answer);
	else if (call.events != NULL)
		take_event(&call, &answer);
	else
		answer.text = text, answer.len = len;
	return answer;
}

static const struct request good[] = {
	{"/api/log", {{0}}},
	{"/api/tree", {{0}}},
	{"/api/tree", {{"machine", "S", 0}, {"object", "Process", 0}, {"limit", "1", 0}}},
	{"/api/tree", {{"machine", "S", 0}, {"object", "Process", 0}, {"counter", "IO Reads", 0}}},
	{"/api/tree", {{"q", "reads", 0}}},
	{"/api/select", {{"pattern", "\\Process(*)\\*", 0}}},
	{"/api/first", {{"max", "3", 0}}},
	{"/api/series", {{"ids", "0,1,2", 0}}},
	{"/api/matching", {{"ids", "1", 0}}},
	{"/api/data", {{"ids", "0,1,2", 0}, {"columns", "50", 0}}},
	{"/api/explain", {{"id", "0", 0}}},
	{"/api/explain", {{"id", "2", 0}, {"at", "2020-01-01T00:03:30Z", 0}}},
	{"/api/marks", {{"ids", "0,2", 0}}},
	{"/api/export", {{"ids", "0,2", 0}, {"format", "csv", 0}}},
	{"/api/export",
	 {{"ids", "0,2", 0},
	  {"format", "json", 0},
	  {"from", "2020-01-01T00:03:10Z", 0},
	  {"to", "2020-01-01T00:05:10Z", 0}}},
	{"/api/events", {{"ids", "0", 0}}},
};

static void
check_short(const struct request *request, const struct answer *whole, bool rest)
{
	for (size_t n = 1;; n++) {
		struct answer answer;
		size_t calls;

		begin_memory(n, rest);
		answer = ask(request);
		calls = memory.calls;
		memory.is_on = false;
		memory.live -= answer.text != NULL && !answer.is_uncounted;
		if (memory.live != 0)
			fail_msg("%s: %ld blocks stay when allocation %zu fails", request->path,
				 memory.live, n);
		if (answer.status != 200)
			assert_int_equal(answer.status, 500);
		else
			T_EQ_STR_AT(answer.len == whole->len ? "whole" : answer.text, "whole",
				    request->path);
		free(answer.text);
		if (calls < n)
			break;
	}
}

static void
test_answers_when_memory_is_short(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++) {
		struct answer whole = ask(&good[i]);

		T_EQ_I64_AT(whole.status, 200, good[i].path);
		assert_true(whole.len > 10);
		check_short(&good[i], &whole, false);
		check_short(&good[i], &whole, true);
		free(whole.text);
	}
}

// ---- Requests that are wrong ----------------------------------------------------------------

// docs/reference/api.md, "Errors": 400 for a parameter that cannot be, 404 for what is not there; the parameter is named.
static const struct {
	struct request request;
	unsigned status;
	const char *param;
} bad_requests[] = {
	{{"/api/explain", {{0}}}, 400, "id"},
	{{"/api/explain", {{"id", "x", 0}}}, 400, "id"},
	{{"/api/explain", {{"id", "3", 0}}}, 404, "id"},
	{{"/api/explain", {{"id", "0", 0}, {"at", "noon", 0}}}, 400, "at"},
	{{"/api/explain", {{"id", "0", 0}, {"from", "noon", 0}}}, 400, "from"},
	{{"/api/explain", {{"id", "0", 0}, {"to", "noon", 0}}}, 400, "to"},
	{{"/api/explain", {{"id", "0", 0}, {"from", "2021-01-01T00:00:00Z", 0}}}, 404, "from"},
	{{"/api/series", {{0}}}, 400, "ids"},
	{{"/api/series", {{"ids", "", 0}}}, 400, "ids"},
	{{"/api/series", {{"ids", "0,", 0}}}, 400, "ids"},
	{{"/api/series", {{"ids", "0,0", 0}}}, 400, "ids"},
	{{"/api/series", {{"ids", "0,9", 0}}}, 404, "ids"},
	{{"/api/matching", {{"ids", "0", 0}, {"to_set", "1", 0}}}, 404, "to_set"},
	{{"/api/matching", {{"ids", "0", 0}, {"to_set", "2", 0}}}, 400, "to_set"},
	{{"/api/matching", {{0}}}, 400, "ids"},
	{{"/api/data", {{0}}}, 400, "ids"},
	{{"/api/data", {{"ids", "0", 0}, {"columns", "0", 0}}}, 400, "columns"},
	{{"/api/data", {{"ids", "0", 0}, {"columns", "9999", 0}}}, 400, "columns"},
	{{"/api/data", {{"ids", "0", 0}, {"from", "x", 0}}}, 400, "from"},
	{{"/api/data",
	  {{"ids", "0", 0},
	   {"from", "2020-01-02T00:00:00Z", 0},
	   {"to", "2020-01-01T00:00:00Z", 0}}},
	 400,
	 "to"},
	{{"/api/marks", {{"ids", "x", 0}}}, 400, "ids"},
	{{"/api/marks", {{"from", "x", 0}}}, 400, "from"},
	{{"/api/export", {{"ids", "0", 0}}}, 400, "format"},
	{{"/api/export", {{"ids", "0", 0}, {"format", "xml", 0}}}, 400, "format"},
	{{"/api/export", {{"format", "csv", 0}}}, 400, "ids"},
	{{"/api/export", {{"ids", "0", 0}, {"format", "csv", 0}, {"to", "x", 0}}}, 400, "to"},
	{{"/api/first", {{"max", "0", 0}}}, 400, "max"},
	{{"/api/tree", {{"offset", "-1", 0}}}, 400, "offset"},
	{{"/api/tree", {{"limit", "0", 0}}}, 400, "limit"},
	{{"/api/tree", {{"object", "O", 0}}}, 400, "object"},
	{{"/api/tree", {{"machine", "S", 0}, {"counter", "C", 0}}}, 400, "counter"},
	{{"/api/select", {{"limit", "x", 0}}}, 400, "limit"},
	{{"/api/select", {{"pattern", "no path", 0}}}, 400, "pattern"},
	{{"/api/events", {{"ids", "7", 0}}}, 404, "ids"},
	{{"/api/events", {{"interval_ms", "x", 0}}}, 400, "interval_ms"},
};

static void
test_bad_requests(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(bad_requests); i++) {
		struct answer answer = ask(&bad_requests[i].request);
		char label[100];

		(void)snprintf(label, sizeof(label), "%zu: %s", i, bad_requests[i].request.path);
		T_EQ_I64_AT(answer.status, bad_requests[i].status, label);
		T_EQ_STR_AT(answer.param, bad_requests[i].param, label);
	}
}

// The same of the parameter `set`, which each but the first has.
static void
test_bad_sets(void **state)
{
	(void)state;
	for (size_t i = 1; i < T_LEN(good); i++) {
		struct request request = {good[i].path, {{"set", "1", 0}}};

		T_EQ_I64_AT(ask(&request).status, 404, good[i].path);
		request.params[0].value = "two";
		T_EQ_I64_AT(ask(&request).status, 400, good[i].path);
	}
}

// ---- Opening --------------------------------------------------------------------------------

// The thread that reads has memory; that of the caller has none.
static void
test_opening_when_memory_is_short(void **state)
{
	struct set_plan plans[VIEW_SETS] = {{.n_files = 0}};
	struct pmon_calc_options calc = {.policy = PMON_POLICY_DEFAULT};
	struct pmon_source *log = make_log();
	enum pmon_status status;
	struct view *own;

	(void)state;
	plans[0].source = log;
	for (size_t n = 1; n <= 3; n++) {
		own = NULL;
		begin_memory(n, true);
		status = view_new(&own, NULL);
		if (status == PMON_OK)
			status = view_open(own, plans, &calc, NULL);
		memory.is_on = false;
		assert_int_equal(status, PMON_E_NOMEM);
		view_stop(own);
		view_free(own);
	}
	pmon_source_close(log);
}

// A store takes samples until memory is short; then it reports that.
static void
test_store_when_memory_is_short(void **state)
{
	(void)state;
	for (size_t n = 1;; n++) {
		struct pmon_source *log = make_log();
		const struct pmon_sample *sample;
		struct store *store = NULL;
		enum pmon_status status;
		size_t calls;

		begin_memory(n, false);
		status = store_new(n % 2 == 0 ? 0 : 50 * SECOND, &store, NULL);
		while (status == PMON_OK && pmon_source_next(log, &sample, NULL) == PMON_OK)
			status = store_add(store, pmon_source_schema(log), sample, NULL);
		store_free(store);
		calls = memory.calls;
		memory.is_on = false;
		assert_int_equal(memory.live, 0);
		pmon_source_close(log);
		assert_int_equal(status, calls < n ? PMON_OK : PMON_E_NOMEM);
		if (calls < n)
			break;
	}
}

// Without what differs each time.
static void
cut_duration(char *text)
{
	char *at = text != NULL ? strstr(text, "pmon_serve_scrape_duration_seconds_sum") : NULL;

	if (at != NULL)
		*at = '\0';
}

static enum pmon_status
scrape(const struct metrics_plan *plan, struct answer *answer)
{
	struct call call = {.path = "/metrics", .status = 200, .fd = -1};
	struct metrics *metrics;
	enum pmon_status status = metrics_open(plan, &metrics, NULL);

	*answer = (struct answer){.status = 500};
	if (status != PMON_OK)
		return status;
	call.site = metrics;
	call.json.stream = open_memstream(&answer->text, &answer->len);
	if (call.json.stream != NULL) {
		metrics_answer(&call);
		if (!text_stream_close(call.json.stream, &answer->text))
			call_no_memory(&call);
		answer->status = call.status;
	}
	metrics_close(metrics);
	cut_duration(answer->text);
	return status;
}

static void
test_metrics_when_memory_is_short(void **state)
{
	struct answer whole;
	struct metrics_plan plan = {.source = make_log(), .speed = 1};

	(void)state;
	assert_int_equal(scrape(&plan, &whole), PMON_OK);
	assert_int_equal(whole.status, 200);
	assert_non_null(strstr(whole.text, "memory"));
	pmon_source_close(plan.source);
	for (size_t n = 1;; n++) {
		struct answer answer;
		enum pmon_status status;
		size_t calls;
		bool is_whole;

		plan.source = make_log();
		begin_memory(n, false);
		status = scrape(&plan, &answer);
		is_whole = status == PMON_OK && answer.status == 200;
		if (is_whole)
			assert_string_equal(answer.text, whole.text);
		free(answer.text);
		calls = memory.calls;
		memory.is_on = false;
		assert_int_equal(memory.live, 0);
		pmon_source_close(plan.source);
		if (calls < n) {
			assert_true(is_whole);
			break;
		}
		if (!is_whole)
			assert_true(status == PMON_E_NOMEM || answer.status == 500);
	}
	free(whole.text);
}

// ---- Who may ask ----------------------------------------------------------------------------

// RFC 9110, 7.2 "Host": the default port is 80; an address of version 6 is in brackets (RFC 3986).
static const struct {
	const char *address;
	uint16_t port;
	const char *host;
	bool is_good;
} hosts[] = {
	{"127.0.0.1", 8080, "127.0.0.1:8080", true},
	{"127.0.0.1", 8080, "LocalHost:8080", true},
	{"127.0.0.1", 8080, "127.0.0.1:8081", false},
	{"127.0.0.1", 8080, "127.0.0.1", false},
	{"127.0.0.1", 80, "127.0.0.1", true},
	{"127.0.0.1", 8080, "evil.example:8080", false},
	{"127.0.0.1", 8080, "10.0.0.1:8080", false},
	{"127.0.0.1", 8080, "", false},
	{"127.0.0.1", 8080, ":8080", false},
	{"127.0.0.1", 8080, NULL, false},
	{"::1", 80, "[::1]", true},
	{"::1", 8080, "[::1]:8080", true},
	{"::1", 8080, "localhost:8080", true},
	{"::1", 80, "[::1", false},
	{"10.0.0.5", 80, "10.0.0.5", true},
	{"10.0.0.5", 80, "localhost", false},
	{"10.0.0.5", 80, "x", false},
	{"0.0.0.0", 80, "10.0.0.9", true},
	{"0.0.0.0", 80, "[fe80::1]", true},
	{"0.0.0.0", 80, "localhost", true},
	{"::", 80, "name.example", false},
};

static void
test_hosts(void **state)
{
	struct guard guard;

	(void)state;
	for (size_t i = 0; i < T_LEN(hosts); i++) {
		assert_true(guard_address(&guard, hosts[i].address));
		guard.port = hosts[i].port;
		T_EQ_BOOL_AT(guard_host(&guard, hosts[i].host), hosts[i].is_good,
			     hosts[i].host != NULL ? hosts[i].host : "none");
	}
}

static void
test_host_names(void **state)
{
	struct guard guard;

	(void)state;
	assert_true(guard_address(&guard, "10.0.0.5"));
	guard.port = 80;
	guard.name = "sql01.example.com";
	assert_true(guard_host(&guard, "SQL01.example.com"));
	assert_false(guard_host(&guard, "sql01.example.com:81"));
	assert_false(guard_host(&guard, "sql01.example.org"));
	assert_true(guard_is_name("sql-01.example.com"));
	assert_false(guard_is_name(""));
	assert_false(guard_is_name("a/b"));
}

static void
test_long_addresses(void **state)
{
	char longest[200];
	struct guard guard;

	(void)state;
	memset(longest, '1', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_false(guard_address(&guard, longest));
	assert_false(guard_address(&guard, "localhost"));
	assert_true(guard_address(&guard, NULL));
	assert_true(guard.loopback && !guard.any);
	guard.port = 80;
	assert_false(guard_host(&guard, longest));
}

static void
test_origins_and_tokens(void **state)
{
	struct guard guard;

	(void)state;
	assert_true(guard_address(&guard, NULL));
	guard.port = 80;
	assert_true(guard_origin(&guard, "127.0.0.1", NULL));
	assert_true(guard_origin(&guard, "127.0.0.1", "http://127.0.0.1"));
	assert_false(guard_origin(&guard, "127.0.0.1", "https://127.0.0.1"));
	assert_false(guard_origin(&guard, "127.0.0.1", "http://localhost"));
	assert_false(guard_origin(&guard, "evil.example", "http://evil.example"));
	assert_true(guard_token(&guard, NULL)); // none is needed yet
	assert_true(guard_make_token(&guard));
	assert_true(guard_token(&guard, guard.token));
	assert_false(guard_token(&guard, NULL));
	assert_false(guard_token(&guard, "short"));
	assert_false(guard_token(&guard, "00000000000000000000000000000000"));
}

// RFC 6750, section 2.1: the letters of a token, and "=" at its end alone.
static void
test_tokens_of_files(void **state)
{
	struct guard guard;
	char url[256];
	char longest[GUARD_TOKEN_MOST + 2];

	(void)state;
	memset(longest, 'x', sizeof(longest));
	longest[GUARD_TOKEN_MOST + 1] = '\0';
	assert_true(guard_address(&guard, NULL));
	assert_false(guard_set_token(&guard, longest));
	assert_true(guard_set_token(&guard, longest + 1));
	assert_false(guard_set_token(&guard, "0123456789abcde")); // too easy to guess
	assert_false(guard_set_token(&guard, "0123456789 abcdef"));
	assert_false(guard_set_token(&guard, "0123456789=abcdef"));
	assert_true(guard_set_token(&guard, "mF_9.B5f-4.1JqM~+/=="));
	assert_true(guard_token(&guard, "mF_9.B5f-4.1JqM~+/=="));
	assert_false(guard_token(&guard, "mF_9.B5f-4.1JqM~+/="));
	assert_false(guard_token(&guard, "mF_9.B5f-4.1JqM~+/==="));
	assert_false(guard_token(&guard, "mF_9.B5f-4.1JqM~+/=x"));
	assert_false(guard_token(&guard, ""));
	assert_false(guard_token(&guard, NULL));
	assert_true(guard_url(&guard, 0, "metrics", url, sizeof(url)));
	assert_null(strstr(url, "token"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_when_memory_is_short),
		cmocka_unit_test(test_bad_requests),
		cmocka_unit_test(test_bad_sets),
		cmocka_unit_test(test_opening_when_memory_is_short),
		cmocka_unit_test(test_store_when_memory_is_short),
		cmocka_unit_test(test_metrics_when_memory_is_short),
		cmocka_unit_test(test_hosts),
		cmocka_unit_test(test_host_names),
		cmocka_unit_test(test_long_addresses),
		cmocka_unit_test(test_origins_and_tokens),
		cmocka_unit_test(test_tokens_of_files),
	};

	return cmocka_run_group_tests(tests, open_view, close_view);
}

#else

int
main(void)
{
	return 77;
}

#endif
