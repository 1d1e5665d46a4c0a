// outfile.c - write files atomically (POSIX)
// SPDX-License-Identifier: MIT

// fallocate() and sync_file_range() exist only on Linux.
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
#include "os/dir.h"
#include "os/door.h"
#include "os/file.h"
#include "os/posix/place.h"

#define BUFFER_BYTES (512 << 10)
#define AHEAD_BYTES  ((uint64_t)8 << 20)  // unwritten bytes at which writeback is started
#define ROOM_BYTES   ((uint64_t)32 << 20) // preallocated at a time

// A byte that was written, and is not 0.
struct mark {
	uint64_t offset;
	uint8_t byte; // 0: none yet
};

struct pmon_outfile {
	const struct pmon_allocator *allocator;
	const struct pmon_door *door; // owns the place; NULL: this process does
	struct pmon_place place;
	bool is_named; // not standard output
	bool stream;   // standard output or a device: sequential writes only
	bool terminal;
	pmon_outfile_complete_fn on_complete; // NULL: none
	void *on_complete_ctx;
	bool cut;          // an incomplete end was removed
	bool is_emptied;   // another program truncated the file while it was written
	struct mark end;   // the last one written
	struct mark prior; // the last one before a part that is still written over
	uint64_t kept;     // offset of a byte that is never 0; 0: not known
	int failed;        // errno of the first failure
	uint64_t offset;   // bytes written to the file
	uint64_t whole;    // ... when they were last flushed
	uint64_t ahead;    // ... for which writeback was started
	uint64_t room;     // end of the preallocated range; 0: none
	size_t used;
	uint8_t buffer[BUFFER_BYTES];
};

static struct pmon_outfile *
new_file(const struct pmon_outfile_options *options)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_outfile *file = pmon_mem_alloc(allocator, sizeof(*file));

	if (file == NULL)
		return NULL;
	memset(file, 0, offsetof(struct pmon_outfile, buffer));
	file->allocator = allocator;
	file->door = options->door;
	file->place.fd = -1;
	return file;
}

static const char *
final_name(const struct pmon_outfile *file)
{
	return file->place.target.path;
}

// Lock the file against other writers; truncate it only after that. Where locks are not supported, it is not
// locked.
static enum pmon_status
take_over(const struct pmon_outfile *file, bool append, struct pmon_err *err)
{
	if (flock(file->place.fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return pmon_err_set(err, PMON_E_IO, 0, "another process is writing %s",
				    final_name(file));
	if (file->place.overwrite && !append && ftruncate(file->place.fd, 0) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot empty %s", final_name(file));
	return PMON_OK;
}

// A new file's name must not exist, not even as a link. An existing file is opened without following a link
// that was created since the target was found; to append, it must exist.
static int
live_flags(bool append, bool overwrite)
{
	if (append)
		return O_RDWR | O_CLOEXEC | O_NOFOLLOW;
	return O_RDWR | O_CREAT | O_CLOEXEC | (overwrite ? O_NOFOLLOW : O_EXCL);
}

// Open the file in place, to write it from the beginning or append.
static enum pmon_status
open_in_place(struct pmon_outfile *file, bool append, struct pmon_err *err)
{
	enum pmon_status status;
	off_t end;

	file->place.fd = open(final_name(file), live_flags(append, file->place.overwrite), 0666);
	if (file->place.fd < 0)
		return PMON_OK; // errno says why
	status = take_over(file, append, err);
	if (status != PMON_OK || !append)
		return status;
	end = lseek(file->place.fd, 0, SEEK_END);
	file->offset = file->whole = end > 0 ? (uint64_t)end : 0;
	return PMON_OK;
}

static enum pmon_status
find_live(const char *path, const struct pmon_outfile_options *options, bool append,
	  struct pmon_target *target, struct pmon_err *err)
{
	if (append || options->overwrite || pmon_is_stream(path))
		return pmon_target_find(path, target, err);
	if (strlen(path) >= sizeof(target->path))
		return pmon_err_sys(err, PMON_E_IO, ENAMETOOLONG, "cannot create the output");
	(void)snprintf(target->path, sizeof(target->path), "%s", path);
	return PMON_OK;
}

static enum pmon_status
open_live(struct pmon_outfile *file, const char *path, const struct pmon_outfile_options *options,
	  bool append, struct pmon_err *err)
{
	struct pmon_place *place = &file->place;
	enum pmon_status status = find_live(path, options, append, &place->target, err);

	if (status == PMON_OK && place->target.is_special)
		return pmon_place_begin(path, options, place, err);
	place->overwrite = options->overwrite;
	place->sync = options->sync;
	if (status == PMON_OK)
		status = open_in_place(file, append, err);
	if (status == PMON_OK && place->fd < 0 && append && errno == ENOENT)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "there is no %s to append to", path);
	if (status == PMON_OK && place->fd < 0)
		return pmon_err_sys(err, errno == EEXIST ? PMON_E_EXISTS : PMON_E_IO, errno,
				    "cannot create %s", path);
	return status;
}

static enum pmon_status
open_named(struct pmon_outfile *file, const char *path, const struct pmon_outfile_options *options,
	   bool live, bool append, struct pmon_err *err)
{
	struct pmon_place *place = &file->place;
	enum pmon_status status;

	file->is_named = true;
	if (live)
		status = open_live(file, path, options, append, err);
	else if (file->door != NULL)
		status = file->door->begin(path, options, place, err);
	else
		status = pmon_place_begin(path, options, place, err);
	file->stream = place->target.is_special;
	return status;
}

static enum pmon_status
open_file(const char *path, const struct pmon_outfile_options *options, bool live, bool append,
	  struct pmon_outfile **out, struct pmon_err *err)
{
	struct pmon_outfile *file = new_file(options);
	enum pmon_status status = PMON_OK;

	*out = NULL;
	if (file == NULL)
		return pmon_err_nomem(err);
	if (strcmp(path, "-") != 0) {
		status = open_named(file, path, options, live, append, err);
	} else {
		file->place.fd = STDOUT_FILENO;
		file->stream = true;
	}
	if (status != PMON_OK) {
		pmon_outfile_close(file);
		return status;
	}
	file->terminal = file->stream && isatty(file->place.fd) != 0;
	*out = file;
	return PMON_OK;
}

enum pmon_status
pmon_outfile_open(const char *path, const struct pmon_outfile_options *options,
		  struct pmon_outfile **out, struct pmon_err *err)
{
	return open_file(path, options, false, false, out, err);
}

enum pmon_status
pmon_outfile_open_live(const char *path, const struct pmon_outfile_options *options, bool append,
		       struct pmon_outfile **out, struct pmon_err *err)
{
	return open_file(path, options, true, append, out, err);
}

size_t
pmon_outfile_read_at(const struct pmon_outfile *file, uint64_t offset, void *out, size_t len)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pread(file->place.fd, (char *)out + done, len - done,
				  (off_t)(offset + done));

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
	if (ftruncate(file->place.fd, (off_t)size) != 0)
		return pmon_err_sys(err, PMON_E_IO, errno, "cannot truncate %s", final_name(file));
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
			return pmon_err_set(err, PMON_E_IO, 0, "cannot read %s", final_name(file));
		while (n > 0 && bytes[n - 1] != '\n')
			n--;
		end = from + n;
		if (n > 0)
			break;
	}
	return pmon_outfile_cut(file, end, err);
}

static bool
is_gone(const struct pmon_outfile *file, const struct mark *mark, uint64_t offset)
{
	uint8_t byte = mark->byte;

	return mark->byte != 0 && mark->offset < offset &&
	       (pread(file->place.fd, &byte, 1, (off_t)mark->offset) == 0 || byte != mark->byte);
}

// A file that was truncated between two writes has its size again after the second one, with a hole in it. So the last
// bytes before a write are read after it. Files that are renamed when they are complete have a name that is not known.
static void
mark_end(struct pmon_outfile *file, uint64_t offset, const uint8_t *bytes, size_t len)
{
	bool is_over = offset <= file->end.offset;

	if (file->stream || file->place.has_temp)
		return;
	if (is_gone(file, &file->end, offset) || is_gone(file, &file->prior, offset))
		file->is_emptied = true;
	if (offset + len <= file->end.offset)
		return;
	while (len > 0 && bytes[len - 1] == 0)
		len--;
	if (!is_over && len > 0)
		file->prior = file->end;
	if (len > 0)
		file->end = (struct mark){offset + len - 1, bytes[len - 1]};
	else if (is_over)
		file->end.byte = 0;
}

static void
write_bytes(struct pmon_outfile *file, uint64_t offset, const uint8_t *bytes, size_t len)
{
	while (len > 0 && file->failed == 0) {
		ssize_t n = !file->stream ? pwrite(file->place.fd, bytes, len, (off_t)offset)
					  : write(file->place.fd, bytes, len);

		if (n < 0 && errno != EINTR)
			file->failed = errno;
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
			offset += (uint64_t)n;
		}
	}
}

static void
write_all(struct pmon_outfile *file, uint64_t offset, const uint8_t *bytes, size_t len)
{
	write_bytes(file, offset, bytes, len);
	if (file->failed == 0)
		mark_end(file, offset, bytes, len);
}

// Text for a terminal: characters from the names of a log that could control it become U+FFFD. A CR
// is kept at the end of a line only. Writers append whole characters, so none is cut at the ends.
static void
write_to_terminal(struct pmon_outfile *file, const uint8_t *bytes, size_t len)
{
	static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD};
	struct pmon_span text = {(const char *)bytes, len};
	size_t start = 0; // of the unwritten bytes

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

// Writing new bytes is faster if their blocks are preallocated. If that fails, the bytes may still fit.
static void
ask_for_room(struct pmon_outfile *file)
{
	if (file->offset + AHEAD_BYTES <= file->room)
		return;
#ifdef FALLOC_FL_KEEP_SIZE
	(void)fallocate(file->place.fd, FALLOC_FL_KEEP_SIZE, (off_t)file->offset,
			(off_t)ROOM_BYTES);
#endif
	file->room = file->offset + ROOM_BYTES;
}

static void
give_room_back(struct pmon_outfile *file)
{
	if (file->room > 0 && file->failed == 0 &&
	    ftruncate(file->place.fd, (off_t)file->offset) != 0)
		file->failed = errno;
	file->room = 0;
}

// A file that replaces another is synced when it is finished. Start writeback early, to shorten that wait.
static void
write_ahead(struct pmon_outfile *file)
{
	if (!file->place.has_temp || file->offset - file->ahead < AHEAD_BYTES)
		return;
#ifdef SYNC_FILE_RANGE_WRITE
	if (file->place.replaces)
		(void)sync_file_range(file->place.fd, (off_t)file->ahead,
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
	if (len == 0)
		return; // memcpy() takes no NULL, of no bytes either
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
	// A caller may read bytes that it has written to the file by other means.
	if (!file->place.has_temp || offset + len > file->offset + file->used) {
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

// In a file written in place, data after the last successful flush may be incomplete, such as half a
// line.
static void
cut_torn_end(struct pmon_outfile *file)
{
	if (!file->place.has_temp && !file->stream && !file->cut)
		file->cut = ftruncate(file->place.fd, (off_t)file->whole) == 0;
}

enum pmon_status
pmon_outfile_status(const struct pmon_outfile *file, struct pmon_err *err)
{
	if (file->failed == 0)
		return PMON_OK;
	return pmon_err_sys(err, file->failed == EEXIST ? PMON_E_EXISTS : PMON_E_IO, file->failed,
			    "cannot write %s",
			    file->is_named ? final_name(file) : "standard output");
}

enum pmon_status
pmon_outfile_flush(struct pmon_outfile *file, bool sync, struct pmon_err *err)
{
	drain(file);
	if (file->failed != 0)
		cut_torn_end(file);
	if (file->failed == 0)
		file->whole = file->offset;
	if (file->failed == 0 && sync && !file->stream && fsync(file->place.fd) != 0)
		file->failed = errno;
	return pmon_outfile_status(file, err);
}

// Some file systems, including all network file systems, report a full disk only here.
static void
close_fd(struct pmon_outfile *file)
{
	int fd = file->place.fd;

	if (!file->is_named || fd < 0)
		return;
	file->place.fd = -1;
	if (close(fd) != 0 && errno != EINTR && file->failed == 0)
		file->failed = errno;
}

// Close and rename the file.
static void
complete(struct pmon_outfile *file)
{
	struct pmon_place *place = &file->place;

	if (!place->has_temp || file->door != NULL)
		close_fd(file);
	if (file->failed != 0)
		return;
	if (place->has_temp)
		file->failed =
			file->door != NULL ? file->door->finish(place) : pmon_place_finish(place);
	else if (file->is_named && place->sync)
		file->failed = pmon_target_sync_folder(final_name(file));
}

void
pmon_outfile_on_complete(struct pmon_outfile *file, pmon_outfile_complete_fn fn, void *ctx)
{
	file->on_complete = fn;
	file->on_complete_ctx = ctx;
}

static enum pmon_status
look_at_it(const struct pmon_outfile *file, struct pmon_err *err)
{
	struct pmon_file *written;
	enum pmon_status status;

	if (file->on_complete == NULL || !file->place.has_temp)
		return PMON_OK;
	status = pmon_file_over(file->place.fd, file->allocator, &written, err);
	return status == PMON_OK ? file->on_complete(file->on_complete_ctx, written, err) : status;
}

enum pmon_status
pmon_outfile_commit(struct pmon_outfile *file, struct pmon_err *err)
{
	enum pmon_status status;

	drain(file);
	give_room_back(file);
	status = pmon_outfile_flush(file, !file->place.has_temp, err);
	if (status == PMON_OK)
		status = look_at_it(file, err);
	if (status != PMON_OK)
		return status;
	complete(file);
	return pmon_outfile_status(file, err);
}

void
pmon_outfile_keep(struct pmon_outfile *file, uint64_t offset)
{
	file->kept = offset;
}

static bool
is_emptied(const struct pmon_outfile *file)
{
	uint8_t byte = 1;

	if (file->kept == 0)
		return file->is_emptied;
	return pread(file->place.fd, &byte, 1, (off_t)file->kept) == 0 || byte == 0;
}

struct pmon_outfile_state
pmon_outfile_state(const struct pmon_outfile *file)
{
	struct stat st;

	if (fstat(file->place.fd, &st) != 0)
		return (struct pmon_outfile_state){.is_regular = false};
	return (struct pmon_outfile_state){.is_regular = !file->stream && S_ISREG(st.st_mode),
					   .is_emptied = is_emptied(file),
					   .links = (uint64_t)st.st_nlink,
					   .size = (uint64_t)st.st_size};
}

const char *
pmon_outfile_path(const struct pmon_outfile *file)
{
	if (!file->is_named)
		return NULL;
	return file->place.has_temp ? file->place.temp : final_name(file);
}

void
pmon_outfile_close(struct pmon_outfile *file)
{
	if (file == NULL)
		return;
	close_fd(file);
	if (file->place.has_temp && file->door != NULL)
		file->door->forget(&file->place);
	else if (file->place.has_temp)
		pmon_place_forget(&file->place);
	pmon_mem_free(file->allocator, file, sizeof(*file));
}
