// guard.c - may this request be answered?
// SPDX-License-Identifier: MIT
//
// Another page in the same browser can make it ask any address, under any name that its owner makes
// point there. So Host has to be a name that nobody else can give out: an address of this server, or
// localhost.

#include "web/guard.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

bool
guard_address(struct guard *guard, const char *text)
{
	struct in_addr v4;
	struct in6_addr v6;

	*guard = (struct guard){.loopback = false};
	if (text == NULL)
		text = "127.0.0.1";
	if (strlen(text) >= sizeof(guard->address))
		return false;
	strcpy(guard->address, text);
	if (inet_pton(AF_INET, text, &v4) == 1) {
		guard->any = v4.s_addr == 0;
		guard->loopback = ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6) != 1)
		return false;
	guard->any = IN6_IS_ADDR_UNSPECIFIED(&v6);
	guard->loopback = IN6_IS_ADDR_LOOPBACK(&v6);
	return true;
}

bool
guard_make_token(struct guard *guard)
{
	unsigned char random[GUARD_TOKEN / 2];
	FILE *file;
	bool good;

	file = fopen("/dev/urandom", "rb");
	good = file != NULL && fread(random, 1, sizeof(random), file) == sizeof(random);
	if (file != NULL)
		fclose(file);
	for (size_t i = 0; good && i < sizeof(random); i++)
		(void)snprintf(guard->token + 2 * i, 3, "%02x", random[i]);
	return good;
}

// Take ":41213" off the end of host. A host without a port means port 80.
static bool
take_port(const char *host, char name[128], uint16_t port)
{
	const char *colon = strrchr(host, ':');
	bool has_port = colon != NULL && strchr(colon, ']') == NULL;
	size_t len = has_port ? (size_t)(colon - host) : strlen(host);
	char text[8];

	if (len == 0 || len >= 128)
		return false;
	memcpy(name, host, len);
	name[len] = '\0';
	(void)snprintf(text, sizeof(text), "%u", (unsigned)port);
	return has_port ? strcmp(colon + 1, text) == 0 : port == 80;
}

// The address in brackets, or as it is.
static void
strip_brackets(char name[128])
{
	size_t len = strlen(name);

	if (len < 2 || name[0] != '[' || name[len - 1] != ']')
		return;
	memmove(name, name + 1, len - 2);
	name[len - 2] = '\0';
}

static bool
is_address(const char *name)
{
	struct in6_addr address; // room for either

	return inet_pton(AF_INET, name, &address) == 1 || inet_pton(AF_INET6, name, &address) == 1;
}

bool
guard_host(const struct guard *guard, const char *host)
{
	char name[128];

	if (host == NULL || !take_port(host, name, guard->port))
		return false;
	strip_brackets(name);
	if (strcmp(name, guard->address) == 0)
		return true;
	if (guard->loopback || guard->any)
		return strcasecmp(name, "localhost") == 0 || (guard->any && is_address(name));
	return false;
}

bool
guard_origin(const struct guard *guard, const char *host, const char *origin)
{
	static const char scheme[] = "http://";

	if (origin == NULL)
		return true;
	return strncmp(origin, scheme, sizeof(scheme) - 1) == 0 && guard_host(guard, host) &&
	       strcasecmp(origin + sizeof(scheme) - 1, host) == 0;
}

// Takes as long whatever the token is.
bool
guard_token(const struct guard *guard, const char *token)
{
	unsigned char differs = 0;

	if (guard->token[0] == '\0')
		return true;
	if (token == NULL || strlen(token) != GUARD_TOKEN)
		return false;
	for (size_t i = 0; i < GUARD_TOKEN; i++)
		differs |= (unsigned char)(guard->token[i] ^ token[i]);
	return differs == 0;
}

// ---- Listening ------------------------------------------------------------------------------

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

// Returns its length.
static socklen_t
make_address(const struct guard *guard, uint16_t port, union address *out)
{
	memset(out, 0, sizeof(*out));
	if (inet_pton(AF_INET, guard->address, &out->v4.sin_addr) == 1) {
		out->v4.sin_family = AF_INET;
		out->v4.sin_port = htons(port);
		return sizeof(out->v4);
	}
	(void)inet_pton(AF_INET6, guard->address, &out->v6.sin6_addr);
	out->v6.sin6_family = AF_INET6;
	out->v6.sin6_port = htons(port);
	return sizeof(out->v6);
}

int
guard_listen(struct guard *guard, uint16_t port, int backlog)
{
	union address address;
	socklen_t len = make_address(guard, port, &address);
	int fd = socket(address.any.sa_family, SOCK_STREAM, 0);
	int on = 1;

	if (fd < 0)
		return -1;
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(fd, &address.any, len) != 0 || listen(fd, backlog) != 0 ||
	    getsockname(fd, &address.any, &len) != 0) {
		int sys = errno;

		(void)close(fd);
		errno = sys;
		return -1;
	}
	guard->port = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port
							     : address.v6.sin6_port);
	return fd;
}
