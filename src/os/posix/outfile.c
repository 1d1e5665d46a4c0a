// outfile.c - write a file so that it is whole under its name or not there (POSIX)
// SPDX-License-Identifier: MIT

// fallocate() and sync_file_range() are of Linux.
#ifdef __linux__
#define _GNU_SOURCE
#else
#define _XOPEN_SOURCE 700
#endif

#include "os/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/utf.h"
#include "os/posix/target.h"

#define BUFFER_BYTES (512 << 10)
#define AHEAD_BYTES  ((uint64_t)8 << 20)  // the disk is set to work when it has so much to do
#define ROOM_BYTES   ((uint64_t)32 << 20) // of the disk that are asked for at a time
#define TEMP_ROOM    "................................" // the longest suffix of a temporary name

struct pmon_outfile {
	const struct pmon_allocator *allocator;
	int fd;
	char *path; // the final name; NULL for standard output
	char *temp; // the temporary name; NULL when it is written in place
	size_t path_size;
	size_t temp_size;
	bool stream; // standard output or a device: takes bytes in their order only
	bool terminal;
	bool overwrite;
	bool sync;     // wait for the disk at the end
	bool has_temp; // the temporary file is there
	bool replaces; // a file is there already, which is ...
	struct pmon_target target;
	pmon_temporary_fn temporary;
	void *temporary_ctx;
	bool cut;        // the torn end was taken away
	int failed;      // errno of the first failure
	uint64_t offset; // bytes handed to the system
	uint64_t whole;  // ... when they were last flushed
	uint64_t ahead;  // ... that the disk was set to work on
	uint64_t room;   // where the room ends that was asked for; 0: none was
	size_t used;
	uint8_t buffer[BUFFER_BYTES];
};

static char *
copy_name(const struct pmon_allocator *allocator, const char *path, const char *suffix,
	  size_t *size)
{
	char *name;

	*size = strlen(path) + strlen(suffix) + 1;
	name = pmon_mem_alloc(allocator, *size);
	if (name != NULL)
		(void)snprintf(name, *size, "%s%s", path, suffix);
	return name;
}

static struct pmon_outfile *
new_file(const char *path, const char *suffix, const struct pmon_outfile_options *options)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_outfile *file = pmon_mem_alloc(allocator, sizeof(*file));

	if (file == NULL)
		return NULL;
	memset(file, 0, offsetof(struct pmon_outfile, buffer));
	file->allocator = allocator;
	file->fd = -1;
	file->overwrite = options->overwrite;
	file->sync = options->sync;
	file->temporary = options->temporary;
	file->temporary_ctx = options->temporary_ctx;
	if (strcmp(path, "-") == 0) {
		file->fd = STDOUT_FILENO;
		file->stream = true;
		file->terminal = isatty(STDOUT_FILENO) != 0;
		return file;
	}
	file->path = copy_name(allocator, path, "", &file->path_size);
	if (suffix != NULL)
		file->temp = copy_name(allocator, path, suffix, &file->temp_size);
	if (file->path == NULL || (suffix != NULL && file->temp == NULL)) {
		pmon_outfile_close(file);
		return NULL;
	}
	return file;
}

static void
tell_temporary(const struct pmon_outfile *file, const char *path)
{
	if (file->temporary != NULL)
		file->temporary(file->temporary_ctx, path);
}

// A temporary file with an unused name: the suffix is the process id and a number. A file that
// replaces another is readable only by its owner until it is complete.
static int
create_temp(struct pmon_outfile *file)
{
	size_t stem = strlen(file->path);
	mode_t mode = file->replaces ? 0600 : 0666;
	int fd = -1;
	int sys;

	for (unsigned i = 0; i < 1000 && fd < 0; i++) {
		(void)snprintf(file->temp + stem, file->temp_size - stem, ".%ld-%u.tmp",
			       (long)getpid(), i);
		tell_temporary(file, file->temp);
		fd = open(file->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		sys = errno;
		if (fd < 0)
			tell_temporary(file, NULL);
		errno = sys;
		if (fd < 0 && sys != EEXIST)
			break;
	}
	file->has_temp = fd >= 0;
	return fd;
}

// A device or a pipe takes the bytes itself; a file with another name must not be put in its place. What
// came there since it was looked at is not written to.
static int
open_special(const struct pmon_target *target)
{
	int fd = open(target->path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || pmon_target_is_same(target, fd))
		return fd;
	(void)close(fd);
	errno = EACCES;
	return -1;
}

// Nobody else may write it meanwhile, and only then is it emptied. Where files cannot be locked they are
// not.
static enum pmon_status
take_over(const struct pmon_outfile *file, bool append, struct pmon_err *err)
{
	if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return pmon_err_set(err, PMON_E_IO, 0, "another process is writing %s", file->path);
	if (file->overwrite && !append && ftruncate(file->fd, 0) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot empty %s", file->path);
	return PMON_OK;
}

// Where a new file is made its name must not be there, not even as a link. Else a link that was put there
// since the target was found is not followed.
static int
live_flags(bool is_new)
{
	int flags = O_RDWR | O_CREAT | O_CLOEXEC;

	return is_new ? flags | O_EXCL : flags | O_NOFOLLOW;
}

// In its place, to be written from the beginning or after its end.
static enum pmon_status
open_in_place(struct pmon_outfile *file, bool append, struct pmon_err *err)
{
	enum pmon_status status;
	off_t end;

	file->fd = open(file->path, live_flags(!append && !file->overwrite), 0666);
	if (file->fd < 0)
		return PMON_OK; // errno says why
	status = take_over(file, append, err);
	if (status != PMON_OK || !append)
		return status;
	end = lseek(file->fd, 0, SEEK_END);
	file->offset = file->whole = end > 0 ? (uint64_t)end : 0;
	return PMON_OK;
}

static enum pmon_status
open_target(struct pmon_outfile *file, bool live, bool append, struct pmon_err *err)
{
	file->replaces = !live && file->target.is_there;
	if (live && !file->target.is_special)
		return open_in_place(file, append, err);
	if (!file->target.is_special) {
		file->fd = create_temp(file);
		return PMON_OK;
	}
	file->stream = true;
	file->fd = open_special(&file->target);
	file->terminal = file->fd >= 0 && isatty(file->fd) != 0;
	return PMON_OK;
}

static enum pmon_status
open_named(const char *path, const struct pmon_target *target,
	   const struct pmon_outfile_options *options, bool live, bool append,
	   struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_outfile *file = new_file(target->path, live ? NULL : TEMP_ROOM, options);
	enum pmon_status status;

	if (file == NULL)
		return pmon_err_nomem(err);
	file->target = *target;
	status = open_target(file, live, append, err);
	if (status == PMON_OK && file->fd < 0)
		status = pmon_err_sys(err, errno == EEXIST ? PMON_E_EXISTS : PMON_E_IO, errno,
				      "cannot create %s", path);
	if (status == PMON_OK)
		*out = file;
	else
		pmon_outfile_close(file);
	return status;
}

enum pmon_status
pmon_outfile_open(const char *path, const struct pmon_outfile_options *options,
		  struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_target target = {.path = ""};
	struct stat st;
	enum pmon_status status;

	*out = NULL;
	if (strcmp(path, "-") == 0) {
		*out = new_file(path, NULL, options);
		return *out != NULL ? PMON_OK : pmon_err_nomem(err);
	}
	if (!options->overwrite && lstat(path, &st) == 0)
		return pmon_err_set(err, PMON_E_EXISTS, 0, "%s already exists", path);
	// A symbolic link stays: its target is written.
	status = pmon_target_find(path, &target, err);
	return status == PMON_OK ? open_named(path, &target, options, false, false, out, err)
				 : status;
}

enum pmon_status
pmon_outfile_open_live(const char *path, const struct pmon_outfile_options *options, bool append,
		       struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_target target = {.path = ""};
	enum pmon_status status = PMON_OK;

	*out = NULL;
	if (strcmp(path, "-") == 0)
		return pmon_outfile_open(path, options, out, err);
	if (append || options->overwrite)
		status = pmon_target_find(path, &target, err);
	else if (strlen(path) < sizeof(target.path))
		(void)snprintf(target.path, sizeof(target.path), "%s", path);
	else
		status = pmon_err_sys(err, PMON_E_IO, ENAMETOOLONG, "cannot create the output");
	return status == PMON_OK ? open_named(path, &target, options, true, append, out, err)
				 : status;
}

size_t
pmon_outfile_read_at(const struct pmon_outfile *file, uint64_t offset, void *out, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(file->fd, (char *)out + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

enum pmon_status
pmon_outfile_cut(struct pmon_outfile *file, uint64_t size, struct pmon_err *err)
{
	if (size == file->offset)
		return PMON_OK;
	if (ftruncate(file->fd, (off_t)size) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot truncate %s", file->path);
	file->offset = file->whole = size;
	return PMON_OK;
}

enum pmon_status
pmon_outfile_cut_line(struct pmon_outfile *file, struct pmon_err *err)
{
	uint64_t end = file->offset;
	char bytes[4096];

	while (end > 0) {
		uint64_t from = end > sizeof(bytes) ? end - sizeof(bytes) : 0;
		size_t n = pmon_outfile_read_at(file, from, bytes, (size_t)(end - from));

		if (n < end - from)
			return pmon_err_set(err, PMON_E_IO, 0, "cannot read %s", file->path);
		while (n > 0 && bytes[n - 1] != '\n')
			n--;
		end = from + n;
		if (n > 0)
			break;
	}
	return pmon_outfile_cut(file, end, err);
}

static void
write_all(struct pmon_outfile *file, uint64_t offset, const uint8_t *bytes, size_t len)
{
	while (len > 0 && file->failed == 0) {
		ssize_t n = !file->stream ? pwrite(file->fd, bytes, len, (off_t)offset)
					  : write(file->fd, bytes, len);

		if (n < 0 && errno != EINTR)
			file->failed = errno;
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
			offset += (uint64_t)n;
		}
	}
}

// Text for a terminal: characters from the names of a log that could control it become U+FFFD. A CR
// is kept at the end of a line only. Writers append whole characters, so none is cut at the ends.
static void
write_to_terminal(struct pmon_outfile *file, const uint8_t *bytes, size_t len)
{
	static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD};
	struct pmon_span text = {(const char *)bytes, len};
	size_t start = 0; // of what is not written yet

	for (size_t pos = 0, at = 0; pos < len; at = pos) {
		uint32_t c = pmon_utf8_next(text, &pos);
		bool ends_line = c == '\n' || (c == '\r' && pos < len && bytes[pos] == '\n');

		if (ends_line || c == '\t' || !pmon_utf_is_unsafe(c))
			continue;
		write_all(file, 0, bytes + start, at - start);
		write_all(file, 0, replacement, sizeof(replacement));
		start = pos;
	}
	write_all(file, 0, bytes + start, len - start);
}

// What is written for the first time is faster where the disk has room for it already. Where that cannot
// be had the bytes may fit yet.
static void
ask_for_room(struct pmon_outfile *file)
{
	if (file->offset + AHEAD_BYTES <= file->room)
		return;
#ifdef FALLOC_FL_KEEP_SIZE
	(void)fallocate(file->fd, FALLOC_FL_KEEP_SIZE, (off_t)file->offset, (off_t)ROOM_BYTES);
#endif
	file->room = file->offset + ROOM_BYTES;
}

static void
give_room_back(struct pmon_outfile *file)
{
	if (file->room > 0 && file->failed == 0 && ftruncate(file->fd, (off_t)file->offset) != 0)
		file->failed = errno;
	file->room = 0;
}

// A file that takes the place of another is synced at its end. The disk begins before, so that there is
// less to wait for.
static void
write_ahead(struct pmon_outfile *file)
{
	if (file->temp == NULL || file->offset - file->ahead < AHEAD_BYTES)
		return;
#ifdef SYNC_FILE_RANGE_WRITE
	if (file->replaces)
		(void)sync_file_range(file->fd, (off_t)file->ahead,
				      (off_t)(file->offset - file->ahead), SYNC_FILE_RANGE_WRITE);
#endif
	file->ahead = file->offset;
	ask_for_room(file);
}

static void
append(struct pmon_outfile *file, const uint8_t *bytes, size_t len)
{
	if (file->terminal)
		write_to_terminal(file, bytes, len);
	else
		write_all(file, file->offset, bytes, len);
	file->offset += len;
	write_ahead(file);
}

static void
drain(struct pmon_outfile *file)
{
	append(file, file->buffer, file->used);
	file->used = 0;
}

void
pmon_outfile_write(struct pmon_outfile *file, const void *bytes, size_t len)
{
	if (len > BUFFER_BYTES - file->used)
		drain(file);
	if (len >= BUFFER_BYTES) {
		append(file, bytes, len);
		return;
	}
	memcpy(file->buffer + file->used, bytes, len);
	file->used += len;
}

void *
pmon_outfile_room(struct pmon_outfile *file, size_t len)
{
	if (len > BUFFER_BYTES - file->used)
		drain(file);
	return file->buffer + file->used;
}

void
pmon_outfile_put(struct pmon_outfile *file, size_t len)
{
	file->used += len;
}

void
pmon_outfile_write_at(struct pmon_outfile *file, uint64_t offset, const void *bytes, size_t len)
{
	size_t handed_over = 0;

	if (file->stream && file->failed == 0)
		file->failed = ESPIPE;
	// A caller that writes the file by other means may read bytes that were not written here.
	if (file->temp == NULL || offset + len > file->offset + file->used) {
		drain(file);
		write_all(file, offset, bytes, len);
		return;
	}
	if (offset < file->offset)
		handed_over = file->offset - offset < len ? (size_t)(file->offset - offset) : len;
	write_all(file, offset, bytes, handed_over);
	if (handed_over < len)
		memcpy(file->buffer + (offset + handed_over - file->offset),
		       (const uint8_t *)bytes + handed_over, len - handed_over);
}

uint64_t
pmon_outfile_size(const struct pmon_outfile *file)
{
	return file->offset + file->used;
}

// In a file that is written in place, what came after the last good flush may be incomplete, such
// as half a line.
static void
cut_torn_end(struct pmon_outfile *file)
{
	if (file->temp == NULL && !file->stream && !file->cut)
		file->cut = ftruncate(file->fd, (off_t)file->whole) == 0;
}

enum pmon_status
pmon_outfile_status(const struct pmon_outfile *file, struct pmon_err *err)
{
	if (file->failed == 0)
		return PMON_OK;
	return pmon_err_sys(err, PMON_E_IO, file->failed, "cannot write %s",
			    file->path != NULL ? file->path : "standard output");
}

enum pmon_status
pmon_outfile_flush(struct pmon_outfile *file, bool sync, struct pmon_err *err)
{
	drain(file);
	if (file->failed != 0)
		cut_torn_end(file);
	if (file->failed == 0)
		file->whole = file->offset;
	if (file->failed == 0 && sync && !file->stream && fsync(file->fd) != 0)
		file->failed = errno;
	return pmon_outfile_status(file, err);
}

// Some file systems, and all over a network, report here that the disk is full.
static void
close_fd(struct pmon_outfile *file)
{
	int fd = file->fd;

	if (file->path == NULL || fd < 0)
		return;
	file->fd = -1;
	if (close(fd) != 0 && errno != EINTR && file->failed == 0)
		file->failed = errno;
}

// A folder that cannot be synced is an error only when syncing was asked for.
static void
complete(struct pmon_outfile *file)
{
	int sys;

	close_fd(file);
	if (file->failed != 0)
		return;
	if (file->has_temp && !pmon_target_give_name(file->temp, file->path, file->overwrite)) {
		file->failed = errno;
		return;
	}
	if (file->has_temp)
		tell_temporary(file, NULL);
	file->has_temp = false;
	sys = file->path != NULL && (file->sync || file->replaces)
		      ? pmon_target_sync_folder(file->path)
		      : 0;
	if (sys != 0 && file->sync)
		file->failed = sys;
}

enum pmon_status
pmon_outfile_commit(struct pmon_outfile *file, struct pmon_err *err)
{
	enum pmon_status status;

	drain(file);
	give_room_back(file);
	if (file->replaces && file->has_temp)
		pmon_target_keep_access(&file->target, file->fd);
	status = pmon_outfile_flush(file, file->sync || file->replaces || file->temp == NULL, err);
	if (status != PMON_OK)
		return status;
	complete(file);
	return pmon_outfile_status(file, err);
}

const char *
pmon_outfile_path(const struct pmon_outfile *file)
{
	return file->has_temp ? file->temp : file->path;
}

void
pmon_outfile_close(struct pmon_outfile *file)
{
	if (file == NULL)
		return;
	close_fd(file);
	if (file->has_temp) {
		(void)unlink(file->temp);
		tell_temporary(file, NULL);
	}
	pmon_mem_free(file->allocator, file->path, file->path_size);
	pmon_mem_free(file->allocator, file->temp, file->temp_size);
	pmon_mem_free(file->allocator, file, sizeof(*file));
}
