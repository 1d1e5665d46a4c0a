// file.c - read a file by position: POSIX files, spooled pipes, memory
// SPDX-License-Identifier: MIT

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // preadv2()
#endif

#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/uio.h>
#endif
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "os/door.h"
#include "os/fd.h"

struct pmon_file {
	const struct pmon_allocator *allocator;
	const struct pmon_door *door;
	const struct pmon_file_ops *ops;
	void *ctx;
	uint64_t size;
	const uint8_t *bytes; // of a memory file
	int fd;               // of a POSIX file
	bool owns_fd;         // false for standard input
	char *path;           // of a regular file, else NULL
	size_t path_size;
};

// ---- Memory ---------------------------------------------------------------------------------

static enum pmon_status
memory_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	const struct pmon_file *file = ctx;

	(void)err;
	memcpy(buf, file->bytes + offset, len);
	*got_out = len;
	return PMON_OK;
}

static const struct pmon_file_ops memory_ops = {memory_read, NULL};

// ---- POSIX ----------------------------------------------------------------------------------

static enum pmon_status
file_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out, struct pmon_err *err)
{
	const struct pmon_file *file = ctx;
	ssize_t n;

	do
		n = pread(file->fd, buf, len, (off_t)offset);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot read");
	*got_out = (size_t)n;
	return PMON_OK;
}

static void
file_close(void *ctx)
{
	const struct pmon_file *file = ctx;

	if (file->owns_fd)
		(void)close(file->fd);
}

static const struct pmon_file_ops posix_ops = {file_read, file_close};

// Create an unnamed file. Returns -1 with errno on failure.
static int
unnamed_file(const struct pmon_door *door)
{
	return door != NULL ? door->temporary() : pmon_fd_temporary();
}

static bool
write_all(int fd, const char *buf, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, buf, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		buf += n;
		len -= (size_t)n;
	}
	return true;
}

// Read until buf is full or the input ends. Returns -1 with errno on failure.
static ssize_t
read_full(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, buf + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

static enum pmon_status
copy_all(int from, int to, pmon_file_look_fn look, struct pmon_err *err)
{
	char buf[PMON_FILE_LOOK_BYTES];
	enum pmon_status status = PMON_OK;
	bool is_first = true;
	ssize_t n;

	do {
		n = read_full(from, buf, sizeof(buf));
		if (n < 0)
			return pmon_err_sys(err, PMON_E_IO, errno, "cannot read");
		if (is_first && look != NULL)
			status = look((const uint8_t *)buf, (size_t)n, err);
		is_first = false;
		if (status == PMON_OK && !write_all(to, buf, (size_t)n))
			return pmon_err_sys(err, PMON_E_IO, errno,
					    "cannot write the temporary copy of the input");
	} while (status == PMON_OK && n > 0);
	return status;
}

// Replace *fd, which cannot seek, with a file of the same content.
static enum pmon_status
spool(const struct pmon_door *door, int *fd, bool *owned, pmon_file_look_fn look,
      struct pmon_err *err)
{
	enum pmon_status status;
	int copy = unnamed_file(door);

	if (copy < 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot create a temporary file");
	status = copy_all(*fd, copy, look, err);
	if (status != PMON_OK) {
		(void)close(copy);
		return status;
	}
	if (*owned)
		(void)close(*fd);
	*fd = copy;
	*owned = true;
	return PMON_OK;
}

// A regular file whose position is at its beginning can be read by position directly.
static bool
can_seek(int fd, const struct stat *st)
{
	return S_ISREG(st->st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
}

static enum pmon_status
refuse_directory(struct pmon_err *err)
{
	(void)pmon_err_set(err, PMON_E_IO, 0, "is a directory");
	if (err != NULL)
		err->sys = EISDIR;
	return PMON_E_IO;
}

static enum pmon_status
make_seekable(const struct pmon_door *door, int *fd, bool *owned, uint64_t *size,
	      pmon_file_look_fn look, struct pmon_err *err)
{
	enum pmon_status status;
	struct stat st;

	if (fstat(*fd, &st) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot read");
	if (S_ISDIR(st.st_mode))
		return refuse_directory(err);
	if (!can_seek(*fd, &st)) {
		status = spool(door, fd, owned, look, err);
		if (status != PMON_OK)
			return status;
		if (fstat(*fd, &st) != 0)
			return pmon_err_sys(err, PMON_E_IO, errno, "cannot read");
	}
	*size = (uint64_t)st.st_size;
	return PMON_OK;
}

// ---- Opening --------------------------------------------------------------------------------

static enum pmon_status
new_file(const struct pmon_file *init, struct pmon_file **out, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(init->allocator);

	*out = pmon_mem_alloc(allocator, sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	**out = *init;
	(*out)->allocator = allocator;
	// The built-in kinds keep their state in the struct itself.
	if (init->ops == &memory_ops || init->ops == &posix_ops)
		(*out)->ctx = *out;
	return PMON_OK;
}

enum pmon_status
pmon_file_memory(const void *bytes, size_t len, const struct pmon_allocator *allocator,
		 struct pmon_file **out, struct pmon_err *err)
{
	struct pmon_file init = {
		.allocator = allocator,
		.ops = &memory_ops,
		.bytes = bytes,
		.size = len,
	};

	return new_file(&init, out, err);
}

static enum pmon_status
open_failed(int sys, struct pmon_err *err)
{
	if (sys == ENOENT || sys == ENOTDIR) {
		(void)pmon_err_set(err, PMON_E_NOTFOUND, 0, "no such file");
		if (err != NULL)
			err->sys = sys;
		return PMON_E_NOTFOUND;
	}
	if (sys == EISDIR) // Windows cannot open directories
		return refuse_directory(err);
	return pmon_err_sys(err, PMON_E_IO, sys, "cannot open");
}

static enum pmon_status
keep_path(struct pmon_file *file, const char *path, struct pmon_err *err)
{
	file->path_size = strlen(path) + 1;
	file->path = pmon_mem_alloc(file->allocator, file->path_size);
	if (file->path == NULL)
		return pmon_err_nomem(err);
	memcpy(file->path, path, file->path_size);
	return PMON_OK;
}

static int
open_path(const struct pmon_door *door, const char *path)
{
	return door != NULL ? door->open(path) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
}

enum pmon_status
pmon_file_open_by(const struct pmon_door *door, const char *path, pmon_file_look_fn look,
		  const struct pmon_allocator *allocator, struct pmon_file **out,
		  struct pmon_err *err)
{
	bool owned = strcmp(path, "-") != 0;
	int fd = owned ? open_path(door, path) : STDIN_FILENO;
	struct pmon_file init = {.allocator = allocator, .door = door, .ops = &posix_ops};
	int opened = fd;
	enum pmon_status status;

	*out = NULL;
	if (fd < 0)
		return open_failed(errno, err);
	status = make_seekable(door, &fd, &owned, &init.size, look, err);
	if (status == PMON_OK) {
		init.fd = fd;
		init.owns_fd = owned;
		status = new_file(&init, out, err);
	}
	if (status != PMON_OK) {
		if (owned)
			(void)close(fd);
		return status;
	}
	if (opened == fd && owned)
		status = keep_path(*out, path, err);
	if (status != PMON_OK) {
		pmon_file_close(*out);
		*out = NULL;
	}
	return status;
}

enum pmon_status
pmon_file_open(const char *path, const struct pmon_allocator *allocator, struct pmon_file **out,
	       struct pmon_err *err)
{
	return pmon_file_open_by(NULL, path, NULL, allocator, out, err);
}

enum pmon_status
pmon_file_custom(const struct pmon_file_ops *ops, void *ctx, uint64_t size,
		 const struct pmon_allocator *allocator, struct pmon_file **out,
		 struct pmon_err *err)
{
	struct pmon_file init = {.allocator = allocator, .ops = ops, .ctx = ctx, .size = size};

	return new_file(&init, out, err);
}

enum pmon_status
pmon_file_temporary(const struct pmon_door *door, const struct pmon_allocator *allocator,
		    struct pmon_file **out, struct pmon_err *err)
{
	struct pmon_file init = {
		.allocator = allocator, .door = door, .ops = &posix_ops, .owns_fd = true};
	enum pmon_status status;

	*out = NULL;
	init.fd = unnamed_file(door);
	if (init.fd < 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot create a temporary file");
	status = new_file(&init, out, err);
	if (status != PMON_OK)
		(void)close(init.fd);
	return status;
}

enum pmon_status
pmon_file_over(int fd, const struct pmon_allocator *allocator, struct pmon_file **out,
	       struct pmon_err *err)
{
	struct pmon_file init = {.allocator = allocator, .ops = &posix_ops, .fd = fd};
	struct stat st;

	*out = NULL;
	if (fstat(fd, &st) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot read the file");
	init.size = (uint64_t)st.st_size;
	return new_file(&init, out, err);
}

enum pmon_status
pmon_file_append(struct pmon_file *file, const void *bytes, size_t len, struct pmon_err *err)
{
	if (!write_all(file->fd, bytes, len))
		return pmon_err_sys(err, PMON_E_IO, errno,
				    "cannot write the temporary copy of the input");
	file->size += len;
	return PMON_OK;
}

int
pmon_file_begin(struct pmon_file *file)
{
	(void)lseek(file->fd, 0, SEEK_SET);
	return file->fd;
}

// ---- All kinds ------------------------------------------------------------------------------

uint64_t
pmon_file_size(const struct pmon_file *file)
{
	return file->size;
}

const struct pmon_door *
pmon_file_door(const struct pmon_file *file)
{
	return file->door;
}

const char *
pmon_file_path(const struct pmon_file *file)
{
	return file->path;
}

enum pmon_status
pmon_file_read(struct pmon_file *file, uint64_t offset, void *buf, size_t len, size_t *got_out,
	       struct pmon_err *err)
{
	uint64_t left = offset < file->size ? file->size - offset : 0;
	size_t got = 0;

	*got_out = 0;
	if (len > left)
		len = (size_t)left;
	while (got < len) {
		size_t n = 0;
		enum pmon_status status;

		status = file->ops->read(file->ctx, offset + got, (uint8_t *)buf + got, len - got,
					 &n, err);
		if (status != PMON_OK)
			return status;
		if (n == 0)
			break; // the file was truncated since it was opened, or this is a stream
		got += n;
	}
	if (got < len && file->size == PMON_FILE_ENDLESS)
		file->size = offset + got;
	*got_out = got;
	return PMON_OK;
}

enum pmon_status
pmon_file_read_some(struct pmon_file *file, uint64_t offset, void *buf, size_t len, size_t *got_out,
		    struct pmon_err *err)
{
	uint64_t left = offset < file->size ? file->size - offset : 0;
	size_t most = len > left ? (size_t)left : len;
	enum pmon_status status = PMON_OK;

	*got_out = 0;
	if (most > 0)
		status = file->ops->read(file->ctx, offset, buf, most, got_out, err);
	if (status == PMON_OK && most > 0 && *got_out == 0 && file->size == PMON_FILE_ENDLESS)
		file->size = offset;
	return status;
}

#ifdef POSIX_FADV_WILLNEED

// Is the byte at offset in memory?
static bool
is_cached(int fd, uint64_t offset)
{
#ifdef RWF_NOWAIT
	char byte;
	struct iovec to = {&byte, 1};

	return preadv2(fd, &to, 1, (off_t)offset, RWF_NOWAIT) == 1;
#else
	(void)fd;
	(void)offset;
	return false;
#endif
}

void
pmon_file_will_read(const struct pmon_file *file, uint64_t offset, uint64_t len)
{
	// The hint is not cheap, and useless for cached bytes.
	if (file->ops == &posix_ops && len > 0 && offset + len <= file->size &&
	    !is_cached(file->fd, offset + len - 1))
		(void)posix_fadvise(file->fd, (off_t)offset, (off_t)len, POSIX_FADV_WILLNEED);
}

#else

void
pmon_file_will_read(const struct pmon_file *file, uint64_t offset, uint64_t len)
{
	(void)file;
	(void)offset;
	(void)len;
}

#endif

bool
pmon_file_is_shareable(const struct pmon_file *file)
{
	return file->ops == &memory_ops || file->ops == &posix_ops;
}

void
pmon_file_close(struct pmon_file *file)
{
	if (file == NULL)
		return;
	if (file->ops->close != NULL)
		file->ops->close(file->ctx);
	pmon_mem_free(file->allocator, file->path, file->path_size);
	pmon_mem_free(file->allocator, file, sizeof(*file));
}
