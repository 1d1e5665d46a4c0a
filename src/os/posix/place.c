// place.c - the temporary file of an output, and its rename (POSIX)
// SPDX-License-Identifier: MIT

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif

#include "os/posix/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "os/dir.h"

static void
tell_temporary(const struct pmon_place *place, const char *path)
{
	if (place->temporary != NULL)
		place->temporary(place->temporary_ctx, path);
}

// A temporary file with an unused name: the suffix is the process id and a number. A file that
// replaces another is readable only by its owner until it is complete.
static int
create_temp(struct pmon_place *place)
{
	mode_t mode = place->replaces ? 0600 : 0666;
	int fd = -1;
	int sys;

	for (unsigned i = 0; i < 1000 && fd < 0; i++) {
		(void)snprintf(place->temp, sizeof(place->temp), "%s.%ld-%u.tmp",
			       place->target.path, (long)getpid(), i);
		tell_temporary(place, place->temp);
		fd = open(place->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		sys = errno;
		if (fd < 0)
			tell_temporary(place, NULL);
		errno = sys;
		if (fd < 0 && sys != EEXIST)
			break;
	}
	place->has_temp = fd >= 0;
	return fd;
}

// A device or a pipe is written directly and must not be replaced by a renamed file. If something else was put there
// since the check, it is not written. A descriptor keeps its position, so earlier output stays.
static int
open_special(const struct pmon_target *target)
{
	int given = pmon_os_descriptor(target->path);
	int fd = given >= 0 ? dup(given) : open(target->path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || pmon_target_is_same(target, fd))
		return fd;
	(void)close(fd);
	errno = EACCES;
	return -1;
}

enum pmon_status
pmon_place_begin(const char *path, const struct pmon_outfile_options *options,
		 struct pmon_place *place, struct pmon_err *err)
{
	enum pmon_status status;
	struct stat st;
	bool is_there = lstat(path, &st) == 0;

	*place = (struct pmon_place){.fd = -1,
				     .overwrite = options->overwrite,
				     .sync = options->sync,
				     .temporary = options->temporary,
				     .temporary_ctx = options->temporary_ctx};
	// A symbolic link is kept; its target is written.
	status = pmon_target_find(path, &place->target, err);
	if (is_there && !options->overwrite &&
	    (!place->target.is_special || S_ISDIR(place->target.st.st_mode)))
		return pmon_err_set(err, PMON_E_EXISTS, 0, "%s already exists", path);
	if (status != PMON_OK)
		return status;
	place->replaces = place->target.is_there && !place->target.is_special;
	place->fd = place->target.is_special ? open_special(&place->target) : create_temp(place);
	if (place->fd >= 0)
		return PMON_OK;
	return pmon_err_sys(err, errno == EEXIST ? PMON_E_EXISTS : PMON_E_IO, errno,
			    "cannot create %s", path);
}

// Some file systems, including all network file systems, report a full disk only here.
static int
close_fd(struct pmon_place *place)
{
	int fd = place->fd;

	place->fd = -1;
	return fd >= 0 && close(fd) != 0 && errno != EINTR ? errno : 0;
}

int
pmon_place_finish(struct pmon_place *place)
{
	bool syncs = place->sync || place->replaces;
	int sys = 0;

	if (place->replaces)
		pmon_target_keep_access(&place->target, place->fd);
	if (syncs && fsync(place->fd) != 0)
		sys = errno;
	if (sys == 0)
		sys = close_fd(place);
	if (sys == 0 && !pmon_target_give_name(place->temp, place->target.path, place->overwrite))
		sys = errno;
	if (sys != 0)
		return sys;
	tell_temporary(place, NULL);
	place->has_temp = false;
	// Failure to sync the folder is an error only if sync was requested.
	sys = syncs ? pmon_target_sync_folder(place->target.path) : 0;
	return place->sync ? sys : 0;
}

void
pmon_place_forget(struct pmon_place *place)
{
	(void)close_fd(place);
	if (!place->has_temp)
		return;
	(void)unlink(place->temp);
	tell_temporary(place, NULL);
	place->has_temp = false;
}
