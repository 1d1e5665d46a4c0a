// socket.h - IP addresses and listening sockets
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_SOCKET_H
#define PMON_OS_SOCKET_H

#include <pmon/base.h>

// The kind of an IPv4 or IPv6 address.
struct pmon_ip {
	bool is_v4;
	bool is_any;      // 0.0.0.0 or ::
	bool is_loopback; // 127.0.0.0/8 or ::1
};

// Returns false if the text is not an address.
bool pmon_ip_parse(const char *text, struct pmon_ip *out);

// Listen at a valid address and a port (0: any free port); *port_out is the actual port. Returns the
// descriptor, or -1 with errno.
int pmon_socket_listen(const char *address, uint16_t port, int backlog, uint16_t *port_out);
void pmon_socket_close(int fd);

#define PMON_ADDRESS_SIZE 64 // bytes of an address as text

// List up to `most` addresses of this machine, without loopback and link-local IPv6 addresses. Returns their number.
size_t pmon_socket_addresses(char (*list)[PMON_ADDRESS_SIZE], size_t most);

// Wait until a socket is readable or writable, as requested, or has failed. Returns false after the timeout or a
// signal.
bool pmon_socket_wait(int fd, bool reading, bool writing, int64_t timeout_100ns);

// Shut down both directions of a connection, for all its users; the descriptor stays open.
void pmon_socket_shut(int fd);

#endif
