// registry.c - find the format of a log by its content, and name other kinds of files
// SPDX-License-Identifier: MIT

#include <string.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/options.h"
#include "format/format.h"
#include "os/unpack.h"
#include "query/names.h"
#include "query/paced.h"
#include "os/dir.h"

#define MAX_FILES    1000000               // in a directory
#define MAX_UNPACKED ((uint64_t)256 << 20) // of one of them, to detect its format

#ifdef PMON_WITH_SQLITE
#define SQLITE(FORMAT) FORMAT(sqlite)
#else
#define SQLITE(FORMAT)
#endif

// A format is a folder that defines `const struct pmon_format pmon_format_NAME`, and a line here. The
// folder openmetrics defines two.
#define FORMATS(FORMAT)                                                                            \
	FORMAT(blg)                                                                                \
	FORMAT(nmon)                                                                               \
	FORMAT(sadf)                                                                               \
	FORMAT(rows)                                                                               \
	FORMAT(pdhtext)                                                                            \
	SQLITE(FORMAT)                                                                             \
	FORMAT(jsonl)                                                                              \
	FORMAT(perfblock)                                                                          \
	FORMAT(winperf)                                                                            \
	FORMAT(openmetrics)                                                                        \
	FORMAT(influx)                                                                             \
	FORMAT(sqlserver)                                                                          \
	FORMAT(parquet)                                                                            \
	FORMAT(arrow)

#define DECLARE(name) extern const struct pmon_format pmon_format_##name;
FORMATS(DECLARE)

#define POINT_TO(name) &pmon_format_##name,
static const struct pmon_format *const formats[] = {FORMATS(POINT_TO) NULL};

// ---- Files that are not logs ----------------------------------------------------------------

// A kind of file that people mistake for a log, by the bytes at its beginning.
struct stranger {
	const char *magic;
	size_t len;
	size_t offset; // of the magic
	enum pmon_status status;
	const char *text; // what it is and what to do
};

#define MAGIC(bytes)            bytes, sizeof(bytes) - 1, 0
#define MAGIC_AT(offset, bytes) bytes, sizeof(bytes) - 1, offset

static const struct stranger strangers[] = {
	{MAGIC("\xFD"
	       "7zXZ\0"),
	 PMON_E_UNSUPPORTED, "compressed with xz: unpack it first (unxz)"},
	{MAGIC("BZh"), PMON_E_UNSUPPORTED, "compressed with bzip2: unpack it first (bunzip2)"},
	{MAGIC("\x04\x22\x4D\x18"), PMON_E_UNSUPPORTED,
	 "compressed with LZ4: unpack it first (unlz4)"},
	{MAGIC("PK\x03\x04"), PMON_E_UNSUPPORTED, "a zip archive: unpack it first (unzip)"},
	{MAGIC("7z\xBC\xAF\x27\x1C"), PMON_E_UNSUPPORTED, "a 7z archive: unpack it first (7z x)"},
	{MAGIC("MSCF"), PMON_E_UNSUPPORTED, "a cabinet archive: unpack it first (cabextract)"},
	{MAGIC("Rar!\x1A\x07"), PMON_E_UNSUPPORTED, "a RAR archive: unpack it first (unrar x)"},
	{MAGIC_AT(257, "ustar"), PMON_E_UNSUPPORTED, "a tar archive: unpack it first (tar xf)"},
#ifndef PMON_WITH_SQLITE
	{MAGIC("SQLite format 3\0"), PMON_E_UNSUPPORTED,
	 "an SQLite database; this pmon was built without SQLite (Debian package libsqlite3-dev)"},
#endif
#ifndef PMON_WITH_JSON
	{MAGIC("{"), PMON_E_UNSUPPORTED,
	 "JSON lines; this pmon was built without jansson (Debian package libjansson-dev)"},
#endif
	{MAGIC("ElfFile\0"), PMON_E_UNSUPPORTED,
	 "a Windows event log (EVTX): it contains events, not performance counters; open it in "
	 "Event Viewer"},
	{MAGIC("\x30\0\0\0LfLe"), PMON_E_UNSUPPORTED,
	 "a Windows event log (EVT): it contains events, not performance counters; open it in "
	 "Event Viewer"},
	{MAGIC("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), PMON_E_UNSUPPORTED,
	 "an old Office document, such as an Excel workbook (XLS): save it as CSV first"},
	{MAGIC("PAR1"), PMON_E_UNSUPPORTED,
	 "a Parquet file, which pmon writes and does not read: convert it to CSV first (such as "
	 "with duckdb)"},
	{MAGIC("ARROW1"), PMON_E_UNSUPPORTED,
	 "an Arrow file, which pmon writes and does not read: convert it to CSV first (such as "
	 "with duckdb)"},
	{MAGIC("\x96\xD5"), PMON_E_UNSUPPORTED,
	 "a binary file of sar (sysstat), whose layout depends on its version: print it with sadf "
	 "-d FILE -- -A >FILE.csv, which pmon reads"},
	{MAGIC("\xD5\x96"), PMON_E_UNSUPPORTED,
	 "a binary file of sar (sysstat), whose layout depends on its version: print it with sadf "
	 "-d FILE -- -A >FILE.csv, which pmon reads"},
	{MAGIC("regf"), PMON_E_FORMAT, "a Windows registry hive, not a performance log"},
	{MAGIC("MDMP"), PMON_E_FORMAT, "a Windows memory dump, not a performance log"},
	{MAGIC("PAGEDU64"), PMON_E_FORMAT, "a Windows memory dump, not a performance log"},
	{MAGIC("%PDF"), PMON_E_FORMAT, "a PDF document, not a performance log"},
	{MAGIC("\x89PNG"), PMON_E_FORMAT, "a picture (PNG), not a performance log"},
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
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
		const struct stranger *s = &strangers[i];

		if (len >= s->offset + s->len && memcmp(head + s->offset, s->magic, s->len) == 0)
			return s;
	}
	return NULL;
}

#define ETL_LEAST_BUFFER 1024U
#define ETL_MOST_BUFFER  (16U << 20)
#define ETL_MARKER       0x4B // offset of SYSTEM_TRACE_HEADER's flags
#define ETL_IS_TRACE     0xC0 // TRACE_HEADER_FLAG | TRACE_HEADER_EVENT_TRACE

// An event trace begins with its buffer size (WMI_BUFFER_HEADER); the first event follows, unless the
// buffer was never written. Traces with counters are logs and were recognised before.
static bool
is_trace(const uint8_t *head, size_t len)
{
	uint32_t size = len > ETL_MARKER ? head[0] | (uint32_t)head[1] << 8 |
						   (uint32_t)head[2] << 16 | (uint32_t)head[3] << 24
					 : 0;
	bool is_empty = true;

	for (size_t i = 4; i <= ETL_MARKER && i < len; i++)
		is_empty = is_empty && head[i] == 0;
	return size >= ETL_LEAST_BUFFER && size <= ETL_MOST_BUFFER &&
	       size % ETL_LEAST_BUFFER == 0 &&
	       (is_empty || (head[ETL_MARKER] & ETL_IS_TRACE) == ETL_IS_TRACE);
}

// ---- Text -----------------------------------------------------------------------------------

#define TEXT_LOOK 512 // characters of a text that are examined

// Convert the beginning of a text in any encoding to one byte per character, with '?' for
// non-ASCII. Returns the length, or 0 if it is not text.
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

// Text files that people mistake for logs, recognized by words near the beginning.
static const struct {
	const char *word;
	const char *text;
} texts[] = {
	// Counter paths in quotes: the columns of a text log, of which the first lost its marker.
	{"\"\\\\",
	 "a text performance log with a damaged beginning: its first line should begin with "
	 "(PDH-CSV 4.0)"},
	{"This is BibTeX", "the log of BibTeX, which also ends in .blg, not a performance log"},
	{"This is Biber", "the log of Biber, which also ends in .blg, not a performance log"},
	{"This is pdfTeX", "the log of TeX, not a performance log"},
	{"AAA,OS,Linux,",
	 "a recording of nmon whose lines were sorted: pmon reads the file that nmon wrote"},
	{"\"sysstat\":",
	 "the JSON of sadf -j (sysstat): print the file of sar with sadf -d -- -A instead, which "
	 "pmon reads"},
	{"collection=", "events of Splunk's perfmon input: export them as a table with the columns "
			"_time, host, object, instance, counter, Value"},
	{"\"CounterSamples\"",
	 "the JSON of Get-Counter without its values: use ConvertTo-Json -Depth 5, or Export-Csv"},
	{"\"TargetProcess\"", "the JSON of dotnet-counters without values"},
	{"<Objs Version=", "the XML of PowerShell's Export-Clixml: use Export-Csv instead"},
	{"<html", "a web page, not a performance log"},
	{"<HTML", "a web page, not a performance log"},
	{"procs -----", "the output of vmstat: record Linux with pmon record"},
};

static enum pmon_status
name_text(const char *text, size_t len, struct pmon_err *err)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (contains(text, len, texts[i].word))
			return pmon_err_set(err, PMON_E_FORMAT, 0, "%s", texts[i].text);
	return pmon_err_set(err, PMON_E_FORMAT, 0, "a text file, not a performance log");
}

// Describe a file of an unknown format.
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
	if (is_trace(head, len))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "an event trace (ETL) without performance counters; tracerpt "
				    "or Windows Performance Analyzer reads it");
	text_len = take_text(head, len, text);
	if (text_len > 0)
		return name_text(text, text_len, err);
	return pmon_err_set(err, PMON_E_FORMAT, 0,
			    "not a performance log in a format that pmon supports");
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

// Check decompressed data: it must be a log to be worth a temporary file.
static enum pmon_status
look_at_plain(const uint8_t *head, size_t len, struct pmon_err *err)
{
	len = len < PMON_PROBE_BYTES ? len : PMON_PROBE_BYTES;
	return pmon_format_find(head, len) != NULL ? PMON_OK : name_file(head, len, err);
}

// Check input from a pipe or a device: a log, possibly compressed.
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

// Takes ownership of the file, even on failure.
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

// Report that the compressed input ended early, at this byte; everything before it was opened.
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

static const struct pmon_log_options defaults = {.size = sizeof(defaults)};

// Rename the series of a source as the caller requested.
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
	if (status == PMON_OK)
		status = set_names(source, &sized, err);
	return status == PMON_OK ? pmon_paced_open(*source, sized.allocator, source, err) : status;
}

// ---- Logs of many files ----------------------------------------------------------------------

// Detect the format of a file that may be one of many; *out is NULL if unknown. With unpack, looks
// inside compressed files. Opening reports unreadable files later, so this fails only for lack of
// memory.
static enum pmon_status
find_set(const char *path, bool unpack, const struct pmon_log_options *options,
	 const struct pmon_format **out, struct pmon_err *err)
{
	const struct pmon_allocator *allocator = options->allocator;
	uint8_t head[PMON_PROBE_BYTES];
	struct pmon_file *file;
	uint64_t cut_at;
	enum pmon_status status;
	size_t len;

	*out = NULL;
	status = pmon_file_open_by(options->door, path, NULL, allocator, &file, err);
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
	const struct pmon_format *set = NULL;
	const char *const *paths;
	struct pmon_dir *dir;
	enum pmon_status status;
	size_t n;

	status = pmon_dir_list(path, options->allocator, MAX_FILES, &dir, err);
	if (status != PMON_OK)
		return status;
	paths = pmon_dir_paths(dir, &n);
	for (size_t i = 0; status == PMON_OK && set == NULL && i < n; i++)
		status = find_set(paths[i], true, options, &set, err);
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
		status = find_set(path, false, options, &set, err);
		if (status == PMON_OK && set != NULL)
			status = pmon_format_open(set,
						  &(struct pmon_log_files){.paths = &path, .n = 1},
						  options, source, err);
		if (status != PMON_OK || set != NULL)
			return status;
	}
	status = pmon_file_open_by(options->door, path, look_at_input, options->allocator, &file,
				   err);
	if (status != PMON_OK)
		return status;
	return pmon_log_open_file(file, options, source, err);
}

enum pmon_status
pmon_log_open(const char *path, const struct pmon_log_options *options, struct pmon_source **source,
	      struct pmon_err *err)
{
	struct pmon_log_options own;
	enum pmon_status status = pmon_options_read(&own, sizeof(own), options, err);

	*source = NULL;
	if (status == PMON_OK)
		status = pmon_limits_check(&own.limits, err);
	if (status == PMON_OK)
		status = open_path(path, &own, source, err);
	if (status == PMON_OK)
		status = set_names(source, &own, err);
	return status == PMON_OK ? pmon_paced_open(*source, own.allocator, source, err) : status;
}
