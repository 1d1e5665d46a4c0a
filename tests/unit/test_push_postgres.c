// test_push_postgres.c - pushes to a PostgreSQL that refuses, breaks off or is another one
// SPDX-License-Identifier: MIT

#include "t.h"

#include "fake_server.h"
#include "push_to.h"

#define URL "postgresql://127.0.0.1:%u/perf"

// A server without tables, which answers one statement in another way.
struct script {
	const char
		*needle; // the first so many statements with this text; NULL: when sessions begin
	unsigned at;     // or the statement of this number, from 1; 0: none
	struct fake_pg_reply reply;
	unsigned times;       // 0: always
	unsigned n;           // that were answered so
	unsigned n_all;       // statements
	const char *versions; // of tables that are there; NULL: there are none
	bool makes;           // tables were made
	unsigned n_values;    // statements that store values
	const char *clock;    // a row of seconds since 1970; NULL: after all samples
};

static bool
is_scripted(struct script *script, const char *sql)
{
	bool is_it = script->at != 0 && sql != NULL && script->n_all == script->at;

	if (script->at == 0)
		is_it = sql == NULL || script->needle == NULL
				? sql == NULL && script->needle == NULL
				: strstr(sql, script->needle) != NULL;
	if (!is_it || (script->times != 0 && script->n >= script->times))
		return false;
	script->n++;
	return true;
}

static struct fake_pg_reply
answer(void *ctx, const char *sql)
{
	static const struct {
		const char *needle;
		struct fake_pg_reply reply;
	} usual[] = {
		{"COPY pmon_in_", {FAKE_PG_COPY, ""}},
		{"to_regclass('pmon_version')", {FAKE_PG_ROWS, "f\n"}},
		{"clock_timestamp", {FAKE_PG_ROWS, "1800000000\n"}},
		{"SELECT days FROM", {FAKE_PG_ROWS, "\\N\n"}},
		{"string_agg(batch", {FAKE_PG_ROWS, "\\N\n"}},
		{"SELECT min(i.number)", {FAKE_PG_ROWS, "\\N\n"}},
		{"INSERT INTO pmon_fact", {FAKE_PG_DONE, "INSERT 0 4"}},
		{"pmon_in_first", {FAKE_PG_ROWS, ""}},
		{"WITH stored", {FAKE_PG_ROWS, "0\n"}},
	};
	struct script *script = ctx;

	script->n_all += sql != NULL;
	script->n_values += sql != NULL && strstr(sql, "INSERT INTO pmon_fact") != NULL;
	script->makes |= sql != NULL && strstr(sql, "CREATE TABLE IF NOT EXISTS pmon_fact") != NULL;
	if (script->versions != NULL && sql != NULL && strstr(sql, "SELECT to_regclass") != NULL)
		return (struct fake_pg_reply){FAKE_PG_ROWS, "t\n"};
	if (script->versions != NULL && sql != NULL && strstr(sql, "FROM pmon_version") != NULL)
		return (struct fake_pg_reply){FAKE_PG_ROWS, script->versions};
	if (script->clock != NULL && sql != NULL && strstr(sql, "clock_timestamp") != NULL)
		return (struct fake_pg_reply){FAKE_PG_ROWS, script->clock};
	if (is_scripted(script, sql))
		return script->reply;
	for (size_t i = 0; sql != NULL && i < T_LEN(usual); i++)
		if (strstr(sql, usual[i].needle) != NULL)
			return usual[i].reply;
	return (struct fake_pg_reply){FAKE_PG_DONE, "INSERT 0 1"};
}

static struct pushed
push_as(const char *url, struct script *script, const struct pmon_push_options *options)
{
	struct fake_pg pg = {answer, NULL, script};

	if (!push_is_there("postgresql"))
		skip();
	return push_to(fake_pg_start(&pg), url, options);
}

static struct pushed
push(struct script *script)
{
	return push_as(URL, script, NULL);
}

// ---- Any statement --------------------------------------------------------------------------

// Appendix A of the documentation, "PostgreSQL Error Codes", says what the codes are.
static void
test_each_statement_fails_once(void **state)
{
	static const struct {
		struct fake_pg_reply reply;
		bool again;
	} rows[] = {
		{{FAKE_PG_HANG_UP, ""}, true},
		{{FAKE_PG_ERROR, "40P01 deadlock detected"}, true},
		{{FAKE_PG_ERROR, "53200 out of memory"}, true},
		{{FAKE_PG_ERROR, "57P01 terminating connection"}, true},
		{{FAKE_PG_ERROR, "55P03 lock not available"}, true},
		{{FAKE_PG_ERROR, "08006 connection failure"}, true},
		{{FAKE_PG_ERROR, "42501 permission denied"}, false},
		{{FAKE_PG_ERROR, "57014 canceling statement"}, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pushed pushed;
		unsigned at = 0;
		unsigned n;

		do {
			struct script script = {.at = ++at, .reply = rows[i].reply, .times = 1};

			pushed = push(&script);
			n = script.n;
			if (n == 1 && !rows[i].again) {
				T_EQ_I64_AT(pushed.status, PMON_E_FORMAT, rows[i].reply.text);
				assert_non_null(strstr(pushed.err.msg, rows[i].reply.text + 6));
				continue;
			}
			if (pushed.status != PMON_OK)
				fail_msg("statement %u, %s: %s", at, rows[i].reply.text,
					 pushed.err.msg);
			T_EQ_I64_AT((int64_t)pushed.counts.retries, n, rows[i].reply.text);
			T_EQ_U64(pushed.counts.sent, 8);
		} while (n == 1);
		assert_true(at >
			    20); // all that makes tables, two batches, and the sums of their hours
	}
}

// Sessions that cannot begin.
static void
test_sessions(void **state)
{
	static const struct {
		const char *error;
		bool again;
	} rows[] = {
		{"57P03 the database system is starting up", true},
		{"53300 too many connections", true},
		{"28P01 password authentication failed", false},
		{"3D000 database \"perf\" does not exist", false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.reply = {FAKE_PG_ERROR, rows[i].error}, .times = 1};
		struct pushed pushed = push(&script);

		T_EQ_I64_AT(pushed.status, rows[i].again ? PMON_OK : PMON_E_FORMAT, rows[i].error);
		T_EQ_U64_AT(pushed.counts.retries, rows[i].again, rows[i].error);
		if (!rows[i].again)
			assert_non_null(strstr(pushed.err.msg, rows[i].error + 6));
	}
}

static void
test_given_up(void **state)
{
	bool is_told = false;
	unsigned n = 0;

	(void)state;
	// A slow machine has no time at first for a third attempt, nor for an answer to the last one.
	for (int64_t ms = 100; (n <= 2 || !is_told) && ms <= 100000; ms *= 10) {
		struct script script = {.needle = "BEGIN",
					.reply = {FAKE_PG_ERROR, "53100 disk full\nand more"}};
		struct pmon_push_options options = {
			.size = sizeof(options),
			.retry = {.give_up_100ns = ms * PMON_TIME_PER_MSEC}};
		struct pushed pushed = push_as(URL, &script, &options);

		assert_int_equal(pushed.status, PMON_E_IO);
		is_told = strcmp(pushed.err.msg, "PostgreSQL: disk full") == 0;
		n = script.n;
	}
	assert_true(n > 2);
	assert_true(is_told);
}

// The first 500 bytes of a long message are reported.
static void
test_long_words(void **state)
{
	char words[1007] = "42601 ";
	struct script script = {.needle = "BEGIN", .reply = {FAKE_PG_ERROR, words}};
	struct pushed pushed;

	(void)state;
	memset(words + 6, 'w', sizeof(words) - 7);
	words[sizeof(words) - 1] = '\0';
	pushed = push(&script);
	assert_int_equal(pushed.status, PMON_E_FORMAT);
	assert_true(strspn(strchr(pushed.err.msg, 'w'), "w") <= 500);
	assert_true(strlen(pushed.err.msg) > 100);
}

// ---- Waiting --------------------------------------------------------------------------------

static void
test_silence(void **state)
{
	struct pushed pushed = {.counts = {.retries = 0}};

	(void)state;
	// On a busy machine an answer may take longer than the timeout, too.
	for (int64_t ms = 1; pushed.counts.retries != 1 && ms <= 10000; ms *= 10) {
		struct script script = {
			.needle = "BEGIN", .reply = {FAKE_PG_SILENCE, ""}, .times = 1};
		struct pmon_push_options options = {
			.size = sizeof(options),
			.timeout_100ns = ms * PMON_TIME_PER_MSEC,
			.retry = {.give_up_100ns = 60 * PMON_TIME_PER_SEC}};

		pushed = push_as(URL, &script, &options);
	}
	assert_int_equal(pushed.status, PMON_OK);
	T_EQ_U64(pushed.counts.retries, 1);
	T_EQ_U64(pushed.counts.sent, 8);
}

// The user cancels after this many questions.
static bool
count_down(void *ctx)
{
	return --*(int *)ctx <= 0;
}

static void
test_interrupted(void **state)
{
	(void)state;
	for (int patience = 1; patience < 20; patience += 6) {
		struct script script = {.needle = "BEGIN", .reply = {FAKE_PG_SILENCE, ""}};
		int left = patience;
		struct pmon_push_options options = {
			.size = sizeof(options), .cancel = count_down, .cancel_ctx = &left};
		struct pushed pushed = push_as(URL, &script, &options);

		assert_int_equal(pushed.status, PMON_E_STATE);
		T_EQ_STR(pushed.err.msg, "interrupted");
	}
}

// ---- What is in the database ----------------------------------------------------------------

// If a batch was committed but the answer was lost, it is already in the ledger: it was sent.
static void
test_stored_already(void **state)
{
	struct script script = {.needle = "INSERT INTO pmon_push",
				.reply = {FAKE_PG_DONE, "INSERT 0 0"}};
	struct pushed pushed = push(&script);

	(void)state;
	assert_int_equal(pushed.status, PMON_OK);
	T_EQ_U64(pushed.counts.sent, 8);
	T_EQ_U64(pushed.counts.stored, 0);
	T_EQ_U64(script.n_values, 0); // and not again
}

// Under the key of the second counter another one is stored.
static void
test_collision(void **state)
{
	struct script script = {.needle = "SELECT min(i.number)", .reply = {FAKE_PG_ROWS, "1\n"}};
	struct pushed pushed = push(&script);

	(void)state;
	assert_int_equal(pushed.status, PMON_E_UNSUPPORTED);
	assert_non_null(strstr(pushed.err.msg, "O(i)\\B"));
	T_EQ_U64(pushed.counts.sent, 0);
}

// The numbers of keys and views, as the database has them.
static void
test_versions(void **state)
{
	static const struct {
		const char *versions;
		enum pmon_status status;
		bool makes;
	} rows[] = {
		{"2 1000\n", PMON_OK, false}, // views of a newer pmon are used
		{"2 0\n", PMON_E_UNSUPPORTED, false},   {"1 1000\n", PMON_E_UNSUPPORTED, false},
		{"words\n", PMON_E_UNSUPPORTED, false}, {"3 1\n", PMON_E_UNSUPPORTED, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = "nothing", .versions = rows[i].versions};
		struct pushed pushed = push(&script);

		T_EQ_I64_AT(pushed.status, rows[i].status, rows[i].versions);
		T_EQ_BOOL_AT(script.makes, rows[i].makes, rows[i].versions);
	}
}

// ---- Words of the log and of the user -------------------------------------------------------

static void
test_options(void **state)
{
	struct script script = {.needle = "nothing"};
	struct pmon_push_options token = {.size = sizeof(token), .token = "t"};

	(void)state;
	assert_int_equal(push_as(URL, &script, &token).status, PMON_E_UNSUPPORTED);
	assert_int_equal(push_as("postgresql://u@127.0.0.1:%u/perf", &script, NULL).status,
			 PMON_E_ARG);
	assert_int_equal(push_as("postgresql://127.0.0.1:%u/perf?password=p", &script, NULL).status,
			 PMON_E_ARG);
	assert_int_equal(push_as("postgresql://127.0.0.1:%u/perf?no_such=1", &script, NULL).status,
			 PMON_E_ARG);
	T_EQ_U64(script.n_all, 0);
}

// Other machines must present a certificate, unless the URL says otherwise; this server has no TLS.
// The name "other.example" is never looked up, because the address is given too.
static void
test_tls(void **state)
{
	static const struct {
		const char *url;
		enum pmon_status status;
	} rows[] = {
		{"postgresql://other.example:%u/perf?hostaddr=127.0.0.1", PMON_E_FORMAT},
		{"postgresql://localhost,other.example:%u/perf?hostaddr=127.0.0.1,127.0.0.1"
		 "&sslmode=verify-full",
		 PMON_E_FORMAT},
		{"postgresql://other.example:%u/perf?hostaddr=127.0.0.1&sslmode=disable", PMON_OK},
		{"postgresql://localhost:%u/perf?sslmode=disable&hostaddr=127.0.0.1", PMON_OK},
		{"postgresql://localhost:%u/perf?hostaddr=127.0.0.1", PMON_OK},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = "nothing"};
		struct pushed pushed = push_as(rows[i].url, &script, NULL);

		if (rows[i].status == PMON_OK)
			T_EQ_I64_AT(pushed.status, PMON_OK, rows[i].url);
		else
			T_EQ_U64_AT(script.n_all, 0, rows[i].url);
	}
}

// Nothing goes to another machine in plain text without --insecure. None of these addresses is connected to: the port
// is closed, or the mode is refused before.
static void
test_plain_text(void **state)
{
	static const char *const hosts[] = {"db.example.org",
					    "127.example.org",
					    "10.0.0.1",
					    "localhost,db.example.org",
					    "localhost.example.org",
					    "[2001:db8::1]",
					    "localhost?hostaddr=10.0.0.1&"};
	static const struct {
		const char *mode;
		bool is_plain;
	} modes[] = {{"disable", true}, {"allow", true},       {"prefer", true},
		     {"", true},        {"require", false},    {"verify-ca", false},
		     {"no", true},      {"verify-full", false}};

	(void)state;
	if (!push_is_there("postgresql"))
		skip();
	for (size_t i = 0; i < T_LEN(hosts) * T_LEN(modes) * 2; i++) {
		const char *host = hosts[i / 2 / T_LEN(modes)];
		size_t mode = i / 2 % T_LEN(modes);
		struct pmon_push_options options = {.size = sizeof(options),
						    .insecure = i % 2 != 0};
		struct pmon_sink *sink = NULL;
		char url[200];

		(void)snprintf(url, sizeof(url), "postgresql://%s%ssslmode=%s", host,
			       strchr(host, '?') != NULL ? "" : "/perf?", modes[mode].mode);
		T_EQ_I64_AT(pmon_push_open(url, &options, &sink, NULL),
			    modes[mode].is_plain && !options.insecure ? PMON_E_ARG : PMON_OK, url);
		if (sink != NULL)
			pmon_sink_close(sink);
	}
}

// T0 is 1577836800 s after 1970; the samples are of that second and of the three after it.
static void
test_clock(void **state)
{
	static const struct {
		const char *clock;
		uint64_t ahead;
	} rows[] = {
		{"1577836800\n", 0}, {"1577836300\n", 0}, {"1577835800\n", 8}, {"0\n", 8},
		{"4000000000\n", 0}, {"-5\n", 0},         {"\\N\n", 0},        {"soon\n", 0},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct script script = {.needle = "no such text", .clock = rows[i].clock};
		struct pushed pushed = push(&script);

		assert_int_equal(pushed.status, PMON_OK);
		T_EQ_U64_AT(pushed.counts.ahead, rows[i].ahead, rows[i].clock);
		T_EQ_U64_AT(pushed.counts.sent, 8 - rows[i].ahead, rows[i].clock);
		T_EQ_U64_AT(script.n_values, rows[i].ahead > 0 ? 0 : 2, rows[i].clock);
	}
}

// The end of all attempts is also the end of one that lasts.
static void
test_silence_ends(void **state)
{
	struct script script = {.needle = "BEGIN", .reply = {FAKE_PG_SILENCE, ""}};
	struct pmon_push_options options = {.size = sizeof(options), .retry = {.give_up_100ns = 1}};

	(void)state;
	assert_int_equal(push_as(URL, &script, &options).status, PMON_E_IO);
	T_EQ_U64(script.n, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_statement_fails_once),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_given_up),
		cmocka_unit_test(test_long_words),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_stored_already),
		cmocka_unit_test(test_collision),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_tls),
		cmocka_unit_test(test_plain_text),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_silence_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
