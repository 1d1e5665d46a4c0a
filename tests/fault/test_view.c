// test_view.c - the server of pmon view and pmon serve frees everything when memory runs out
// SPDX-License-Identifier: MIT
//
// This file defines malloc() and its relatives, which take precedence over the C library's. Each
// allocation for an answer fails in turn. faults.sh does the same to the servers, but cannot see
// leaks.

#include "t.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	__has_feature(memory_sanitizer)
#define HAS_OWN_MALLOC
#endif
#endif

#if defined(PMON_WITH_WEB) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) &&              \
	!defined(__SANITIZE_THREAD__) && !defined(HAS_OWN_MALLOC)

#include <stdlib.h>

#include "moments.h"
#include "shell/output/stream.h"
#include "view_ask.h"
#include "web/metrics.h"
#include "web/store.h"

// ---- Memory ---------------------------------------------------------------------------------

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *ptr, size_t size);
extern void __libc_free(void *ptr);

#define FOR_ALL __attribute__((visibility("default"))) // the C library calls them too

static _Thread_local struct {
	bool is_on;
	size_t calls;
	size_t fail_at;
	bool fail_rest;
	long live; // blocks
} memory;

static bool
fails(void)
{
	if (!memory.is_on)
		return false;
	memory.calls++;
	return memory.calls == memory.fail_at ||
	       (memory.fail_rest && memory.calls > memory.fail_at);
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

// ---- Answers --------------------------------------------------------------------------------

static const struct view_question good[] = {
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
	{"/api/usual",
	 {{"ids", "0,2", 0}, {"without", "2020-01-01T00:03:10Z/2020-01-01T00:05:10Z", 0}}},
	{"/api/explain", {{"id", "0", 0}}},
	{"/api/explain", {{"id", "2", 0}, {"at", "2020-01-01T00:03:30Z", 0}}},
	{"/api/marks", {{"ids", "0,2", 0}}},
	{"/api/changes", {{"from", "2020-01-01T00:05:00Z", 0}}},
	{"/api/top", {{"pattern", "\\Process(*)\\*", 0}}},
	{"/api/findings", {{0}}},
	{"/api/findings", {{"from", "2020-01-01T00:05:00Z", 0}}},
	{"/api/export", {{"ids", "0,2", 0}, {"format", "csv", 0}}},
	{"/api/export",
	 {{"ids", "0,2", 0},
	  {"format", "json", 0},
	  {"from", "2020-01-01T00:03:10Z", 0},
	  {"to", "2020-01-01T00:05:10Z", 0}}},
	{"/api/events", {{"ids", "0", 0}}},
};

// The answer is complete, or says that memory ran out.
static void
check_short(const struct view_question *question, bool fail_rest)
{
	struct view_answer whole = view_ask(question);
	size_t calls, n = 0;

	T_EQ_I64_AT(whole.status, 200, question->path);
	do {
		struct view_answer answer;

		begin_memory(++n, fail_rest);
		answer = view_ask(question);
		calls = memory.calls;
		memory.is_on = false;
		if (memory.live != 0)
			fail_msg("%s: %ld blocks stay when allocation %zu fails", question->path,
				 memory.live, n);
		T_EQ_I64_AT(answer.status, answer.status == 200 ? 200 : 500, question->path);
		if (answer.status == 200)
			T_EQ_U64_AT(answer.len, whole.len, question->path);
	} while (calls >= n);
}

static void
test_answers_when_memory_is_short(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(good); i++) {
		check_short(&good[i], false);
		check_short(&good[i], true);
	}
}

// ---- Samples --------------------------------------------------------------------------------

// A store accepts samples until memory runs out, and then reports that.
static void
test_store_when_memory_is_short(void **state)
{
	(void)state;
	for (size_t n = 1;; n++) {
		struct pmon_source *log = view_log();
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

static enum pmon_status
scrape(const struct metrics_plan *plan)
{
	struct call call = {.path = "/metrics", .status = 200, .fd = -1};
	struct metrics *metrics;
	enum pmon_status status = metrics_open(plan, &metrics, NULL);
	char *text = NULL;
	size_t len;

	if (status != PMON_OK)
		return status;
	call.site = metrics;
	call.json.stream = text_stream_open(&text, &len);
	if (call.json.stream != NULL) {
		metrics_answer(&call);
		(void)text_stream_close(call.json.stream, &text);
		free(text);
	}
	metrics_close(metrics);
	return status;
}

static void
test_metrics_when_memory_is_short(void **state)
{
	size_t calls, n = 0;

	(void)state;
	do {
		struct metrics_plan plan = {.source = view_log(), .speed = 1};
		enum pmon_status status;

		begin_memory(++n, false);
		status = scrape(&plan);
		calls = memory.calls;
		memory.is_on = false;
		assert_int_equal(memory.live, 0);
		pmon_source_close(plan.source);
		assert_true(status == PMON_OK || (status == PMON_E_NOMEM && calls >= n));
	} while (calls >= n);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_when_memory_is_short),
		cmocka_unit_test(test_store_when_memory_is_short),
		cmocka_unit_test(test_metrics_when_memory_is_short),
	};

	return cmocka_run_group_tests(tests, view_begin, view_end);
}

#else

int
main(void)
{
	return 77;
}

#endif
