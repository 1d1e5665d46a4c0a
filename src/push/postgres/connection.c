// connection.c - a connection to a PostgreSQL server, whose every wait can be ended
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include <stdio.h>
#include <string.h>

#include <libpq-fe.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/library.h"
#include "os/socket.h"

#define WORDS_MAX       500                        // of a server's answer, that are reported
#define SLICE_100NS     (100 * PMON_TIME_PER_MSEC) // of waiting, between two questions
#define CONNECT_100NS   (10 * PMON_TIME_PER_SEC)
#define COPY_CHUNK      65536
#define SQLSTATE_SIZE   6
#define MOST_PARAMETERS 16

// clang-format off
#define PQ_CALLS(CALL)                                                                             \
	CALL(PQ, clear) CALL(PQ, cmdTuples) CALL(PQ, connectPoll)                                  \
	CALL(PQ, connectStartParams) CALL(PQ, conninfoFree) CALL(PQ, conninfoParse)                \
	CALL(PQ, consumeInput) CALL(PQ, errorMessage) CALL(PQ, finish) CALL(PQ, flush)             \
	CALL(PQ, freemem) CALL(PQ, getResult) CALL(PQ, getisnull) CALL(PQ, getlength)              \
	CALL(PQ, getvalue) CALL(PQ, isBusy) CALL(PQ, ntuples) CALL(PQ, putCopyData)                \
	CALL(PQ, putCopyEnd) CALL(PQ, resultErrorMessage) CALL(PQ, resultStatus)                   \
	CALL(PQ, sendQuery) CALL(PQ, setErrorVerbosity) CALL(PQ, setNoticeProcessor)               \
	CALL(PQ, setnonblocking) CALL(PQ, socket) CALL(PQ, status)
// clang-format on

struct pq_calls {
	PQ_CALLS(PMON_OS_CALL)
};

struct pg_connection {
	const struct pmon_allocator *allocator;
	const struct pmon_push_options *options;
	struct pmon_push_counts *counts;
	const char *url;
	bool is_local; // the URL names hosts of this machine only
	bool has_sslmode;
	struct pq_calls pq;
	PGconn *conn;
	PGresult *result;    // that the last answer is in
	int64_t limit_100ns; // how long the server may be silent
};

// ---- Words ----------------------------------------------------------------------------------

// The first line of a message, without "FATAL:  28P01: " and such; *sqlstate is the code in it.
static struct pmon_span
first_line(const char *message, char sqlstate[SQLSTATE_SIZE])
{
	const char *mark = strstr(message, ":  ");
	size_t len;

	sqlstate[0] = '\0';
	if (mark != NULL && strlen(mark) > 10 && mark[8] == ':' && mark[9] == ' ') {
		memcpy(sqlstate, mark + 3, SQLSTATE_SIZE - 1);
		sqlstate[SQLSTATE_SIZE - 1] = '\0';
		message = mark + 10;
	}
	len = strcspn(message, "\n");
	return (struct pmon_span){message, len < WORDS_MAX ? len : WORDS_MAX};
}

// May a statement that failed so go well another time? Classes of SQLSTATE: 08 connection, 40 another
// transaction was in the way, 53 resources, 57P0x the server is stopped or starts.
static bool
is_passing(const char *sqlstate)
{
	static const char *const passing[] = {"08", "40", "53", "57P0", "55P03"};

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (strncmp(sqlstate, passing[i], strlen(passing[i])) == 0)
			return true;
	return false;
}

// A certificate that is not trusted now will not be in a second either, nor will there be TLS, or a
// password where none was given.
static bool
is_lasting(const char *message)
{
	return strstr(message, "certificate") != NULL ||
	       strstr(message, "does not support SSL") != NULL ||
	       strstr(message, "no password supplied") != NULL;
}

// PMON_E_IO when it may go better the next time, else PMON_E_FORMAT.
static enum pmon_status
fail(struct pg_connection *pg, const char *message, bool *again, struct pmon_err *err)
{
	char sqlstate[SQLSTATE_SIZE];
	struct pmon_span words = first_line(message, sqlstate);
	bool is_lost = pg->pq.status(pg->conn) != CONNECTION_OK;
	enum pmon_status status;

	*again = sqlstate[0] != '\0' ? is_passing(sqlstate) : is_lost && !is_lasting(message);
	status = *again ? PMON_E_IO : PMON_E_FORMAT;
	(void)pmon_err_set(err, status, 0, "PostgreSQL: %.*s", words.len > 0 ? (int)words.len : 22,
			   words.len > 0 ? words.ptr : "the connection is lost");
	if (is_lost || *again) {
		pg->pq.finish(pg->conn);
		pg->conn = NULL;
	}
	return status;
}

// ---- Waiting --------------------------------------------------------------------------------

// What the socket is waited for, and whether that came.
struct wait {
	bool reading;
	bool writing;
	bool is_over;
	int64_t until;
};

// Wait a slice. PMON_E_IO at `until`.
static enum pmon_status
wait_slice(struct pg_connection *pg, struct wait *wait, bool *again, struct pmon_err *err)
{
	if (pmon_push_is_cancelled(pg->options)) {
		pg->pq.finish(pg->conn); // in the middle of something
		pg->conn = NULL;
		return pmon_err_set(err, PMON_E_STATE, 0, "interrupted");
	}
	wait->is_over = pmon_socket_wait(pg->pq.socket(pg->conn), wait->reading, wait->writing,
					 SLICE_100NS);
	if (wait->is_over || pmon_os_monotonic_100ns() < wait->until)
		return PMON_OK;
	pg->pq.finish(pg->conn);
	pg->conn = NULL;
	*again = true;
	return pmon_err_set(err, PMON_E_IO, 0, "PostgreSQL: the server does not respond");
}

static enum pmon_status
wait_socket(struct pg_connection *pg, struct wait wait, bool *again, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && !wait.is_over)
		status = wait_slice(pg, &wait, again, err);
	return status;
}

static int64_t
timeout_from_now(const struct pg_connection *pg)
{
	return pmon_os_monotonic_100ns() + pg->limit_100ns;
}

// ---- Opening --------------------------------------------------------------------------------

// Are all of a list this machine, or directories of sockets?
static bool
all_here(const char *hosts)
{
	char host[256];

	while (*hosts != '\0') {
		size_t len = strcspn(hosts, ",");

		if (len >= sizeof(host))
			return false;
		memcpy(host, hosts, len);
		host[len] = '\0';
		if (host[0] != '/' && !pmon_push_is_here(host))
			return false;
		hosts += len + (hosts[len] == ',');
	}
	return true;
}

// libpq encrypts always in these modes; in the others it may not.
static bool
always_encrypts(const char *sslmode)
{
	return strcmp(sslmode, "require") == 0 || strcmp(sslmode, "verify-ca") == 0 ||
	       strcmp(sslmode, "verify-full") == 0;
}

static const char *
option_of(const PQconninfoOption *list, const char *keyword)
{
	for (; list->keyword != NULL; list++)
		if (strcmp(list->keyword, keyword) == 0)
			return list->val;
	return NULL;
}

// An address counts, whatever the name with it is.
static enum pmon_status
check_options(struct pg_connection *pg, const PQconninfoOption *list, struct pmon_err *err)
{
	const char *host = option_of(list, "host");
	const char *address = option_of(list, "hostaddr");
	const char *sslmode = option_of(list, "sslmode");

	for (const PQconninfoOption *o = list; o->keyword != NULL; o++)
		if (o->val != NULL &&
		    (strcmp(o->keyword, "user") == 0 || strstr(o->keyword, "password") != NULL))
			return pmon_err_set(
				err, PMON_E_ARG, 0,
				"the URL must not contain a user or password, which other users "
				"could see; use --user and --password-file");
	pg->has_sslmode = sslmode != NULL;
	pg->is_local = (host != NULL || address != NULL) && (host == NULL || all_here(host)) &&
		       (address == NULL || all_here(address));
	if (sslmode == NULL || always_encrypts(sslmode) || pg->options->insecure || pg->is_local ||
	    (address != NULL && all_here(address)))
		return PMON_OK;
	return pmon_err_set(err, PMON_E_ARG, 0,
			    "with sslmode=%.20s the password and the values may go to another "
			    "machine unencrypted: omit it, or allow it with --insecure",
			    sslmode);
}

static enum pmon_status
check_url(struct pg_connection *pg, struct pmon_err *err)
{
	char *words = NULL;
	PQconninfoOption *list = pg->pq.conninfoParse(pg->url, &words);
	bool is_short = list == NULL && (words == NULL || strstr(words, "out of memory") != NULL);
	enum pmon_status status;

	pg->pq.freemem(words); // may hold a part of the URL
	if (is_short)
		return pmon_err_nomem(err);
	if (list == NULL)
		return pmon_err_set(err, PMON_E_ARG, 0,
				    "not a PostgreSQL URL such as postgresql://HOST:5432/DATABASE");
	status = check_options(pg, list, err);
	pg->pq.conninfoFree(list);
	return status;
}

enum pmon_status
pmon_pg_new(const char *url, struct pmon_push_sink *push, struct pg_connection **out,
	    struct pmon_err *err)
{
	struct pg_connection *pg = pmon_mem_alloc0(push->allocator, sizeof(*pg));
	enum pmon_status status;

	*out = NULL;
	if (pg == NULL)
		return pmon_err_nomem(err);
	pg->allocator = push->allocator;
	pg->options = &push->options;
	pg->counts = &push->counts;
	pg->url = url;
	pg->limit_100ns = push->options.timeout_100ns;
	status = PMON_OS_LOAD(PMON_LIBRARY_POSTGRES, PQ_CALLS, &pg->pq, err);
	if (status == PMON_OK)
		status = check_url(pg, err);
	if (status != PMON_OK) {
		pmon_pg_free(pg);
		return status;
	}
	*out = pg;
	return PMON_OK;
}

void
pmon_pg_limit(struct pg_connection *pg, int64_t limit_100ns)
{
	pg->limit_100ns = limit_100ns;
}

void
pmon_pg_free(struct pg_connection *pg)
{
	if (pg == NULL)
		return;
	if (pg->result != NULL)
		pg->pq.clear(pg->result);
	if (pg->conn != NULL)
		pg->pq.finish(pg->conn);
	pmon_mem_free(pg->allocator, pg, sizeof(*pg));
}

// Parameters before dbname, which is the URL, are defaults; those after it override the URL. Encryption by Kerberos
// is tried only if the URL asks for it: TLS would not be checked then, and the Kerberos library crashes when memory
// is short.
static PGconn *
start(const struct pg_connection *pg)
{
	const struct pmon_push_options *o = pg->options;
	const char *keys[MOST_PARAMETERS] = {"fallback_application_name", "gssencmode", "dbname",
					     "client_encoding"};
	const char *values[MOST_PARAMETERS] = {"pmon", "disable", pg->url, "UTF8"};
	size_t n = 4;
	const char *const more[][2] = {
		{"user", o->user},
		{"password", o->password},
		{"sslrootcert", o->ca_file},
		{"sslmode", pg->has_sslmode || pg->is_local ? NULL : "verify-full"},
	};

	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		keys[n] = more[i][0];
		values[n] = more[i][1];
		n += more[i][1] != NULL;
	}
	keys[n] = values[n] = NULL;
	return pg->pq.connectStartParams(keys, values, 1);
}

static enum pmon_status
connect_all(struct pg_connection *pg, bool *again, struct pmon_err *err)
{
	int64_t longest = pg->limit_100ns;
	int64_t until =
		pmon_os_monotonic_100ns() + (longest < CONNECT_100NS ? longest : CONNECT_100NS);
	PostgresPollingStatusType polled = PGRES_POLLING_WRITING;
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && polled != PGRES_POLLING_OK) {
		struct wait wait = {.reading = polled == PGRES_POLLING_READING,
				    .writing = polled == PGRES_POLLING_WRITING,
				    .until = until};

		status = wait_socket(pg, wait, again, err);
		if (status != PMON_OK)
			return status;
		polled = pg->pq.connectPoll(pg->conn);
		if (polled == PGRES_POLLING_FAILED)
			return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	}
	return status;
}

// Notices of the server are discarded.
static void
ignore_words(void *ctx, const char *words)
{
	(void)ctx;
	(void)words;
}

enum pmon_status
pmon_pg_open(struct pg_connection *pg, bool *is_new, bool *again, struct pmon_err *err)
{
	enum pmon_status status;

	*again = false;
	*is_new = false;
	if (pg->conn != NULL && pg->pq.status(pg->conn) == CONNECTION_OK)
		return PMON_OK;
	pg->pq.finish(pg->conn);
	pg->conn = start(pg);
	if (pg->conn == NULL)
		return pmon_err_nomem(err);
	*is_new = true;
	// With this an error includes its SQLSTATE, which decides whether to retry.
	(void)pg->pq.setErrorVerbosity(pg->conn, PQERRORS_VERBOSE);
	(void)pg->pq.setNoticeProcessor(pg->conn, ignore_words, NULL);
	if (pg->pq.status(pg->conn) == CONNECTION_BAD)
		return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	status = connect_all(pg, again, err);
	if (status == PMON_OK)
		(void)pg->pq.setnonblocking(pg->conn, 1);
	return status;
}

// ---- Statements -----------------------------------------------------------------------------

// Bring on its way what was sent.
static enum pmon_status
flush(struct pg_connection *pg, bool *again, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	int left;

	while (status == PMON_OK && (left = pg->pq.flush(pg->conn)) != 0) {
		struct wait wait = {
			.reading = true, .writing = true, .until = timeout_from_now(pg)};

		if (left < 0)
			return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
		// A server with output reads no more input until that output was read.
		status = wait_socket(pg, wait, again, err);
		if (status == PMON_OK && !pg->pq.consumeInput(pg->conn))
			return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	}
	return status;
}

// The next result; NULL after the last. Where libpq has no memory for a part of an answer it takes the part for
// incomplete, even if nothing more comes: so it is asked again after each slice.
static enum pmon_status
next_result(struct pg_connection *pg, PGresult **out, bool *again, struct pmon_err *err)
{
	enum pmon_status status = flush(pg, again, err);
	struct wait wait = {.reading = true, .until = timeout_from_now(pg)};

	*out = NULL;
	while (status == PMON_OK && pg->pq.isBusy(pg->conn)) {
		status = wait_slice(pg, &wait, again, err);
		if (status == PMON_OK && !pg->pq.consumeInput(pg->conn))
			return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	}
	if (status == PMON_OK)
		*out = pg->pq.getResult(pg->conn);
	return status;
}

// Take all results; the first failure counts. `want` is what the one that matters must be.
static enum pmon_status
take_results(struct pg_connection *pg, bool *again, struct pmon_err *err)
{
	enum pmon_status status;
	PGresult *failed = NULL;
	PGresult *result;

	pg->pq.clear(pg->result);
	pg->result = NULL;
	while ((status = next_result(pg, &result, again, err)) == PMON_OK && result != NULL) {
		ExecStatusType got = pg->pq.resultStatus(result);

		if (got != PGRES_COMMAND_OK && got != PGRES_TUPLES_OK && got != PGRES_COPY_IN &&
		    failed == NULL) {
			failed = result;
			continue;
		}
		pg->pq.clear(pg->result);
		pg->result = result;
		if (got == PGRES_COPY_IN)
			break;
	}
	if (status == PMON_OK && failed != NULL)
		status = fail(pg, pg->pq.resultErrorMessage(failed), again, err);
	pg->pq.clear(failed);
	return status;
}

static const char *
answer_of(const struct pg_connection *pg, const PGresult *result)
{
	if (pg->pq.resultStatus(result) == PGRES_TUPLES_OK)
		return pg->pq.ntuples(result) > 0 && !pg->pq.getisnull(result, 0, 0)
			       ? pg->pq.getvalue(result, 0, 0)
			       : "";
	return pg->pq.cmdTuples((PGresult *)result);
}

static enum pmon_status
send_sql(struct pg_connection *pg, const char *sql, bool *again, struct pmon_err *err)
{
	*again = false;
	if (pg->conn == NULL) {
		*again = true;
		return pmon_err_set(err, PMON_E_IO, 0, "PostgreSQL: the connection is lost");
	}
	if (!pg->pq.sendQuery(pg->conn, sql))
		return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	return take_results(pg, again, err);
}

enum pmon_status
pmon_pg_run(struct pg_connection *pg, const char *sql, const char **answer, bool *again,
	    struct pmon_err *err)
{
	enum pmon_status status = send_sql(pg, sql, again, err);

	if (status == PMON_OK && answer != NULL)
		*answer = pg->result != NULL ? answer_of(pg, pg->result) : "";
	return status;
}

size_t
pmon_pg_count_rows(const struct pg_connection *pg)
{
	return pg->result != NULL ? (size_t)pg->pq.ntuples(pg->result) : 0;
}

struct pmon_span
pmon_pg_cell(const struct pg_connection *pg, size_t row, int column)
{
	if (pg->pq.getisnull(pg->result, (int)row, column))
		return (struct pmon_span){NULL, 0};
	return (struct pmon_span){pg->pq.getvalue(pg->result, (int)row, column),
				  (size_t)pg->pq.getlength(pg->result, (int)row, column)};
}

// ---- COPY -----------------------------------------------------------------------------------

static enum pmon_status
put_bytes(struct pg_connection *pg, const uint8_t *bytes, size_t len, bool *again,
	  struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && len > 0) {
		int n = (int)(len < COPY_CHUNK ? len : COPY_CHUNK);

		if (pg->pq.putCopyData(pg->conn, (const char *)bytes, n) != 1)
			return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
		bytes += n;
		len -= (size_t)n;
		status = flush(pg, again, err);
	}
	return status;
}

enum pmon_status
pmon_pg_copy(struct pg_connection *pg, const char *sql, const uint8_t *rows, size_t len,
	     bool *again, struct pmon_err *err)
{
	// The signature, no flags, nothing more in the header; and "no more rows".
	static const uint8_t header[] = {'P',  'G', 'C', 'O', 'P', 'Y', '\n', 0xFF, '\r', '\n',
					 '\0', 0,   0,   0,   0,   0,   0,    0,    0};
	static const uint8_t trailer[] = {0xFF, 0xFF};
	enum pmon_status status = send_sql(pg, sql, again, err);

	if (status == PMON_OK)
		status = put_bytes(pg, header, sizeof(header), again, err);
	if (status == PMON_OK)
		status = put_bytes(pg, rows, len, again, err);
	if (status == PMON_OK)
		status = put_bytes(pg, trailer, sizeof(trailer), again, err);
	if (status != PMON_OK)
		return status;
	if (pg->pq.putCopyEnd(pg->conn, NULL) != 1)
		return fail(pg, pg->pq.errorMessage(pg->conn), again, err);
	pg->counts->bytes += len;
	return take_results(pg, again, err);
}
