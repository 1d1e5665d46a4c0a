// test_json.c - JSON as the command and the server write it
// SPDX-License-Identifier: MIT
//
// The rules are those of RFC 8259 and of docs/reference/cli.md, "JSON".

#include "t.h"

#include <stdlib.h>

#include "moments.h"
#include "shell/output/json.h"
#include "shell/output/stream.h"

static char *text;
static size_t len;

static struct json
begin(void)
{
	struct json json = {.stream = open_memstream(&text, &len)};

	assert_non_null(json.stream);
	return json;
}

static void
expect(struct json *json, const char *want)
{
	assert_true(text_stream_close(json->stream, &text));
	T_EQ_STR(text, want);
	free(text);
}

// A byte that is not UTF-8 becomes U+FFFD; a control character becomes a number.
static void
test_texts(void **state)
{
	struct json json = begin();

	(void)state;
	json_open(&json, '[');
	json_str(&json, NULL);
	json_str(&json, "");
	json_str(&json, "a\"b\\c");
	json_str(&json, "\xC3\xA4\xF0\x9F\x98\x80");
	json_str(&json, "x\xFFy");
	json_str(&json, "\x1B[31m\n");
	json_close(&json, ']');
	expect(&json, "[null,\"\",\"a\\\"b\\\\c\",\"\xC3\xA4\xF0\x9F\x98\x80\",\"x\\ufffdy\","
		      "\"\\u001b[31m\\u000a\"]");
}

// Beyond 2^53 = 9007199254740992 a double leaves numbers out.
static void
test_large_integers(void **state)
{
	struct json json = begin();

	(void)state;
	json_open(&json, '[');
	json_i64(&json, 9007199254740992);
	json_i64(&json, 9007199254740993);
	json_i64(&json, -9007199254740992);
	json_i64(&json, -9007199254740993);
	json_u64(&json, 9007199254740992);
	json_u64(&json, UINT64_MAX);
	json_close(&json, ']');
	expect(&json, "[9007199254740992,\"9007199254740993\",-9007199254740992,"
		      "\"-9007199254740993\",9007199254740992,\"18446744073709551615\"]");
}

static void
test_types(void **state)
{
	struct pmon_series series = {.counter = {.type = PMON_PERF_COUNTER_RAWCOUNT}};
	struct json json = begin();

	(void)state;
	json_open(&json, '{');
	json_key(&json, "raw"), json_series_type(&json, &series);
	series.formatted = true;
	json_key(&json, "unknown"), json_series_type(&json, &series);
	series.type_known = true;
	series.known_type = PMON_PERF_COUNTER_COUNTER;
	json_key(&json, "known"), json_series_type(&json, &series);
	json_key(&json, "number"), json_type(&json, 0x77777777);
	json_key(&json, "none"), json_time(&json, PMON_TIME_NONE);
	json_key(&json, "time"), json_time(&json, T0);
	json_close(&json, '}');
	expect(&json, "{\"raw\":\"PERF_COUNTER_RAWCOUNT\",\"unknown\":null,"
		      "\"known\":\"PERF_COUNTER_COUNTER\",\"number\":\"0x77777777\","
		      "\"none\":null,\"time\":\"2020-01-01T00:00:00Z\"}");
}

// A text that could not be written completely is not returned.
static void
test_streams_that_fail(void **state)
{
	FILE *full = fopen("/dev/full", "w");
	char *there = text;

	(void)state;
	if (full == NULL)
		skip();
	there = (char *)(uintptr_t) "there";
	(void)fputs("words", full);
	assert_false(text_stream_close(full, &there)); // fails when it is closed
	full = fopen("/dev/full", "w");
	assert_non_null(full);
	(void)fputs("words", full);
	(void)fflush(full);
	assert_false(text_stream_close(full, &there)); // has failed
	there = NULL;
	full = fopen("/dev/null", "w");
	assert_non_null(full);
	assert_false(text_stream_close(full, &there));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_large_integers),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_streams_that_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
