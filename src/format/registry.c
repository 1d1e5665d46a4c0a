// registry.c - find the format of a log by its content, and name other kinds of files
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/mem.h"
#include "format/format.h"
#include "os/unpack.h"
#include "query/names.h"
#include "os/dir.h"

#define MAX_FILES    1000000               // in a directory
#define MAX_UNPACKED ((uint64_t)256 << 20) // of one of them, to see what it is

#ifdef PMON_WITH_SQLITE
#define SQLITE(FORMAT) FORMAT(sqlite)
#else
#define SQLITE(FORMAT)
#endif

// A format is a folder that defines `const struct pmon_format pmon_format_NAME`, and a line here.
#define FORMATS(FORMAT)                                                                            \
	FORMAT(blg)                                                                                \
	FORMAT(pdhtext)                                                                            \
	SQLITE(FORMAT)                                                                             \
	FORMAT(jsonl)                                                                              \
	FORMAT(perfblock)                                                                          \
	FORMAT(winperf)                                                                            \
	FORMAT(openmetrics)

#define DECLARE(name) extern const struct pmon_format pmon_format_##name;
FORMATS(DECLARE)

#define POINT_TO(name) &pmon_format_##name,
static const struct pmon_format *const formats[] = {FORMATS(POINT_TO) NULL};

// ---- Files that are not logs ----------------------------------------------------------------

// A kind of file that people mistake for a log, by the bytes at its beginning.
struct stranger {
	const char *magic;
	size_t len;
	enum pmon_status status;
	const char *text; // what it is and what to do
};

#define MAGIC(bytes) bytes, sizeof(bytes) - 1

static const struct stranger strangers[] = {
	{MAGIC("\xFD"
	       "7zXZ\0"),
	 PMON_E_UNSUPPORTED, "compressed with xz: unpack it first (unxz)"},
	{MAGIC("BZh"), PMON_E_UNSUPPORTED, "compressed with bzip2: unpack it first (bunzip2)"},
	{MAGIC("PK\x03\x04"), PMON_E_UNSUPPORTED, "a zip archive: unpack it first (unzip)"},
	{MAGIC("7z\xBC\xAF\x27\x1C"), PMON_E_UNSUPPORTED, "a 7z archive: unpack it first (7z x)"},
	{MAGIC("MSCF"), PMON_E_UNSUPPORTED, "a cabinet archive: unpack it first (cabextract)"},
#ifndef PMON_WITH_SQLITE
	{MAGIC("SQLite format 3\0"), PMON_E_UNSUPPORTED,
	 "an SQLite database; built without SQLite (in Debian libsqlite3-dev)"},
#endif
#ifndef PMON_WITH_JSON
	{MAGIC("{"), PMON_E_UNSUPPORTED,
	 "JSON lines; built without jansson (in Debian libjansson-dev)"},
#endif
	{MAGIC("ElfFile\0"), PMON_E_UNSUPPORTED,
	 "a Windows event log (EVTX): it holds messages, not performance counters"},
	{MAGIC("MZ"), PMON_E_FORMAT, "a Windows program, not a performance log"},
	{MAGIC("\x7F"
	       "ELF"),
	 PMON_E_FORMAT, "a program, not a performance log"},
	{MAGIC("<?xml"), PMON_E_FORMAT,
	 "XML, not a performance log (a template or report of Performance Monitor?)"},
};

static const struct stranger *
find_stranger(const uint8_t *head, size_t len)
{
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++)
		if (len >= strangers[i].len &&
		    memcmp(head, strangers[i].magic, strangers[i].len) == 0)
			return &strangers[i];
	return NULL;
}

// ---- Text -----------------------------------------------------------------------------------

#define TEXT_LOOK 512 // characters of a text that are looked at

// The beginning of a text in any of its encodings as one byte a character, with '?' for what is not
// ASCII. Returns the length, 0 when it is not text.
static size_t
take_text(const uint8_t *head, size_t len, char out[TEXT_LOOK])
{
	bool utf16 = len >= 4 &&
		     ((head[0] == 0xFF && head[1] == 0xFE) || (head[1] == 0 && head[3] == 0));
	size_t step = utf16 ? 2 : 1;
	size_t at = 0;
	size_t n = 0;

	if (len >= 2 && head[0] == 0xFF && head[1] == 0xFE)
		at = 2;
	if (len >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0)
		at = 3;
	for (; at + step <= len && n < TEXT_LOOK; at += step) {
		uint8_t c = head[at];

		if (utf16 && head[at + 1] != 0)
			c = '?';
		if (c < 0x20 && c != '\t' && c != '\r' && c != '\n')
			return 0;
		out[n++] = (char)(c < 0x7F ? c : '?');
	}
	return n;
}

static bool
contains(const char *text, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (memcmp(text + i, word, n) == 0)
			return true;
	return false;
}

static enum pmon_status
name_text(const char *text, size_t len, struct pmon_err *err)
{
	// Counter paths in quotes: the columns of a text log, of which the first lost its marker.
	if (contains(text, len, "\"\\\\"))
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "a text performance log whose beginning is damaged: its first "
				    "line should begin with (PDH-CSV 4.0)");
	return pmon_err_set(err, PMON_E_FORMAT, 0, "a text file, not a performance log");
}

// Say what a file is that no format knows.
static enum pmon_status
name_file(const uint8_t *head, size_t len, struct pmon_err *err)
{
	const struct stranger *stranger = find_stranger(head, len);
	char text[TEXT_LOOK];
	size_t text_len;

	if (len == 0)
		return pmon_err_set(err, PMON_E_FORMAT, 0, "the file is empty");
	if (stranger != NULL)
		return pmon_err_set(err, stranger->status, 0, "%s", stranger->text);
	text_len = take_text(head, len, text);
	if (text_len > 0)
		return name_text(text, text_len, err);
	return pmon_err_set(err, PMON_E_FORMAT, 0, "not a performance log that pmon knows");
}

// ---- Opening --------------------------------------------------------------------------------

static const struct pmon_format *
find_format(const uint8_t *head, size_t len, bool last)
{
	for (size_t i = 0; formats[i] != NULL; i++)
		if (formats[i]->probe != NULL && formats[i]->is_asked_last == last &&
		    formats[i]->probe(head, len))
			return formats[i];
	return NULL;
}

const struct pmon_format *
pmon_format_find(const uint8_t *head, size_t len)
{
	const struct pmon_format *format = find_format(head, len, false);

	return format != NULL ? format : find_format(head, len, true);
}

const struct pmon_writer *
pmon_writer_at(size_t i)
{
	for (size_t k = 0; formats[k] != NULL; k++) {
		if (i < formats[k]->n_writers)
			return &formats[k]->writers[i];
		i -= formats[k]->n_writers;
	}
	return NULL;
}

const struct pmon_writer *
pmon_writer_find(const char *name)
{
	const struct pmon_span wanted = {name, strlen(name)};
	const struct pmon_writer *writer;

	for (size_t i = 0; (writer = pmon_writer_at(i)) != NULL; i++) {
		const char *alias = writer->alias != NULL ? writer->alias : writer->name;

		if (pmon_text_same(wanted,
				   (struct pmon_span){writer->name, strlen(writer->name)}) ||
		    pmon_text_same(wanted, (struct pmon_span){alias, strlen(alias)}))
			return writer;
	}
	return NULL;
}

// What is unpacked: a log, or not worth a temporary file.
static enum pmon_status
look_at_plain(const uint8_t *head, size_t len, struct pmon_err *err)
{
	len = len < PMON_PROBE_BYTES ? len : PMON_PROBE_BYTES;
	return pmon_format_find(head, len) != NULL ? PMON_OK : name_file(head, len, err);
}

// What comes through a pipe or from a device: a log, maybe compressed.
static enum pmon_status
look_at_input(const uint8_t *head, size_t len, struct pmon_err *err)
{
	return pmon_unpack_is_packed(head, len) ? PMON_OK : look_at_plain(head, len, err);
}

enum pmon_status
pmon_format_open(const struct pmon_format *format, const struct pmon_log_files *files,
		 const struct pmon_log_options *options, struct pmon_source **source,
		 struct pmon_err *err)
{
	const struct pmon_allocator *allocator = pmon_mem_allocator(options->allocator);
	struct pmon_source *log = pmon_mem_alloc0(allocator, format->source_bytes);
	enum pmon_status status;

	*source = NULL;
	if (log == NULL) {
		pmon_file_close(files->file);
		return pmon_err_nomem(err);
	}
	log->ops = format->ops;
	pmon_schema_init(&log->schema, allocator);
	log->info = (struct pmon_source_info){
		.format = format->name,
		.writer = "",
		.converter = "",
		.machine = "",
		.zone = "",
		.log_start = PMON_TIME_NONE,
		.log_end = PMON_TIME_NONE,
	};
	status = format->open(log, files, options, err);
	if (status == PMON_OK)
		*source = log;
	else
		pmon_source_close(log);
	return status;
}

// Takes the file over in any case.
static enum pmon_status
open_plain(struct pmon_file *file, const struct pmon_log_options *options,
	   struct pmon_source **source, struct pmon_err *err)
{
	const struct pmon_format *format = NULL;
	uint8_t head[PMON_PROBE_BYTES];
	size_t len;
	enum pmon_status status = pmon_file_read(file, 0, head, sizeof(head), &len, err);

	if (status == PMON_OK)
		format = pmon_format_find(head, len);
	if (format != NULL)
		return pmon_format_open(format, &(struct pmon_log_files){.file = file}, options,
					source, err);
	pmon_file_close(file);
	return status == PMON_OK ? name_file(head, len, err) : status;
}

// The compressed input ended early, at a byte of it: what came out of it was opened.
static void
tell_cut(struct pmon_source *source, const struct pmon_log_options *options, uint64_t cut_at)
{
	struct pmon_notice notice = {
		.is_loss = true,
		.offset = cut_at,
		.text = "the compressed data is damaged or cut off here; what stands before it is "
			"read",
	};

	source->info.losses++;
	if (options->notice != NULL)
		options->notice(options->notice_ctx, &notice);
}

static const struct pmon_log_options defaults;

// Give the series of a source the names that the caller wants.
static enum pmon_status
set_names(struct pmon_source **source, const struct pmon_log_options *options, struct pmon_err *err)
{
	struct pmon_source *inner = *source;
	enum pmon_status status = PMON_OK;

	while (inner->inner != NULL)
		inner = inner->inner;
	if (options->names != NULL)
		status = pmon_names_open(options->names, inner->schema.allocator,
					 &inner->schema.names, err);
	if (status == PMON_OK &&
	    ((inner->schema.names != NULL && !pmon_schema_use_names(&inner->schema)) ||
	     (options->english && !pmon_schema_use_english(&inner->schema))))
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		return PMON_OK;
	pmon_source_close(*source);
	*source = NULL;
	return status;
}

static enum pmon_status
open_packed(struct pmon_file *file, const struct pmon_log_options *options,
	    struct pmon_source **source, struct pmon_err *err)
{
	enum pmon_status status;
	uint64_t cut_at;

	if (options->stream && pmon_streamed_open(file, options, source, NULL) == PMON_OK)
		return PMON_OK;
	status = pmon_file_unpack(&file, options->limits.unpacked_bytes, look_at_plain,
				  options->allocator, &cut_at, err);
	if (status != PMON_OK) {
		pmon_file_close(file);
		return status;
	}
	status = open_plain(file, options, source, err);
	if (status == PMON_OK && cut_at != 0)
		tell_cut(*source, options, cut_at);
	return status;
}

enum pmon_status
pmon_log_open_file(struct pmon_file *file, const struct pmon_log_options *options,
		   struct pmon_source **source, struct pmon_err *err)
{
	struct pmon_log_options sized = options != NULL ? *options : defaults;
	enum pmon_status status;

	*source = NULL;
	sized.limits = pmon_limits_of_size(&sized.limits, pmon_file_size(file));
	status = open_packed(file, &sized, source, err);
	return status == PMON_OK ? set_names(source, &sized, err) : status;
}

// ---- Logs of many files ----------------------------------------------------------------------

// The format of a file that may be one of many; *out is NULL when it is of none. With unpack,
// compressed files are looked into. A file that cannot be read is left to those who open it, so only
// memory can fail here.
static enum pmon_status
find_set(const char *path, bool unpack, const struct pmon_allocator *allocator,
	 const struct pmon_format **out, struct pmon_err *err)
{
	uint8_t head[PMON_PROBE_BYTES];
	struct pmon_file *file;
	uint64_t cut_at;
	enum pmon_status status;
	size_t len;

	*out = NULL;
	status = pmon_file_open(path, allocator, &file, err);
	if (status != PMON_OK)
		return status == PMON_E_NOMEM ? status : PMON_OK;
	if (unpack)
		status = pmon_file_unpack(&file, MAX_UNPACKED, look_at_plain, allocator, &cut_at,
					  err);
	if (status == PMON_OK)
		status = pmon_file_read(file, 0, head, sizeof(head), &len, err);
	if (status == PMON_OK)
		*out = pmon_format_find(head, len);
	if (*out != NULL && !(*out)->takes_many)
		*out = NULL;
	pmon_file_close(file);
	return status == PMON_E_NOMEM ? status : PMON_OK;
}

// Open a directory as one log. If it is not one, *source stays NULL, which is not an error.
static enum pmon_status
open_directory(const char *path, const struct pmon_log_options *options,
	       struct pmon_source **source, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = options->allocator;
	const struct pmon_format *set = NULL;
	const char *const *paths;
	struct pmon_dir *dir;
	enum pmon_status status;
	size_t n;

	status = pmon_dir_list(path, allocator, MAX_FILES, &dir, err);
	if (status != PMON_OK)
		return status;
	paths = pmon_dir_paths(dir, &n);
	for (size_t i = 0; status == PMON_OK && set == NULL && i < n; i++)
		status = find_set(paths[i], true, allocator, &set, err);
	if (set != NULL)
		status = pmon_format_open(set, &(struct pmon_log_files){.paths = paths, .n = n},
					  options, source, err);
	pmon_dir_free(dir);
	return status;
}

// ---- Logs by name ----------------------------------------------------------------------------

static enum pmon_status
open_path(const char *path, const struct pmon_log_options *options, struct pmon_source **source,
	  struct pmon_err *err)
{
	const struct pmon_format *set = NULL;
	struct pmon_file *file;
	enum pmon_status status;

	*source = NULL;
	if (pmon_is_directory(path)) {
		status = open_directory(path, options, source, err);
		if (status != PMON_OK || *source != NULL)
			return status;
	} else if (pmon_is_regular(path)) {
		status = find_set(path, false, options->allocator, &set, err);
		if (status == PMON_OK && set != NULL)
			status = pmon_format_open(set,
						  &(struct pmon_log_files){.paths = &path, .n = 1},
						  options, source, err);
		if (status != PMON_OK || set != NULL)
			return status;
	}
	status = pmon_file_open_if(path, look_at_input, options->allocator, &file, err);
	if (status != PMON_OK)
		return status;
	return pmon_log_open_file(file, options, source, err);
}

enum pmon_status
pmon_log_open(const char *path, const struct pmon_log_options *options, struct pmon_source **source,
	      struct pmon_err *err)
{
	enum pmon_status status;

	if (options == NULL)
		options = &defaults;
	status = open_path(path, options, source, err);
	return status == PMON_OK ? set_names(source, options, err) : status;
}
