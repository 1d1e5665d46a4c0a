// unarchive.h - the entries of an archive, one after the other (private)
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_UNARCHIVE_H
#define PMON_OS_UNARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#include "os/library.h"
#include "os/unpacker.h"

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

// From the first entry: call it again to begin again. Returns what libarchive.so's loading or opening gives.
PMON_NODISCARD enum pmon_status pmon_unarchive_open(struct unarchive *a);
void pmon_unarchive_close(struct unarchive *a);

// The name of the next entry that is a file, valid until the next call; PMON_END after the last one.
PMON_NODISCARD enum pmon_status pmon_unarchive_next(struct unarchive *a, const char **name);

// The next bytes of the entry; *len is 0 at its end.
PMON_NODISCARD enum pmon_status pmon_unarchive_read(struct unarchive *a, uint8_t *out, size_t size,
						    size_t *len);

// If the archive is an Excel workbook, write the cells of its only sheet as lines of CSV; *is_book tells. workbook.c
PMON_NODISCARD enum pmon_status pmon_unpack_workbook(struct unarchive *a, bool *is_book);

#endif
