// socket.c - IP addresses and listening sockets: WASI has no sockets
// SPDX-License-Identifier: MIT

#include "os/socket.h"

#include <errno.h>

bool
pmon_ip_parse(const char *text, struct pmon_ip *out)
{
	(void)text, (void)out;
	return false;
}

int
pmon_socket_listen(const char *address, uint16_t port, int backlog, uint16_t *port_out)
{
	(void)address, (void)port, (void)backlog, (void)port_out;
	errno = ENOTSUP;
	return -1;
}

void
pmon_socket_close(int fd)
{
	(void)fd;
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
	(void)fd, (void)reading, (void)writing, (void)timeout_100ns;
	return false;
}

void
pmon_socket_shut(int fd)
{
	(void)fd;
}
