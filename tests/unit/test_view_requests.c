// test_view_requests.c - requests to pmon view and pmon serve that are refused
// SPDX-License-Identifier: MIT

#include "t.h"

#ifdef PMON_WITH_WEB

#include "view_ask.h"
#include "web/guard.h"
#include "web/key.h"

// ---- Requests that are wrong ----------------------------------------------------------------

// docs/reference/api.md, "Errors": 400 for a parameter that cannot be, 404 for what is not there; the parameter is named.
static const struct {
	struct view_question question;
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
	{{"/api/usual", {{"without", "2020-01-01T00:00:00Z/2020-01-02T00:00:00Z", 0}}}, 400, "ids"},
	{{"/api/usual", {{"ids", "0", 0}, {"without", "x", 0}}}, 400, "without"},
	{{"/api/usual", {{"ids", "0", 0}, {"without", "/", 0}}}, 400, "without"},
	{{"/api/usual", {{"ids", "0", 0}, {"without", "2020-01-01T00:00:00Z", 0}}}, 400, "without"},
	{{"/api/usual",
	  {{"ids", "0", 0}, {"without", "2020-01-02T00:00:00Z/2020-01-01T00:00:00Z", 0}}},
	 400,
	 "without"},
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
		struct view_answer answer = view_ask(&bad_requests[i].question);
		char label[100];

		(void)snprintf(label, sizeof(label), "%zu: %s", i, bad_requests[i].question.path);
		T_EQ_I64_AT(answer.status, bad_requests[i].status, label);
		T_EQ_STR_AT(answer.param, bad_requests[i].param, label);
	}
}

// The same of the parameter `set`, which each but /api/log has.
static const char *const of_a_set[] = {
	"/api/tree",    "/api/select", "/api/first",   "/api/series", "/api/matching",
	"/api/data",    "/api/usual",  "/api/explain", "/api/marks",  "/api/findings",
	"/api/changes", "/api/top",    "/api/export",  "/api/events",
};

static void
test_bad_sets(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(of_a_set); i++) {
		struct view_question question = {of_a_set[i], {{"set", "1", 0}}};

		T_EQ_I64_AT(view_ask(&question).status, 404, of_a_set[i]);
		question.params[0].value = "two";
		T_EQ_I64_AT(view_ask(&question).status, 400, of_a_set[i]);
	}
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
	assert_true(guard_lets_in(&guard, NULL)); // none is needed yet
	assert_true(guard_make_token(&guard));
	assert_true(guard_lets_in(&guard, guard.token));
	assert_false(guard_lets_in(&guard, NULL));
	assert_false(guard_lets_in(&guard, ""));
	assert_false(guard_lets_in(&guard, "short"));
	assert_false(guard_lets_in(&guard, "00000000000000000000000000000000"));
	assert_true(guard_make_secret(&guard));
	assert_true(guard_lets_in(&guard, guard.token) && guard_lets_in(&guard, guard.secret));
	guard.token[0] = '\0'; // a page without a token for programs
	assert_true(guard_lets_in(&guard, guard.secret));
	assert_false(guard_lets_in(&guard, "") || guard_lets_in(&guard, NULL));
}

static void
test_keys(void **state)
{
	struct key key;
	char first[GUARD_TOKEN + 1];
	char second[GUARD_TOKEN + 1];

	(void)state;
	key_init(&key);
	assert_false(key_use(&key, "") || key_use(&key, NULL)); // none was made
	assert_true(key_make(&key));
	key_get(&key, first);
	assert_false(key_use(&key, "") || key_use(&key, NULL) || key_use(&key, first + 1));
	assert_true(key_use(&key, first));
	assert_false(key_use(&key, first));
	assert_true(key_make(&key));
	key_get(&key, second);
	assert_string_not_equal(first, second);
	assert_true(key_make(&key));
	assert_false(key_use(&key, second)); // another one took its place
	key_free(&key);
}

// RFC 6750, section 2.1: the characters of a token, with "=" only at its end.
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
	assert_true(guard_lets_in(&guard, "mF_9.B5f-4.1JqM~+/=="));
	assert_false(guard_lets_in(&guard, "mF_9.B5f-4.1JqM~+/="));
	assert_false(guard_lets_in(&guard, "mF_9.B5f-4.1JqM~+/==="));
	assert_false(guard_lets_in(&guard, "mF_9.B5f-4.1JqM~+/=x"));
	assert_false(guard_lets_in(&guard, ""));
	assert_false(guard_lets_in(&guard, NULL));
	assert_true(guard_url(&guard, 0, "metrics", "", url, sizeof(url)));
	assert_null(strstr(url, "token"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_requests),    cmocka_unit_test(test_bad_sets),
		cmocka_unit_test(test_hosts),           cmocka_unit_test(test_host_names),
		cmocka_unit_test(test_long_addresses),  cmocka_unit_test(test_origins_and_tokens),
		cmocka_unit_test(test_tokens_of_files), cmocka_unit_test(test_keys),
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
