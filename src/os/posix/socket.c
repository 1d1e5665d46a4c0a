// socket.c - IP addresses and listening sockets: POSIX
// SPDX-License-Identifier: MIT

#include "os/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

bool
pmon_ip_parse(const char *text, struct pmon_ip *out)
{
	struct in_addr v4;
	struct in6_addr v6;

	*out = (struct pmon_ip){.is_v4 = inet_pton(AF_INET, text, &v4) == 1};
	if (out->is_v4) {
		out->is_any = v4.s_addr == 0;
		out->is_loopback = ntohl(v4.s_addr) >> 24 == IN_LOOPBACKNET;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6) != 1)
		return false;
	out->is_any = IN6_IS_ADDR_UNSPECIFIED(&v6);
	out->is_loopback = IN6_IS_ADDR_LOOPBACK(&v6);
	return true;
}

// Returns its length.
static socklen_t
make_address(const char *text, uint16_t port, union address *out)
{
	memset(out, 0, sizeof(*out));
	if (inet_pton(AF_INET, text, &out->v4.sin_addr) == 1) {
		out->v4.sin_family = AF_INET;
		out->v4.sin_port = htons(port);
		return sizeof(out->v4);
	}
	(void)inet_pton(AF_INET6, text, &out->v6.sin6_addr);
	out->v6.sin6_family = AF_INET6;
	out->v6.sin6_port = htons(port);
	return sizeof(out->v6);
}

int
pmon_socket_listen(const char *text, uint16_t port, int backlog, uint16_t *port_out)
{
	union address address;
	socklen_t len = make_address(text, port, &address);
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
	*port_out = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port
							   : address.v6.sin6_port);
	return fd;
}

void
pmon_socket_close(int fd)
{
	(void)close(fd);
}

static bool
write_address(const struct ifaddrs *one, char *text)
{
	union address address;

	if (one->ifa_addr == NULL)
		return false;
	if (one->ifa_addr->sa_family == AF_INET) {
		memcpy(&address.v4, one->ifa_addr, sizeof(address.v4));
		return ntohl(address.v4.sin_addr.s_addr) >> 24 != IN_LOOPBACKNET &&
		       inet_ntop(AF_INET, &address.v4.sin_addr, text, PMON_ADDRESS_SIZE) != NULL;
	}
	if (one->ifa_addr->sa_family != AF_INET6)
		return false;
	memcpy(&address.v6, one->ifa_addr, sizeof(address.v6));
	return !IN6_IS_ADDR_LINKLOCAL(&address.v6.sin6_addr) &&
	       !IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr) &&
	       inet_ntop(AF_INET6, &address.v6.sin6_addr, text, PMON_ADDRESS_SIZE) != NULL;
}

size_t
pmon_socket_addresses(char (*list)[PMON_ADDRESS_SIZE], size_t most)
{
	struct ifaddrs *all;
	size_t n = 0;

	if (getifaddrs(&all) != 0)
		return 0;
	for (const struct ifaddrs *one = all; one != NULL && n < most; one = one->ifa_next)
		n += write_address(one, list[n]);
	freeifaddrs(all);
	return n;
}

bool
pmon_socket_wait(int fd, bool reading, bool writing, int64_t timeout_100ns)
{
	struct pollfd wanted = {.fd = fd};

	wanted.events = (short)((reading ? POLLIN : 0) | (writing ? POLLOUT : 0));
	return poll(&wanted, 1, (int)(timeout_100ns / PMON_TIME_PER_MSEC)) > 0;
}

void
pmon_socket_shut(int fd)
{
	(void)shutdown(fd, SHUT_RDWR);
}
