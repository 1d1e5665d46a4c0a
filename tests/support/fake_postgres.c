// fake_postgres.c - a server that implements as much of PostgreSQL's protocol as pmon needs
// SPDX-License-Identifier: MIT
//
// See "Frontend/Backend Protocol" in PostgreSQL's documentation: a message is a letter, its length
// without the letter (big-endian), and its contents. The first message of a session has no letter.

#include <stdlib.h>
#include <string.h>

#include "fake_server.h"

#define MESSAGE_MAX ((size_t)1 << 20)

static uint32_t
be32(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

static void
put_be32(uint8_t *bytes, size_t n)
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(n >> (24 - 8 * i));
}

static void
put_message(int fd, char letter, const void *bytes, size_t len)
{
	uint8_t head[5] = {(uint8_t)letter};

	put_be32(head + 1, len + 4);
	fake_server_write(fd, head, sizeof(head));
	fake_server_write(fd, bytes, len);
}

static void
put_ready(int fd)
{
	put_message(fd, 'Z', "I", 1);
}

// Read a client's next message and NUL-terminate it; 0 at the end.
static char
next_message(int fd, uint8_t *bytes, size_t *len)
{
	uint8_t head[5];

	if (!fake_server_read(fd, head, sizeof(head)))
		return 0;
	*len = be32(head + 1) - 4;
	if (*len >= MESSAGE_MAX || !fake_server_read(fd, bytes, *len))
		return 0;
	bytes[*len] = 0;
	return (char)head[0];
}

// ---- Answers --------------------------------------------------------------------------------

static void
put_error(int fd, const char *text)
{
	struct fake_record e = {NULL, 0, 0};

	fake_record_add(&e, "SERROR\0VERROR\0C", 15);
	fake_record_add(&e, text, 5);
	fake_record_add(&e, "\0M", 2);
	fake_record_add(&e, text + 6, strlen(text + 6) + 1);
	fake_record_add(&e, "", 1);
	put_message(fd, 'E', e.bytes, e.n);
	fake_record_free(&e);
}

// Text columns without names: type 25 is text of any length.
static void
put_columns(int fd, size_t n)
{
	static const uint8_t column[] = {'?', 0,  0,    0,    0,    0,    0,    0,    0, 0,
					 0,   25, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0};
	uint8_t count[2] = {0, (uint8_t)n};
	struct fake_record e = {NULL, 0, 0};

	fake_record_add(&e, count, sizeof(count));
	while (n-- > 0)
		fake_record_add(&e, column, sizeof(column));
	put_message(fd, 'T', e.bytes, e.n);
	fake_record_free(&e);
}

static size_t
count_cells(const char *line)
{
	size_t n = 1;

	for (; *line != '\0' && *line != '\n'; line++)
		n += *line == '\t';
	return n;
}

static const char *
put_row(int fd, const char *line)
{
	uint8_t number[4] = {0, (uint8_t)count_cells(line)};
	struct fake_record e = {NULL, 0, 0};

	fake_record_add(&e, number, 2);
	for (;;) {
		size_t len = strcspn(line, "\t\n");
		bool is_null = len == 2 && memcmp(line, "\\N", 2) == 0;

		put_be32(number, is_null ? UINT32_MAX : len);
		fake_record_add(&e, number, sizeof(number));
		fake_record_add(&e, line, is_null ? 0 : len);
		line += len;
		if (*line != '\t')
			break;
		line++;
	}
	put_message(fd, 'D', e.bytes, e.n);
	fake_record_free(&e);
	return *line == '\n' ? line + 1 : line;
}

static void
put_rows(int fd, const char *text)
{
	put_columns(fd, count_cells(text));
	while (*text != '\0')
		text = put_row(fd, text);
	put_message(fd, 'C', "SELECT", 7);
}

static void
take_copy(int fd, const struct fake_pg *pg, uint8_t *bytes)
{
	size_t len;
	char letter;

	put_message(fd, 'G', "\1\0\0", 3);
	while ((letter = next_message(fd, bytes, &len)) == 'd')
		if (pg->copied != NULL)
			pg->copied(pg->ctx, bytes, len);
	if (letter == 'c')
		put_message(fd, 'C', "COPY 1", 7);
	put_ready(fd);
}

// False if the connection must end.
static bool
answer(int fd, const struct fake_pg *pg, uint8_t *bytes)
{
	struct fake_pg_reply reply = pg->answer(pg->ctx, (const char *)bytes);
	size_t len;

	switch (reply.kind) {
	case FAKE_PG_DONE:
		put_message(fd, 'C', reply.text, strlen(reply.text) + 1);
		break;
	case FAKE_PG_ROWS:
		put_rows(fd, reply.text);
		break;
	case FAKE_PG_COPY:
		take_copy(fd, pg, bytes);
		return true;
	case FAKE_PG_ERROR:
		put_error(fd, reply.text);
		break;
	case FAKE_PG_SILENCE:
		while (next_message(fd, bytes, &len) != 0)
			;
		return false;
	case FAKE_PG_HANG_UP:
		return false;
	}
	put_ready(fd);
	return true;
}

// ---- Sessions -------------------------------------------------------------------------------

// The first message. Requests for encryption are answered with N for no.
static bool
begin(int fd, const struct fake_pg *pg)
{
	struct fake_pg_reply reply;
	uint8_t head[8];
	uint8_t rest[2000];

	for (;;) {
		if (!fake_server_read(fd, head, sizeof(head)))
			return false;
		if (be32(head + 4) == 80877103 || be32(head + 4) == 80877104)
			fake_server_write(fd, "N", 1);
		else
			break;
	}
	if (be32(head) > sizeof(rest) || !fake_server_read(fd, rest, be32(head) - sizeof(head)))
		return false;
	reply = pg->answer(pg->ctx, NULL);
	if (reply.kind == FAKE_PG_ERROR) {
		put_error(fd, reply.text);
		return false;
	}
	put_message(fd, 'R', "\0\0\0\0", 4);
	put_ready(fd);
	return true;
}

static void
serve(void *ctx, int fd)
{
	const struct fake_pg *pg = ctx;
	uint8_t *bytes = malloc(MESSAGE_MAX);
	size_t len;

	if (bytes != NULL && begin(fd, pg))
		while (next_message(fd, bytes, &len) == 'Q' && answer(fd, pg, bytes))
			;
	free(bytes);
}

struct fake_server *
fake_pg_start(const struct fake_pg *pg)
{
	struct fake_pg copy = *pg;

	return fake_server_start(serve, &copy, sizeof(copy));
}
