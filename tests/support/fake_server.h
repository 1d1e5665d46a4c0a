// fake_server.h - a server of a test, in a thread of it, that says what the test wants
// SPDX-License-Identifier: MIT
//
// It is on a port of the loopback and serves one connection at a time. What the functions of the test have
// noted in ctx may be read when the server was stopped.

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
	int code;            // 0: hang up without an answer
	const char *headers; // each ends with "\r\n"; may be NULL
	const char *body;    // may be NULL
	size_t body_len;     // 0: up to the NUL
};

typedef struct fake_http_reply (*fake_http_fn)(void *ctx, const struct fake_http_request *request);

struct fake_server *fake_http_start(fake_http_fn answer, void *ctx);

// ---- PostgreSQL -----------------------------------------------------------------------------
//
// Of "Frontend/Backend Protocol" as much as simple queries and COPY need.

enum fake_pg_kind {
	FAKE_PG_DONE,    // text is the tag of the command, "INSERT 0 1"
	FAKE_PG_ROWS,    // lines of cells with tabs between them, \N for NULL
	FAKE_PG_COPY,    // take rows
	FAKE_PG_ERROR,   // text is the SQLSTATE, a blank and a message
	FAKE_PG_HANG_UP, // without an answer
	FAKE_PG_SILENCE, // no answer until the client hangs up
};

struct fake_pg_reply {
	enum fake_pg_kind kind;
	const char *text;
};

struct fake_pg {
	// sql is NULL when a session begins: an error refuses it, anything else lets it begin.
	struct fake_pg_reply (*answer)(void *ctx, const char *sql);
	void (*copied)(void *ctx, const uint8_t *bytes, size_t len); // rows of COPY; may be NULL
	void *ctx;
};

struct fake_server *fake_pg_start(const struct fake_pg *pg);

// ---- Both -----------------------------------------------------------------------------------

unsigned fake_server_port(const struct fake_server *server);

// Wait for the end of the connections, and free it.
void fake_server_stop(struct fake_server *server);

// For protocols: serve(ctx, fd) has a connection until it returns. Reading is false at its end.
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
