// unarchive.c - archives with one file, and compression that only libarchive knows
// SPDX-License-Identifier: MIT

#include "os/unpacker.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "base/err.h"
#include "os/library.h"

#define ARCHIVE_CALLS(CALL)                                                                        \
	CALL(archive_read_, new)                                                                   \
	CALL(archive_read_, free)                                                                  \
	CALL(archive_read_, support_filter_bzip2)                                                  \
	CALL(archive_read_, support_filter_gzip)                                                   \
	CALL(archive_read_, support_filter_xz)                                                     \
	CALL(archive_read_, support_filter_zstd)                                                   \
	CALL(archive_read_, support_format_7zip)                                                   \
	CALL(archive_read_, support_format_cab)                                                    \
	CALL(archive_read_, support_format_raw)                                                    \
	CALL(archive_read_, support_format_tar)                                                    \
	CALL(archive_read_, support_format_zip)                                                    \
	CALL(archive_read_, set_callback_data)                                                     \
	CALL(archive_read_, set_read_callback)                                                     \
	CALL(archive_read_, set_seek_callback)                                                     \
	CALL(archive_read_, open1)                                                                 \
	CALL(archive_read_, next_header)                                                           \
	CALL(archive_read_, data)                                                                  \
	CALL(archive_, error_string)                                                               \
	CALL(archive_entry_, filetype)                                                             \
	CALL(archive_entry_, pathname)

struct archive_calls {
	ARCHIVE_CALLS(PMON_OS_CALL)
};

struct unarchive {
	struct unpack *u;
	struct archive_calls la;
	struct archive *archive;
	enum pmon_status status; // of reading the file
	struct pmon_err *err;
};

static la_ssize_t
read_packed(struct archive *archive, void *ctx, const void **out)
{
	struct unarchive *a = ctx;
	struct unpack *u = a->u;
	size_t len;

	(void)archive;
	a->status = pmon_file_read(u->packed, u->read, u->in, sizeof(u->in), &len, a->err);
	if (a->status != PMON_OK)
		return ARCHIVE_FATAL;
	u->read += len;
	*out = u->in;
	return (la_ssize_t)len;
}

static la_int64_t
seek_packed(struct archive *archive, void *ctx, la_int64_t offset, int whence)
{
	struct unpack *u = ((struct unarchive *)ctx)->u;
	uint64_t size = pmon_file_size(u->packed);
	int64_t from = whence == SEEK_SET ? 0 : (int64_t)(whence == SEEK_END ? size : u->read);

	(void)archive;
	if (size > INT64_MAX || offset < -from || offset > (int64_t)size - from)
		return ARCHIVE_FATAL;
	u->read = (uint64_t)(from + offset);
	return from + offset;
}

static enum pmon_status
open_archive(struct unarchive *a)
{
	const struct archive_calls *la = &a->la;

	a->archive = la->new ();
	if (a->archive == NULL)
		return pmon_err_nomem(a->err);
	(void)la->support_filter_bzip2(a->archive);
	(void)la->support_filter_gzip(a->archive);
	(void)la->support_filter_xz(a->archive);
	(void)la->support_filter_zstd(a->archive);
	(void)la->support_format_7zip(a->archive);
	(void)la->support_format_cab(a->archive);
	(void)la->support_format_raw(a->archive);
	(void)la->support_format_tar(a->archive);
	(void)la->support_format_zip(a->archive);
	(void)la->set_read_callback(a->archive, read_packed);
	(void)la->set_seek_callback(a->archive, seek_packed);
	(void)la->set_callback_data(a->archive, a);
	return PMON_OK;
}

// libarchive failed: the file could not be read, or it is damaged. What was unpacked is kept.
static enum pmon_status
fail(struct unarchive *a)
{
	const char *why = a->la.error_string(a->archive);

	if (a->status != PMON_OK)
		return a->status;
	if (a->u->written > 0) {
		a->u->cut_at = a->u->read;
		return PMON_OK;
	}
	return pmon_err_set(a->err, PMON_E_UNSUPPORTED, 0,
			    "an archive that cannot be read (%s): unpack it first",
			    why != NULL ? why : "it is damaged");
}

static bool
is_log(const struct unarchive *a, struct archive_entry *entry, const char *name)
{
	static const char mac[] = "__MACOSX/"; // resources that macOS adds

	return a->la.filetype(entry) == AE_IFREG && strncmp(name, mac, sizeof(mac) - 1) != 0;
}

static enum pmon_status
refuse_several(struct unarchive *a, const char *first, const char *second)
{
	if (strcmp(first, "[Content_Types].xml") == 0)
		return pmon_err_set(a->err, PMON_E_UNSUPPORTED, 0,
				    "an Office document, such as an Excel workbook (XLSX): save it "
				    "as CSV first");
	return pmon_err_set(
		a->err, PMON_E_UNSUPPORTED, 0,
		"an archive of several files, such as %.60s and %.60s: unpack it first, "
		"and name those to read",
		first, second);
}

static enum pmon_status
unpack_entry(struct unarchive *a)
{
	struct unpack *u = a->u;
	enum pmon_status status = PMON_OK;
	la_ssize_t n = 1;

	while (status == PMON_OK && n > 0) {
		n = a->la.data(a->archive, u->plain, u->room);
		if (n < 0)
			return fail(a);
		status = pmon_unpack_write(u, (size_t)n, a->err);
	}
	return status;
}

static enum pmon_status
unpack_only(struct unarchive *a)
{
	struct archive_entry *entry;
	enum pmon_status status = PMON_OK;
	char first[64] = "";
	bool is_found = false;
	int code;

	while (status == PMON_OK && a->u->cut_at == 0 &&
	       (code = a->la.next_header(a->archive, &entry)) != ARCHIVE_EOF) {
		const char *name = code >= ARCHIVE_WARN ? a->la.pathname(entry) : "";

		if (code < ARCHIVE_WARN)
			return fail(a);
		if (name == NULL)
			name = "one without a name";
		if (!is_log(a, entry, name))
			continue;
		if (is_found)
			return refuse_several(a, first, name);
		is_found = true;
		(void)snprintf(first, sizeof(first), "%s", name);
		status = unpack_entry(a);
	}
	if (status == PMON_OK && !is_found)
		return pmon_err_set(a->err, PMON_E_FORMAT, 0, "an archive without files");
	return status;
}

enum pmon_status
pmon_unpack_archive(struct unpack *u, struct pmon_err *err)
{
	struct unarchive a = {.u = u, .err = err};
	enum pmon_status status = PMON_OS_LOAD(PMON_LIBRARY_ARCHIVE, ARCHIVE_CALLS, &a.la, err);

	if (status == PMON_OK)
		status = open_archive(&a);
	if (status == PMON_OK)
		status = a.la.open1(a.archive) == ARCHIVE_OK ? unpack_only(&a) : fail(&a);
	if (a.archive != NULL)
		(void)a.la.free(a.archive);
	return status;
}
