// socket.c - IP addresses and listening sockets: Windows
// SPDX-License-Identifier: MIT

#include "os/socket.h"

#include <errno.h>
#include <winsock2.h>

#include <iphlpapi.h>
#include <ws2tcpip.h>

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
		out->is_loopback = ntohl(v4.s_addr) >> 24 == 127;
		return true;
	}
	if (inet_pton(AF_INET6, text, &v6) != 1)
		return false;
	out->is_any = IN6_IS_ADDR_UNSPECIFIED(&v6);
	out->is_loopback = IN6_IS_ADDR_LOOPBACK(&v6);
	return true;
}

static void
set_errno(void)
{
	switch (WSAGetLastError()) {
	case WSAEADDRINUSE:
		errno = EADDRINUSE;
		break;
	case WSAEACCES:
		errno = EACCES;
		break;
	case WSAEADDRNOTAVAIL:
		errno = EADDRNOTAVAIL;
		break;
	default:
		errno = EIO;
		break;
	}
}

// Returns its length.
static int
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

// On Windows, rebinding a port works without SO_REUSEADDR, which would let other programs take the
// port.
int
pmon_socket_listen(const char *text, uint16_t port, int backlog, uint16_t *port_out)
{
	union address address;
	int len = make_address(text, port, &address);
	const char on[sizeof(int)] = {1};
	WSADATA data;
	SOCKET fd;

	(void)WSAStartup(MAKEWORD(2, 2), &data);
	fd = WSASocketW(address.any.sa_family, SOCK_STREAM, 0, NULL, 0,
			WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
	if (fd == INVALID_SOCKET) {
		set_errno();
		return -1;
	}
	(void)setsockopt(fd, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, on, sizeof(on));
	if (bind(fd, &address.any, len) != 0 || listen(fd, backlog) != 0 ||
	    getsockname(fd, &address.any, &len) != 0) {
		set_errno();
		(void)closesocket(fd);
		return -1;
	}
	*port_out = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port
							   : address.v6.sin6_port);
	return (int)fd; // a socket's handle has 32 bits
}

void
pmon_socket_close(int fd)
{
	(void)closesocket((SOCKET)fd);
}

static bool
write_address(const struct sockaddr *one, char *text)
{
	union address address;

	if (one->sa_family == AF_INET) {
		memcpy(&address.v4, one, sizeof(address.v4));
		return ntohl(address.v4.sin_addr.s_addr) >> 24 != 127 &&
		       inet_ntop(AF_INET, &address.v4.sin_addr, text, PMON_ADDRESS_SIZE) != NULL;
	}
	if (one->sa_family != AF_INET6)
		return false;
	memcpy(&address.v6, one, sizeof(address.v6));
	return !IN6_IS_ADDR_LINKLOCAL(&address.v6.sin6_addr) &&
	       !IN6_IS_ADDR_LOOPBACK(&address.v6.sin6_addr) &&
	       inet_ntop(AF_INET6, &address.v6.sin6_addr, text, PMON_ADDRESS_SIZE) != NULL;
}

size_t
pmon_socket_addresses(char (*list)[PMON_ADDRESS_SIZE], size_t most)
{
	const ULONG flags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST |
			    GAA_FLAG_SKIP_DNS_SERVER | GAA_FLAG_SKIP_FRIENDLY_NAME;
	ULONG size = 64 * 1024;
	IP_ADAPTER_ADDRESSES *all = malloc(size);
	size_t n = 0;

	if (all != NULL && GetAdaptersAddresses(AF_UNSPEC, flags, NULL, all, &size) == NO_ERROR)
		for (const IP_ADAPTER_ADDRESSES *a = all; a != NULL; a = a->Next)
			for (const IP_ADAPTER_UNICAST_ADDRESS *u = a->FirstUnicastAddress;
			     u != NULL && n < most; u = u->Next)
				n += write_address(u->Address.lpSockaddr, list[n]);
	free(all);
	return n;
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
	(void)shutdown((SOCKET)fd, SD_BOTH);
}
