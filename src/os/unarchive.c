// unarchive.c - archives with one file, and compression that only libarchive knows
// SPDX-License-Identifier: MIT

#include "os/unarchive.h"

#include <string.h>

#include "base/err.h"

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

void
pmon_unarchive_close(struct unarchive *a)
{
	if (a->archive != NULL)
		(void)a->la.free(a->archive);
	a->archive = NULL;
}

static enum pmon_status
new_archive(struct unarchive *a)
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

enum pmon_status
pmon_unarchive_open(struct unarchive *a)
{
	enum pmon_status status = PMON_OS_LOAD(PMON_LIBRARY_ARCHIVE, ARCHIVE_CALLS, &a->la, a->err);

	if (status != PMON_OK)
		return status;
	pmon_unarchive_close(a);
	a->u->read = 0;
	status = new_archive(a);
	if (status == PMON_OK && a->la.open1(a->archive) != ARCHIVE_OK)
		status = fail(a);
	return status;
}

static bool
is_file(const struct unarchive *a, struct archive_entry *entry, const char *name)
{
	static const char mac[] = "__MACOSX/"; // resources that macOS adds

	return a->la.filetype(entry) == AE_IFREG && strncmp(name, mac, sizeof(mac) - 1) != 0;
}

enum pmon_status
pmon_unarchive_next(struct unarchive *a, const char **name)
{
	struct archive_entry *entry;

	do {
		int code = a->la.next_header(a->archive, &entry);

		if (code == ARCHIVE_EOF)
			return PMON_END;
		if (code < ARCHIVE_WARN) {
			enum pmon_status status = fail(a);

			return status == PMON_OK ? PMON_END : status; // what was unpacked is kept
		}
		*name = a->la.pathname(entry);
		if (*name == NULL)
			*name = "one without a name";
	} while (!is_file(a, entry, *name));
	return PMON_OK;
}

enum pmon_status
pmon_unarchive_read(struct unarchive *a, uint8_t *out, size_t size, size_t *len)
{
	la_ssize_t n = a->la.data(a->archive, out, size);

	*len = n < 0 ? 0 : (size_t)n;
	return n < 0 ? fail(a) : PMON_OK;
}

static enum pmon_status
refuse_several(struct unarchive *a, const char *first, const char *second)
{
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
	size_t n = 1;

	while (status == PMON_OK && n > 0) {
		status = pmon_unarchive_read(a, u->plain, u->room, &n);
		if (status == PMON_OK)
			status = pmon_unpack_write(u, n, a->err);
	}
	return status;
}

static enum pmon_status
unpack_only(struct unarchive *a)
{
	enum pmon_status status;
	const char *name;
	char first[64] = "";
	bool is_found = false;

	while ((status = pmon_unarchive_next(a, &name)) == PMON_OK) {
		if (is_found)
			return refuse_several(a, first, name);
		is_found = true;
		(void)snprintf(first, sizeof(first), "%s", name);
		status = unpack_entry(a);
		if (status != PMON_OK || a->u->cut_at != 0)
			return status;
	}
	if (status == PMON_END && !is_found)
		return pmon_err_set(a->err, PMON_E_FORMAT, 0, "an archive without files");
	return status == PMON_END ? PMON_OK : status;
}

enum pmon_status
pmon_unpack_archive(struct unpack *u, struct pmon_err *err)
{
	struct unarchive a = {.u = u, .err = err};
	bool is_book = false;
	enum pmon_status status = pmon_unarchive_open(&a);

	if (status == PMON_OK)
		status = pmon_unpack_workbook(&a, &is_book);
	if (status == PMON_OK && !is_book)
		status = pmon_unarchive_open(&a);
	if (status == PMON_OK && !is_book)
		status = unpack_only(&a);
	pmon_unarchive_close(&a);
	return status;
}
