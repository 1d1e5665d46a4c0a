// unpack.c - compressed inputs: gzip with zlib, zstd with libzstd, others with libarchive
// SPDX-License-Identifier: MIT

#include "os/unpack.h"

#include <string.h>

#ifdef PMON_WITH_ZLIB
#include <zlib.h>
#endif
#ifdef PMON_WITH_ZSTD
#include <zstd.h>
#endif

#include "base/err.h"
#include "base/mem.h"
#include "os/unpacker.h"

#if defined(PMON_WITH_ZLIB) || defined(PMON_WITH_ZSTD)

// The next chunk of the packed input; 0 bytes at its end.
static enum pmon_status
refill(struct unpack *u, size_t *len, struct pmon_err *err)
{
	enum pmon_status status =
		pmon_file_read(u->packed, u->read, u->in, sizeof(u->in), len, err);

	u->read += *len;
	return status;
}

#endif

enum pmon_status
pmon_unpack_write(struct unpack *u, size_t len, struct pmon_err *err)
{
	u->written += len;
	if (u->written > u->limit)
		return pmon_err_set(err, PMON_E_LIMIT, 0, "unpacks to more than %llu bytes",
				    (unsigned long long)u->limit);
	return u->put(u, len, err);
}

// ---- gzip -----------------------------------------------------------------------------------

#ifdef PMON_WITH_ZLIB

// Unpack the input in z. *end is set at the end of a gzip member.
static enum pmon_status
inflate_chunk(struct unpack *u, z_stream *z, bool *end, struct pmon_err *err)
{
	int code = Z_OK;

	while (code == Z_OK && (z->avail_in > 0 || z->avail_out == 0)) {
		enum pmon_status status;
		size_t room = u->room;

		z->next_out = u->plain;
		z->avail_out = (uInt)room;
		code = inflate(z, Z_NO_FLUSH);
		status = pmon_unpack_write(u, room - z->avail_out, err);
		if (status != PMON_OK)
			return status;
	}
	*end = code == Z_STREAM_END;
	if (code == Z_MEM_ERROR)
		return pmon_err_nomem(err);
	if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
		u->cut_at = u->read - z->avail_in;
	return PMON_OK;
}

static enum pmon_status
gunzip_all(struct unpack *u, z_stream *z, struct pmon_err *err)
{
	enum pmon_status status = PMON_OK;
	bool end = true; // between members

	while (status == PMON_OK && u->cut_at == 0) {
		if (z->avail_in == 0) {
			size_t len;

			status = refill(u, &len, err);
			if (status != PMON_OK || len == 0)
				break;
			z->next_in = u->in;
			z->avail_in = (uInt)len;
		}
		// A concatenation of gzip files has several members; zeros may pad the end.
		if (end && *z->next_in == 0) {
			z->next_in++;
			z->avail_in--;
			continue;
		}
		if (end && inflateReset(z) != Z_OK)
			return pmon_err_nomem(err);
		status = inflate_chunk(u, z, &end, err);
	}
	if (status == PMON_OK && !end && u->cut_at == 0)
		u->cut_at = u->read;
	return status;
}

static enum pmon_status
gunzip(struct unpack *u, struct pmon_err *err)
{
	z_stream z = {.next_in = NULL};
	enum pmon_status status;

	if (inflateInit2(&z, 15 + 16) != Z_OK) // 16: with a gzip header
		return pmon_err_nomem(err);
	status = gunzip_all(u, &z, err);
	(void)inflateEnd(&z);
	return status;
}

#else

static enum pmon_status
gunzip(struct unpack *u, struct pmon_err *err)
{
	(void)u;
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"compressed with gzip, which this build cannot unpack: run gunzip on it first");
}

#endif

// ---- zstd -----------------------------------------------------------------------------------

#ifdef PMON_WITH_ZSTD

static enum pmon_status
unzstd_all(struct unpack *u, ZSTD_DStream *z, struct pmon_err *err)
{
	size_t wanted = 0; // 0: between frames
	size_t len;
	enum pmon_status status;

	while ((status = refill(u, &len, err)) == PMON_OK && len > 0) {
		ZSTD_inBuffer in = {u->in, len, 0};
		bool full = false; // more output is pending than fits

		while (status == PMON_OK && (in.pos < in.size || full)) {
			ZSTD_outBuffer out = {u->plain, u->room, 0};

			wanted = ZSTD_decompressStream(z, &out, &in);
			if (ZSTD_isError(wanted)) {
				u->cut_at = u->read - (in.size - in.pos);
				return PMON_OK;
			}
			full = wanted != 0 && out.pos == out.size; // 0: the frame is complete
			status = pmon_unpack_write(u, out.pos, err);
		}
		if (status != PMON_OK)
			return status;
	}
	if (status == PMON_OK && wanted != 0)
		u->cut_at = u->read;
	return status;
}

static enum pmon_status
unzstd(struct unpack *u, struct pmon_err *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	enum pmon_status status;

	if (z == NULL)
		return pmon_err_nomem(err);
	// The input determines the memory for the window; allow 128 MiB, like the zstd program.
	(void)ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, 27);
	status = unzstd_all(u, z, err);
	(void)ZSTD_freeDStream(z);
	return status;
}

#else

static enum pmon_status
unzstd(struct unpack *u, struct pmon_err *err)
{
	(void)u;
	return pmon_err_set(
		err, PMON_E_UNSUPPORTED, 0,
		"compressed with zstd, which this build cannot unpack: run unzstd on it first");
}

#endif

// ---- Any ------------------------------------------------------------------------------------

static bool
is_gzip(const uint8_t *head, size_t len)
{
	return len >= 3 && memcmp(head, "\x1F\x8B\x08", 3) == 0;
}

static bool
is_zstd(const uint8_t *head, size_t len)
{
	return len >= 4 && memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0;
}

#ifdef PMON_WITH_ARCHIVE

static bool
is_tar(const uint8_t *head, size_t len)
{
	return len >= 262 && memcmp(head + 257, "ustar", 5) == 0;
}

#endif

static bool
is_archive(const uint8_t *head, size_t len)
{
#ifdef PMON_WITH_ARCHIVE
	static const struct {
		const char *magic;
		size_t len;
	} kinds[] = {
		{"PK\x03\x04", 4},
		{"7z\xBC\xAF\x27\x1C", 6},
		{"MSCF\0\0\0\0", 8},
		{"\xFD"
		 "7zXZ\0",
		 6},
		{"BZh", 3},
	};

	if (is_tar(head, len))
		return true;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (len >= kinds[i].len && memcmp(head, kinds[i].magic, kinds[i].len) == 0)
			return true;
#else
	(void)head;
	(void)len;
#endif
	return false;
}

bool
pmon_unpack_is_packed(const uint8_t *head, size_t len)
{
	return is_gzip(head, len) || is_zstd(head, len) || is_archive(head, len);
}

#ifdef PMON_WITH_ARCHIVE

#define TAR_HEAD 512

// The first bytes of what is packed.
struct peek {
	struct unpack unpack;
	uint8_t plain[TAR_HEAD];
};

static enum pmon_status
stop_when_full(struct unpack *u, size_t len, struct pmon_err *err)
{
	(void)err;
	u->plain += len;
	u->room -= len;
	return u->room == 0 ? PMON_END : PMON_OK;
}

// An archive that was compressed as a whole is read by libarchive. Other damage than a lack of memory
// is reported when the file is unpacked.
static enum pmon_status
look_for_archive(struct pmon_file *file, const struct pmon_allocator *allocator,
		 unpack_fn *unpacker, struct pmon_err *err)
{
	struct peek *peek;

	allocator = pmon_mem_allocator(allocator);
	peek = pmon_mem_alloc0(allocator, sizeof(*peek));
	if (peek == NULL)
		return pmon_err_nomem(err);
	peek->unpack.packed = file;
	peek->unpack.limit = UINT64_MAX;
	peek->unpack.put = stop_when_full;
	peek->unpack.plain = peek->plain;
	peek->unpack.room = sizeof(peek->plain);
	if ((*unpacker)(&peek->unpack, NULL) == PMON_END &&
	    is_tar(peek->plain, sizeof(peek->plain)))
		*unpacker = pmon_unpack_archive;
	pmon_mem_free(allocator, peek, sizeof(*peek));
	return PMON_OK;
}

#else

static enum pmon_status
look_for_archive(struct pmon_file *file, const struct pmon_allocator *allocator,
		 unpack_fn *unpacker, struct pmon_err *err)
{
	(void)file;
	(void)allocator;
	(void)unpacker;
	(void)err;
	return PMON_OK;
}

#endif

enum pmon_status
pmon_unpack_find(struct pmon_file *file, const struct pmon_allocator *allocator, unpack_fn *out,
		 struct pmon_err *err)
{
	uint8_t head[512];
	size_t len;
	enum pmon_status status = pmon_file_read(file, 0, head, sizeof(head), &len, err);

	*out = NULL;
	if (status == PMON_OK && is_gzip(head, len))
		*out = gunzip;
	if (status == PMON_OK && is_zstd(head, len))
		*out = unzstd;
	if (*out != NULL)
		status = look_for_archive(file, allocator, out, err);
#ifdef PMON_WITH_ARCHIVE
	if (status == PMON_OK && is_archive(head, len))
		*out = pmon_unpack_archive;
#endif
	return status;
}

uint64_t
pmon_unpack_limit(const struct pmon_file *packed, uint64_t limit, uint64_t times)
{
	uint64_t size = pmon_file_size(packed);

	if (limit != 0)
		return limit;
	return size < UINT64_MAX / 2 / times ? PMON_UNPACK_FLOOR + size * times : UINT64_MAX;
}

// ---- Into a temporary file -------------------------------------------------------------------

struct spool {
	struct unpack unpack;
	struct pmon_file *out;
	pmon_file_look_fn look; // NULL: no longer needed
	uint8_t plain[UNPACK_CHUNK];
};

static enum pmon_status
look_at(struct spool *spool, struct pmon_err *err)
{
	pmon_file_look_fn look = spool->look;
	size_t len;
	enum pmon_status status =
		pmon_file_read(spool->out, 0, spool->plain, sizeof(spool->plain), &len, err);

	spool->look = NULL;
	return status == PMON_OK ? look(spool->plain, len, err) : status;
}

static enum pmon_status
append(struct unpack *u, size_t len, struct pmon_err *err)
{
	struct spool *spool = (struct spool *)u;
	enum pmon_status status;

	status = pmon_file_append(spool->out, spool->plain, len, err);
	if (status != PMON_OK || spool->look == NULL || u->written < PMON_FILE_LOOK_BYTES)
		return status;
	return look_at(spool, err);
}

static enum pmon_status
unpack_with(unpack_fn unpacker, struct spool *spool, const struct pmon_allocator *allocator,
	    struct pmon_err *err)
{
	struct unpack *u = &spool->unpack;
	enum pmon_status status =
		pmon_file_temporary(pmon_file_door(u->packed), allocator, &spool->out, err);

	if (status == PMON_OK)
		status = unpacker(u, err);
	if (status == PMON_OK && u->cut_at != 0 && u->written == 0)
		status = pmon_err_set(err, PMON_E_FORMAT, u->cut_at,
				      "compressed, and damaged from the beginning");
	return status;
}

enum pmon_status
pmon_file_unpack(struct pmon_file **file, uint64_t limit, pmon_file_look_fn look,
		 const struct pmon_allocator *allocator, uint64_t *cut_at, struct pmon_err *err)
{
	unpack_fn unpacker;
	enum pmon_status status = pmon_unpack_find(*file, allocator, &unpacker, err);
	struct spool *spool;

	*cut_at = 0;
	if (status != PMON_OK || unpacker == NULL)
		return status;
	allocator = pmon_mem_allocator(allocator);
	spool = pmon_mem_alloc0(allocator, sizeof(*spool));
	if (spool == NULL)
		return pmon_err_nomem(err);
	spool->unpack.packed = *file;
	spool->unpack.limit = pmon_unpack_limit(*file, limit, PMON_UNPACK_TIMES);
	spool->look = look;
	spool->unpack.put = append;
	spool->unpack.plain = spool->plain;
	spool->unpack.room = sizeof(spool->plain);
	status = unpack_with(unpacker, spool, allocator, err);
	if (status == PMON_OK) {
		pmon_file_close(*file);
		*file = spool->out;
		*cut_at = spool->unpack.cut_at;
	} else {
		pmon_file_close(spool->out);
	}
	pmon_mem_free(allocator, spool, sizeof(*spool));
	return status;
}
