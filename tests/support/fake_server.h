// fake_server.h - a server in a thread of a test, which answers as the test wants
// SPDX-License-Identifier: MIT
//
// It listens on a loopback port and serves one connection at a time. What the test's functions
// record in ctx may be read once the server has stopped.

#ifndef PMON_TESTS_FAKE_SERVER_H
#define PMON_TESTS_FAKE_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fake_server;

// ---- HTTP -----------------------------------------------------------------------------------

struct fake_http_request {
	const char *head;   // the first line and all headers
	const char *target; // "/?query=SELECT%201"
	const char *body;   // terminated by a NUL
	size_t body_len;
};

struct fake_http_reply {
	int code;            // 0: disconnect without an answer
	const char *headers; // each ends with "\r\n"; may be NULL
	const char *body;    // may be NULL
	size_t body_len;     // 0: up to the NUL
};

typedef struct fake_http_reply (*fake_http_fn)(void *ctx, const struct fake_http_request *request);

struct fake_server *fake_http_start(fake_http_fn answer, void *ctx);

// ---- PostgreSQL -----------------------------------------------------------------------------
//
// As much of the "Frontend/Backend Protocol" as simple queries and COPY need.

enum fake_pg_kind {
	FAKE_PG_DONE,    // text is the command tag, "INSERT 0 1"
	FAKE_PG_ROWS,    // lines of tab-separated cells, \N for NULL
	FAKE_PG_COPY,    // take rows
	FAKE_PG_ERROR,   // text is the SQLSTATE, a blank, and a message
	FAKE_PG_HANG_UP, // without an answer
	FAKE_PG_SILENCE, // no answer until the client disconnects
};

struct fake_pg_reply {
	enum fake_pg_kind kind;
	const char *text;
};

struct fake_pg {
	// sql is NULL at the beginning of a session: an error rejects it, anything else accepts it.
	struct fake_pg_reply (*answer)(void *ctx, const char *sql);
	void (*copied)(void *ctx, const uint8_t *bytes, size_t len); // rows of COPY; may be NULL
	void *ctx;
};

struct fake_server *fake_pg_start(const struct fake_pg *pg);

// ---- Both -----------------------------------------------------------------------------------

unsigned fake_server_port(const struct fake_server *server);

// Wait until the connections have ended, and free the server.
void fake_server_stop(struct fake_server *server);

// For protocols: serve(ctx, fd) owns a connection until it returns. The read function returns false
// at the end.
struct fake_server *fake_server_start(void (*serve)(void *ctx, int fd), void *ctx, size_t ctx_size);
bool fake_server_read(int fd, void *bytes, size_t len);
void fake_server_write(int fd, const void *bytes, size_t len);

// ---- What arrived ---------------------------------------------------------------------------

struct fake_record {
	uint8_t *bytes;
	size_t n;
	size_t cap;
};

void fake_record_add(struct fake_record *record, const void *bytes, size_t len);
void fake_record_free(struct fake_record *record);

#endif
