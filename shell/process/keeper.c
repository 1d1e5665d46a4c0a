// keeper.c - a process that opens files for a sandboxed one
// SPDX-License-Identifier: MIT

#ifdef __linux__

#define _GNU_SOURCE // O_ASYNC, realpath()

#include "shell/process/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "shell/process/child.h"
#include "shell/process/signals.h"
#include "os/fd.h"

static int client = -1; // the socket, for the signal handler

struct keeper {
	const struct words *inputs;
	const struct keeper_outputs *outputs;
	size_t last; // the input requested last: the next one follows it
	struct pmon_place place;
};

// ---- What may be opened ----------------------------------------------------------------------

// Are they the same file? SQLite may spell a path differently from the user.
static bool
is_same(const char *a, const char *b)
{
	char *real_a = realpath(a, NULL);
	char *real_b = realpath(b, NULL);
	bool same = real_a != NULL && real_b != NULL && strcmp(real_a, real_b) == 0;

	free(real_a);
	free(real_b);
	return same;
}

static bool
has_name(const struct words *words, size_t first, const char *path, size_t *at)
{
	for (size_t i = 0; i < words->n; i++) {
		size_t k = (first + i) % words->n;

		if (strcmp(words->list[k], path) == 0) {
			*at = k;
			return true;
		}
	}
	return false;
}

// Is it a file directly in one of the folders?
static bool
is_in_folder(const struct words *folders, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash != NULL ? (size_t)(slash - path) : 0;

	if (slash == NULL || slash[1] == '\0' || strcmp(slash + 1, "..") == 0)
		return false;
	for (size_t i = 0; i < folders->n; i++) {
		size_t n = strlen(folders->list[i]);

		if (strncmp(folders->list[i], path, len) == 0 &&
		    (n == len || (n == len + 1 && folders->list[i][len] == '/')))
			return true;
	}
	return false;
}

// Is it one of the files under another path? Libraries may normalize paths.
static bool
is_known_file(const struct words *words, const char *path)
{
	for (size_t i = 0; i < words->n; i++)
		if (is_same(words->list[i], path))
			return true;
	return false;
}

// The files that SQLite keeps next to a database.
static size_t
ending_of_sqlite(const char *path)
{
	static const char *const endings[] = {"-wal", "-shm", "-journal"};
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t n = strlen(endings[i]);

		if (len > n && strcmp(path + len - n, endings[i]) == 0)
			return n;
	}
	return 0;
}

static bool
is_beside(const struct words *words, const char *path)
{
	char database[PMON_TARGET_PATH];
	size_t ending = ending_of_sqlite(path);
	size_t at;

	if (ending == 0)
		return false;
	(void)snprintf(database, sizeof(database), "%.*s", (int)(strlen(path) - ending), path);
	return has_name(words, 0, database, &at) || is_known_file(words, database);
}

static size_t
folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

static bool
is_xml(const char *path)
{
	size_t len = strlen(path);

	return len > 4 && strcasecmp(path + len - 4, ".xml") == 0;
}

// A threshold file of PAL inherits from others in its folder.
static bool
is_inherited(const struct words *inputs, const char *path)
{
	size_t len = folder_len(path);

	for (size_t i = 0; is_xml(path) && i < inputs->n; i++)
		if (is_xml(inputs->list[i]) && folder_len(inputs->list[i]) == len &&
		    strncmp(inputs->list[i], path, len) == 0)
			return true;
	return false;
}

// How to open an input file: O_RDONLY, possibly with O_NOFOLLOW, or -1. A folder from someone else
// may contain a link that the user does not know about.
static int
how_to_read(struct keeper *keeper, const char *path)
{
	const struct words none = {.n = 0};
	const struct words *outputs = keeper->outputs->appends ? &keeper->outputs->names : &none;
	size_t at;

	if (has_name(keeper->inputs, keeper->last, path, &keeper->last) ||
	    has_name(outputs, 0, path, &at))
		return O_RDONLY;
	if (is_in_folder(keeper->inputs, path) || is_beside(keeper->inputs, path) ||
	    is_beside(outputs, path) || is_inherited(keeper->inputs, path))
		return O_RDONLY | O_NOFOLLOW;
	return is_known_file(keeper->inputs, path) || is_known_file(outputs, path) ? O_RDONLY : -1;
}

static bool
is_temp(const struct keeper *keeper, const char *path)
{
	const struct pmon_place *place = &keeper->place;

	return place->has_temp && (strcmp(path, place->temp) == 0 || is_same(path, place->temp));
}

static bool
may_write(const struct keeper_outputs *outputs, const char *path)
{
	size_t ending = outputs->ending != NULL ? strlen(outputs->ending) : 0;
	size_t len = strlen(path);
	size_t at;

	if (has_name(&outputs->names, 0, path, &at))
		return true;
	return ending > 0 && len > ending && path[0] != '.' && strchr(path, '/') == NULL &&
	       strcmp(path + len - ending, outputs->ending) == 0;
}

// ---- Answers ---------------------------------------------------------------------------------

static int
refuse(void)
{
	errno = EACCES;
	return -1;
}

static int
open_to_read(struct keeper *keeper, const char *path)
{
	int how;

	if (is_temp(keeper, path))
		return open(keeper->place.temp, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	how = how_to_read(keeper, path);
	return how >= 0 ? open(path, how | O_CLOEXEC | O_NOCTTY) : refuse();
}

static int
open_temp(const struct keeper *keeper, const char *path)
{
	if (!is_temp(keeper, path))
		return refuse();
	return open(keeper->place.temp, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
}

static int
begin_output(struct keeper *keeper, const struct keeper_request *request,
	     struct keeper_answer *answer)
{
	struct pmon_outfile_options options = {.overwrite = request->overwrite &&
							    keeper->outputs->may_overwrite,
					       .sync = request->sync,
					       .temporary = signals_temporary};
	int fd = -1;

	if (keeper->place.has_temp || !may_write(keeper->outputs, request->path))
		answer->status = pmon_err_sys(&answer->err, PMON_E_IO, EACCES, "cannot create %s",
					      request->path);
	else
		answer->status =
			pmon_place_begin(request->path, &options, &keeper->place, &answer->err);
	answer->place = keeper->place;
	if (answer->status == PMON_OK)
		fd = fcntl(keeper->place.fd, F_DUPFD_CLOEXEC, 0);
	// A pipe ends only after the writer closes it.
	if (!keeper->place.has_temp)
		pmon_place_forget(&keeper->place);
	return fd;
}

// Returns a descriptor to pass, or -1.
static int
answer_to(struct keeper *keeper, const struct keeper_request *request, struct keeper_answer *answer)
{
	int fd = -1;

	errno = 0;
	switch (request->question) {
	case KEEPER_OPEN:
		fd = open_to_read(keeper, request->path);
		break;
	case KEEPER_OPEN_TEMP:
		fd = open_temp(keeper, request->path);
		break;
	case KEEPER_TEMPORARY:
		fd = pmon_fd_temporary();
		break;
	case KEEPER_BEGIN:
		return begin_output(keeper, request, answer);
	case KEEPER_FINISH:
		answer->sys = keeper->place.has_temp ? pmon_place_finish(&keeper->place) : EACCES;
		return -1;
	case KEEPER_FORGET:
		pmon_place_forget(&keeper->place);
		return -1;
	default:
		errno = EINVAL;
	}
	answer->sys = fd < 0 ? errno : 0;
	return fd;
}

// ---- Requests --------------------------------------------------------------------------------

static bool
receive(struct keeper_request *request)
{
	ssize_t n;

	do
		n = recv(client, request, sizeof(*request), 0);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*request) &&
	       memchr(request->path, '\0', sizeof(request->path)) != NULL;
}

static bool
send_answer(const struct keeper_answer *answer, int fd)
{
	union {
		struct cmsghdr header; // for alignment
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec part = {(void *)(uintptr_t)answer, sizeof(*answer)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(fd)),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
	}
	do
		n = sendmsg(client, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(*answer);
}

static _Noreturn void
end_output(void)
{
	signals_remove_temporary();
	_exit(EXIT_SUCCESS);
}

// The socket is readable. If it was closed, stop waiting for anything else, such as the writer of a
// pipe that is being opened.
static void
on_socket(int number)
{
	int kept = errno;
	char byte;

	(void)number;
	if (recv(client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
		end_output();
	errno = kept;
}

// The client decides how to handle the terminal's signals.
static void
set_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP};
	struct sigaction action = {.sa_handler = on_socket, .sa_flags = SA_RESTART};

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		(void)signal(ignored[i], SIG_IGN);
	(void)sigaction(SIGIO, &action, NULL);
	(void)fcntl(client, F_SETOWN, getpid());
	(void)fcntl(client, F_SETFL, O_ASYNC);
}

_Noreturn void
keeper_run(int fd, const struct words *inputs, const struct keeper_outputs *outputs)
{
	static struct keeper keeper;
	static struct keeper_request request;
	static struct keeper_answer answer;

	client = fd;
	keeper = (struct keeper){.inputs = inputs, .outputs = outputs, .place = {.fd = -1}};
	child_close_others(fd);
	set_signals();
	while (receive(&request)) {
		int passed;

		answer = (struct keeper_answer){.status = PMON_OK};
		passed = answer_to(&keeper, &request, &answer);
		if (!send_answer(&answer, passed))
			break;
		if (passed >= 0)
			(void)close(passed);
	}
	end_output();
}

#endif
