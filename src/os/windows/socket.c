// socket.c - addresses of the Internet: Windows
// SPDX-License-Identifier: MIT

#include "os/socket.h"

#include <errno.h>
#include <winsock2.h>
#include <ws2tcpip.h>

bool
pmon_ip_parse(const char *text, struct pmon_ip *out)
{
	struct in_addr v4;
	struct in6_addr v6;

	*out = (struct pmon_ip){.is_v4 = inet_pton(AF_INET, text, &v4) == 1};
	if (out->is_v4) {
		out->is_any = v4.s_addr == 0;
		out->is_loopback = ntohl(v4.s_addr) >> 24 == 127;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6) != 1)
		return false;
	out->is_any = IN6_IS_ADDR_UNSPECIFIED(&v6);
	out->is_loopback = IN6_IS_ADDR_LOOPBACK(&v6);
	return true;
}

// The build has no server: Debian has no libmicrohttpd for Windows.
int
pmon_socket_listen(const char *address, uint16_t port, int backlog, uint16_t *port_out)
{
	(void)address, (void)port, (void)backlog, (void)port_out;
	errno = ENOSYS;
	return -1;
}

size_t
pmon_socket_addresses(char (*list)[PMON_ADDRESS_SIZE], size_t most)
{
	(void)list, (void)most;
	return 0;
}

bool
pmon_socket_wait(int fd, bool reading, bool writing, int64_t timeout_100ns)
{
	WSAPOLLFD wanted = {.fd = (SOCKET)fd};

	wanted.events = (SHORT)((reading ? POLLRDNORM : 0) | (writing ? POLLWRNORM : 0));
	return WSAPoll(&wanted, 1, (INT)(timeout_100ns / PMON_TIME_PER_MSEC)) > 0;
}

void
pmon_socket_shut(int fd)
{
	(void)fd;
}
