// door.c - open files through the keeper, for a sandboxed process
// SPDX-License-Identifier: MIT

#ifdef __linux__
#define _GNU_SOURCE // syscall()
#endif

#include "shell/process/door.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef PMON_WITH_SQLITE
#include <sqlite3.h>
#endif

#include "base/err.h"
#include "shell/args/textfile.h"
#include "shell/output/say.h"
#include "shell/process/child.h"
#include "shell/process/keeper.h"
#include "shell/process/signals.h"
#include "os/threads.h"

static struct pmon_lock lock; // protects the socket: several threads open files
static int keeper = -1;       // the socket
static pid_t process;

// ---- Questions -------------------------------------------------------------------------------

// 32-bit C libraries use other calls for some of these, which a filter cannot check.
static ssize_t
receive(struct keeper_answer *answer, int *fd)
{
	union {
		struct cmsghdr header; // for alignment
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = {answer, sizeof(*answer)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	const struct cmsghdr *header;
	ssize_t n;

	do
		n = (ssize_t)syscall(SYS_recvmsg, keeper, &message, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	header = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	*fd = -1;
	if (header != NULL && header->cmsg_len == CMSG_LEN(sizeof(*fd)))
		memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return n;
}

// Returns the received descriptor, or -1. A keeper that has ended is an I/O error.
static int
ask(enum keeper_question question, const char *path, const struct pmon_outfile_options *options,
    struct keeper_answer *answer)
{
	struct keeper_request request = {.question = question};
	int fd = -1;

	*answer = (struct keeper_answer){.status = PMON_E_IO, .sys = EIO};
	(void)pmon_err_sys(&answer->err, PMON_E_IO, EIO, "cannot create %s", path);
	if (options != NULL) {
		request.overwrite = options->overwrite;
		request.sync = options->sync;
	}
	if (strlen(path) >= sizeof(request.path)) {
		answer->sys = ENAMETOOLONG;
		(void)pmon_err_sys(&answer->err, PMON_E_IO, ENAMETOOLONG,
				   "cannot create the output");
		return -1;
	}
	strcpy(request.path, path);
	pmon_lock_take(&lock);
	if (write(keeper, &request, sizeof(request)) != (ssize_t)sizeof(request) ||
	    receive(answer, &fd) != (ssize_t)sizeof(*answer))
		answer->sys = EIO;
	pmon_lock_give(&lock);
	return fd;
}

static int
ask_to_open(enum keeper_question question, const char *path)
{
	struct keeper_answer answer;
	int fd = ask(question, path, NULL, &answer);

	if (fd < 0)
		errno = answer.sys;
	return fd;
}

static int
open_input(const char *path)
{
	return ask_to_open(KEEPER_OPEN, path);
}

static int
open_temporary(void)
{
	return ask_to_open(KEEPER_TEMPORARY, "");
}

static enum pmon_status
begin_output(const char *path, const struct pmon_outfile_options *options, struct pmon_place *place,
	     struct pmon_err *err)
{
	struct keeper_answer answer;
	int fd = ask(KEEPER_BEGIN, path, options, &answer);

	*place = answer.place;
	place->fd = fd;
	if (answer.status == PMON_OK && fd >= 0)
		return PMON_OK;
	if (err != NULL)
		*err = answer.err;
	return answer.err.status;
}

static int
finish(struct pmon_place *place)
{
	struct keeper_answer answer;

	(void)ask(KEEPER_FINISH, "", NULL, &answer);
	place->has_temp = answer.sys != 0;
	return answer.sys;
}

static void
forget(struct pmon_place *place)
{
	struct keeper_answer answer;

	(void)ask(KEEPER_FORGET, "", NULL, &answer);
	place->has_temp = false;
}

static const struct pmon_door door = {open_input, open_temporary, begin_output, finish, forget};

const struct pmon_door *
door_get(void)
{
	return keeper >= 0 ? &door : NULL;
}

// ---- SQLite ----------------------------------------------------------------------------------

#ifdef PMON_WITH_SQLITE
// SQLite's temporary files are new ones. If a file cannot be opened for writing, it is opened for
// reading.
static int
open_for_sqlite(const char *path, int flags, int mode)
{
	(void)mode;
	if ((flags & O_EXCL) != 0)
		return open_temporary();
	return ask_to_open((flags & O_ACCMODE) == O_RDONLY ? KEEPER_OPEN : KEEPER_OPEN_TEMP, path);
}

static void
set_sqlite(void)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

	if (vfs != NULL && vfs->iVersion >= 3)
		(void)vfs->xSetSystemCall(vfs, "open", (sqlite3_syscall_ptr)open_for_sqlite);
}
#endif

// ---- The keeper ------------------------------------------------------------------------------

int
door_open_by_keeper(const struct words *inputs, const struct keeper_outputs *outputs)
{
	int ends[2];

	if (!pmon_lock_init(&lock) ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return say(EXIT_FAILED, "cannot create a socket: %s", strerror(errno));
	process = fork();
	if (process == 0) {
		(void)close(ends[0]);
		keeper_run(ends[1], inputs, outputs);
	}
	if (process < 0)
		return say(EXIT_FAILED, "cannot start the process that opens files: %s",
			   strerror(errno));
	(void)close(ends[1]);
	keeper = ends[0];
	// Before the first request: a signal that ends this process waits until the keeper has
	// removed unfinished files.
	signals_at_end(door_close);
	child_close_inherited(); // the keeper opens logs such as /dev/fd/3
	textfile_open_by(&door);
#ifdef PMON_WITH_SQLITE
	set_sqlite();
#endif
	return EXIT_DONE;
}

void
door_close(void)
{
	if (keeper < 0)
		return;
	(void)syscall(SYS_shutdown, keeper, SHUT_RDWR);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		;
}
#else
int
door_open_by_keeper(const struct words *inputs, const struct keeper_outputs *outputs)
{
	(void)inputs, (void)outputs;
	return 0;
}

const struct pmon_door *
door_get(void)
{
	return NULL;
}

void
door_close(void)
{
}
#endif
