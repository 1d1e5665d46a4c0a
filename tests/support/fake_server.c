// fake_server.c - a server in a thread of a test, which answers as the test wants
// SPDX-License-Identifier: MIT

#include "fake_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "os/threads.h"
#include "t.h"

struct fake_server {
	void (*serve)(void *ctx, int fd);
	void *ctx; // a copy, of the server
	int fd;
	unsigned port;
	atomic_bool is_over;
	struct pmon_thread thread;
};

// ---- Connections ----------------------------------------------------------------------------

static void
serve_all(void *ctx)
{
	struct fake_server *server = ctx;
	int at_once = 1; // do not delay small messages
	int fd;

	while ((fd = accept(server->fd, NULL, NULL)) >= 0 && !server->is_over) {
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
		server->serve(server->ctx, fd);
		(void)close(fd);
	}
	if (fd >= 0)
		(void)close(fd);
}

struct fake_server *
fake_server_start(void (*serve)(void *ctx, int fd), void *ctx, size_t ctx_size)
{
	struct fake_server *server = calloc(1, sizeof(*server));
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);

	assert_non_null(server);
	server->serve = serve;
	server->ctx = malloc(ctx_size);
	assert_non_null(server->ctx);
	memcpy(server->ctx, ctx, ctx_size);
	server->fd = socket(AF_INET, SOCK_STREAM, 0);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(bind(server->fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	assert_true(listen(server->fd, 16) == 0);
	assert_true(getsockname(server->fd, (struct sockaddr *)&address, &len) == 0);
	server->port = ntohs(address.sin_port);
	assert_true(pmon_thread_begin(&server->thread, serve_all, server));
	return server;
}

unsigned
fake_server_port(const struct fake_server *server)
{
	return server->port;
}

// One last connection wakes the thread.
void
fake_server_stop(struct fake_server *server)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_port = htons((uint16_t)server->port),
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	server->is_over = true;
	assert_true(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	pmon_thread_join(&server->thread);
	(void)close(fd);
	(void)close(server->fd);
	free(server->ctx);
	free(server);
}

bool
fake_server_read(int fd, void *bytes, size_t len)
{
	for (size_t n = 0; n < len;) {
		ssize_t got = read(fd, (char *)bytes + n, len - n);

		if (got <= 0)
			return false;
		n += (size_t)got;
	}
	return true;
}

// A client that disconnects is not an error of the server.
void
fake_server_write(int fd, const void *bytes, size_t len)
{
	for (size_t n = 0; n < len;) {
		ssize_t put = send(fd, (const char *)bytes + n, len - n, MSG_NOSIGNAL);

		if (put <= 0)
			return;
		n += (size_t)put;
	}
}

// ---- HTTP -----------------------------------------------------------------------------------

#define HEAD_SIZE 65536

struct http {
	fake_http_fn answer;
	void *ctx;
};

// Read up to the blank line, byte by byte, and NUL-terminate.
static bool
read_head(int fd, char *head)
{
	size_t n = 0;

	while (n < HEAD_SIZE - 1 && fake_server_read(fd, head + n, 1)) {
		head[++n] = '\0';
		if (n >= 4 && memcmp(head + n - 4, "\r\n\r\n", 4) == 0)
			return true;
	}
	return false;
}

static void
put_reply(int fd, const struct fake_http_reply *reply)
{
	size_t len = reply->body_len != 0  ? reply->body_len
		     : reply->body != NULL ? strlen(reply->body)
					   : 0;
	char head[1000];
	int n = snprintf(head, sizeof(head),
			 "HTTP/1.1 %d Said\r\nContent-Length: %zu\r\nConnection: close\r\n%s\r\n",
			 reply->code, len, reply->headers != NULL ? reply->headers : "");

	fake_server_write(fd, head, (size_t)n);
	fake_server_write(fd, reply->body, len);
}

// Serve one request per connection.
static void
serve_http(void *ctx, int fd)
{
	struct http *http = ctx;
	char *head = malloc(HEAD_SIZE);
	char *body = NULL;
	char target[HEAD_SIZE / 16];

	if (head != NULL && read_head(fd, head) && sscanf(head, "%*s %4095s", target) == 1) {
		const char *length = strstr(head, "Content-Length: ");
		size_t len = length != NULL ? strtoul(length + 16, NULL, 10) : 0;

		body = calloc(1, len + 1);
		if (body != NULL && fake_server_read(fd, body, len)) {
			struct fake_http_request request = {head, target, body, len};
			struct fake_http_reply reply = http->answer(http->ctx, &request);

			if (reply.code != 0)
				put_reply(fd, &reply);
		}
	}
	free(body);
	free(head);
}

struct fake_server *
fake_http_start(fake_http_fn answer, void *ctx)
{
	struct http http = {answer, ctx};

	return fake_server_start(serve_http, &http, sizeof(http));
}

// ---- What arrived ---------------------------------------------------------------------------

void
fake_record_add(struct fake_record *record, const void *bytes, size_t len)
{
	if (record->n + len > record->cap) {
		record->cap = 2 * (record->n + len);
		record->bytes = realloc(record->bytes, record->cap);
		if (record->bytes == NULL)
			abort();
	}
	if (len > 0)
		memcpy(record->bytes + record->n, bytes, len);
	record->n += len;
}

void
fake_record_free(struct fake_record *record)
{
	free(record->bytes);
	*record = (struct fake_record){NULL, 0, 0};
}
