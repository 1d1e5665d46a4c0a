// outfile.c - write a file so that it is whole under its name or not there (POSIX)
// SPDX-License-Identifier: MIT

// realpath() is of the X/Open extension, fallocate() and sync_file_range() of Linux.
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
	bool committed;
	bool overwrite;
	bool replaces;   // a file is there already
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
new_file(const char *path, const char *suffix, bool overwrite,
	 const struct pmon_allocator *allocator)
{
	struct pmon_outfile *file;

	allocator = pmon_mem_allocator(allocator);
	file = pmon_mem_alloc(allocator, sizeof(*file));
	if (file == NULL)
		return NULL;
	memset(file, 0, offsetof(struct pmon_outfile, buffer));
	file->allocator = allocator;
	file->fd = -1;
	file->overwrite = overwrite;
	if (strcmp(path, "-") == 0) {
		file->fd = STDOUT_FILENO;
		file->stream = true;
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

static enum pmon_status
opened(struct pmon_outfile *file, const char *path, struct pmon_outfile **out, struct pmon_err *err)
{
	enum pmon_status status;

	if (file->fd >= 0) {
		*out = file;
		return PMON_OK;
	}
	status = pmon_err_sys(err, errno == EEXIST ? PMON_E_EXISTS : PMON_E_IO, errno,
			      "cannot create %s", path);
	pmon_outfile_close(file);
	return status;
}

// A temporary file of a name that nobody has yet: the suffix is the process and a number.
static int
create_temp(struct pmon_outfile *file)
{
	size_t stem = strlen(file->path);
	int fd = -1;

	for (unsigned i = 0; i < 1000 && fd < 0; i++) {
		(void)snprintf(file->temp + stem, file->temp_size - stem, ".%ld-%u.tmp",
			       (long)getpid(), i);
		fd = open(file->temp, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

// A device or a pipe takes the bytes itself; a file with another name must not be put in its place.
static bool
is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

enum pmon_status
pmon_outfile_open(const char *path, bool overwrite, const struct pmon_allocator *allocator,
		  struct pmon_outfile **out, struct pmon_err *err)
{
	// A link stays one: what it leads to is written.
	char *target = overwrite ? realpath(path, NULL) : NULL;
	struct pmon_outfile *file =
		new_file(target != NULL ? target : path, TEMP_ROOM, overwrite, allocator);
	bool replaces = target != NULL;

	free(target);
	*out = NULL;
	if (file == NULL)
		return pmon_err_nomem(err);
	file->replaces = replaces;
	if (file->path == NULL)
		return opened(file, path, out, err);
	if (overwrite && is_special(file->path)) {
		file->stream = true;
		file->committed = true;
		file->fd = open(file->path, O_WRONLY | O_CLOEXEC);
		return opened(file, path, out, err);
	}
	if (!overwrite && access(file->path, F_OK) == 0) {
		pmon_outfile_close(file);
		return pmon_err_set(err, PMON_E_EXISTS, 0, "%s exists already", path);
	}
	file->fd = create_temp(file);
	return opened(file, path, out, err);
}

// Nobody else may write it meanwhile, and only then is it emptied. Where files cannot be locked they are
// not.
static enum pmon_status
take_over(const struct pmon_outfile *file, bool append, struct pmon_err *err)
{
	if (flock(file->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return pmon_err_set(err, PMON_E_IO, 0, "somebody else is writing %s", file->path);
	if (file->overwrite && !append && !is_special(file->path) && ftruncate(file->fd, 0) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot empty %s", file->path);
	return PMON_OK;
}

enum pmon_status
pmon_outfile_open_live(const char *path, bool overwrite, bool append,
		       const struct pmon_allocator *allocator, struct pmon_outfile **out,
		       struct pmon_err *err)
{
	struct pmon_outfile *file = new_file(path, NULL, overwrite, allocator);
	int flags = O_RDWR | O_CREAT | O_CLOEXEC;
	enum pmon_status status;
	off_t end;

	*out = NULL;
	if (file == NULL)
		return pmon_err_nomem(err);
	if (file->path == NULL)
		return opened(file, path, out, err);
	if (!append && !overwrite)
		flags |= O_EXCL;
	file->fd = open(file->path, flags, 0666);
	file->committed = true; // what is there stays there
	status = file->fd >= 0 ? take_over(file, append, err) : PMON_OK;
	if (status != PMON_OK) {
		pmon_outfile_close(file);
		return status;
	}
	if (file->fd >= 0 && append) {
		end = lseek(file->fd, 0, SEEK_END);
		file->offset = file->whole = end > 0 ? (uint64_t)end : 0;
	}
	return opened(file, path, out, err);
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
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot cut %s", file->path);
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
	// Whoever writes the file by other means may know of bytes that were not written here.
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

// Of a file that is written in place what came after the last good flush is torn, as half a line.
static void
cut_torn_end(struct pmon_outfile *file)
{
	if (file->temp == NULL && !file->stream && !file->cut)
		file->cut = ftruncate(file->fd, (off_t)file->whole) == 0;
}

static enum pmon_status
failure(const struct pmon_outfile *file, struct pmon_err *err)
{
	return pmon_err_sys(err, PMON_E_IO, file->failed, "cannot write %s",
			    file->path != NULL ? file->path : "standard output");
}

enum pmon_status
pmon_outfile_status(const struct pmon_outfile *file, struct pmon_err *err)
{
	return file->failed == 0 ? PMON_OK : failure(file, err);
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

// The folder too, so that the name itself survives a crash.
static void
sync_folder(const char *path)
{
	char folder[4096];
	const char *slash = strrchr(path, '/');
	size_t len = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	int fd;

	if (len >= sizeof(folder))
		return;
	(void)snprintf(folder, sizeof(folder), "%.*s", (int)len, path);
	fd = open(len > 0 ? folder : ".", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fsync(fd);
	(void)close(fd);
}

// Under its final name: rename() replaces a file, link() does not.
static bool
give_name(struct pmon_outfile *file)
{
	if (file->overwrite)
		return rename(file->temp, file->path) == 0;
	return link(file->temp, file->path) == 0 && unlink(file->temp) == 0;
}

enum pmon_status
pmon_outfile_commit(struct pmon_outfile *file, struct pmon_err *err)
{
	enum pmon_status status;

	drain(file);
	give_room_back(file);
	status = pmon_outfile_flush(file, file->replaces || file->temp == NULL, err);
	if (status != PMON_OK || file->temp == NULL || file->committed)
		return status;
	if (!give_name(file)) {
		file->failed = errno;
		return failure(file, err);
	}
	file->committed = true;
	if (file->replaces)
		sync_folder(file->path);
	return PMON_OK;
}

const char *
pmon_outfile_path(const struct pmon_outfile *file)
{
	return file->temp != NULL ? file->temp : file->path;
}

void
pmon_outfile_close(struct pmon_outfile *file)
{
	if (file == NULL)
		return;
	if (file->fd >= 0 && file->path != NULL)
		(void)close(file->fd);
	if (file->fd >= 0 && file->temp != NULL && !file->committed)
		(void)unlink(file->temp);
	pmon_mem_free(file->allocator, file->path, file->path_size);
	pmon_mem_free(file->allocator, file->temp, file->temp_size);
	pmon_mem_free(file->allocator, file, sizeof(*file));
}
