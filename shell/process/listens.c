// listens.c - listening sockets whose connections wait to be accepted
// SPDX-License-Identifier: MIT

#include "shell/process/listens.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "os/dir.h"

#define PATH       4096
#define LINE       512
#define LISTEN     0x0A // TCP_LISTEN
#define DESCRIPTOR 65536

static void
insert(struct listens *list, size_t *n, size_t most, const struct listens *one)
{
	size_t at = *n;

	while (at > 0 && list[at - 1].waiting < one->waiting)
		at--;
	if (at == most)
		return;
	*n += *n < most;
	memmove(&list[at + 1], &list[at], (*n - 1 - at) * sizeof(*list));
	list[at] = *one;
}

// "0: 0100007F:1F90 00000000:0000 0A 00000000:00000002 00:00000000 00000000 0 0 1717619": number, local address, remote
// address, state, queues, timer, retransmissions, user, timeout, inode. For a listening socket, the second queue is the
// number of waiting connections.
static bool
read_line(const char *line, struct listens *out)
{
	unsigned state;

	return sscanf(line,
		      " %*[0-9]: %*[0-9A-Fa-f]:%4x %*[0-9A-Fa-f]:%*4x %2x %*8x:%8" SCNx64
		      " %*s %*s %*s %*s %20" SCNu64,
		      &out->port, &state, &out->waiting, &out->inode) == 4 &&
	       state == LISTEN && out->waiting > 0;
}

static void
read_file(const char *path, struct listens *list, size_t *n, size_t most)
{
	FILE *file = fopen(path, "rb");
	char line[LINE];
	struct listens one;

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (read_line(line, &one))
			insert(list, n, most, &one);
	if (file != NULL)
		(void)fclose(file);
}

size_t
listens_read(const char *root, struct listens *list, size_t most)
{
	static const char *const names[] = {"tcp", "tcp6"};
	char path[PATH];
	size_t n = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		// Another root may have no /proc/self; its network is that of its first process.
		(void)snprintf(path, sizeof(path), "%s/proc/%snet/%s", root != NULL ? root : "",
			       root != NULL ? "1/" : "", names[i]);
		read_file(path, list, &n, most);
	}
	return n;
}

bool
listens_is_of(const char *root, int64_t pid, double files, uint64_t inode)
{
	char path[PATH];
	double found = 0;

	for (int fd = 0; found < files && fd < DESCRIPTOR; fd++) {
		struct pmon_os_stat stat;

		(void)snprintf(path, sizeof(path), "%s/proc/%" PRId64 "/fd/%d",
			       root != NULL ? root : "", pid, fd);
		stat = pmon_os_stat(path, true);
		found += stat.is_there;
		if (stat.is_there && stat.number == inode && !stat.is_regular && !stat.is_directory)
			return true;
	}
	return false;
}
