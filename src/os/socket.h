// socket.h - addresses of the Internet, and a socket that listens
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_SOCKET_H
#define PMON_OS_SOCKET_H

#include <pmon/base.h>

// What an IPv4 or IPv6 address says.
struct pmon_ip {
	bool is_v4;
	bool is_any;      // 0.0.0.0 or ::
	bool is_loopback; // 127.0.0.0/8 or ::1
};

// False when the text is not an address.
bool pmon_ip_parse(const char *text, struct pmon_ip *out);

// Listen at an address that is one, at a port (0: any that is free), which *port_out becomes. Returns the
// descriptor, or -1 with errno.
int pmon_socket_listen(const char *address, uint16_t port, int backlog, uint16_t *port_out);
void pmon_socket_close(int fd);

#define PMON_ADDRESS_SIZE 64 // bytes of an address as text

// The addresses of this machine that others may reach: not loopback, and no link-local ones of IPv6. At most `most` of them; returns how many.
size_t pmon_socket_addresses(char (*list)[PMON_ADDRESS_SIZE], size_t most);

// Wait until a socket can be read, or written, as is asked for, or is broken; at most so long, or until a signal comes.
// False when none of it happened.
bool pmon_socket_wait(int fd, bool reading, bool writing, int64_t timeout_100ns);

// End both directions of a connection, for all who use it; the descriptor stays open.
void pmon_socket_shut(int fd);

#endif
