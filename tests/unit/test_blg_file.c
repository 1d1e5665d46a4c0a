// test_blg_file.c - a BLG as a file: damage that is reported, the program that wrote it, invalid files
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>

#include "base/wr.h"
#include "blg_log.h"
#include "format/format.h"

// ---- Reported damage ------------------------------------------------------------------------

static void
missing_parts_are_reported(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	memory_sample(b, T0, 1);
	blg_build_part(b, 0x22, T0 + SECOND, 1, 3, "abc", 3);
	blg_build_part(b, 0x22, T0 + SECOND, 3, 3, "abc", 3);
	memory_sample(b, T0 + 2 * SECOND, 2);
	blg_build_part(b, 0x24, T0 + 3 * SECOND, 1, 2, "abc", 3);
	blg_expect(
		b,
		"LOSS sample of 2020-01-01 00:00:01.000: part 2 of 3 is missing\n"
		"LOSS table of counter names of 2020-01-01 00:00:03.000: part 2 of 2 is missing\n"
		"2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		"\\\\SRV\\Memory\\Available Bytes = 1 0\n"
		"2020-01-01T00:00:02Z stream 0 sample 1 offset 0\n"
		"\\\\SRV\\Memory\\Available Bytes = 2 0\n");
}

// In a circular log, the beginning of the oldest record was overwritten, which is not damage. A
// record that begins but does not continue is damage.
static void
the_first_record_of_a_circle_may_lack_its_beginning(void **state)
{
	struct blg_build_options options = {.end = T0, .log_mode = 2};
	struct blg_build *b = memory_log(&options);

	(void)state;
	blg_build_part(b, 0x22, T0, 2, 3, "abc", 3);
	blg_build_part(b, 0x22, T0, 3, 3, "abc", 3);
	memory_sample(b, T0 + SECOND, 1);
	blg_expect(b, "2020-01-01T00:00:01Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n");
	b = memory_log(&options);
	blg_build_part(b, 0x22, T0, 1, 3, "abc", 3);
	blg_build_part(b, 0x22, T0, 3, 3, "abc", 3);
	memory_sample(b, T0 + SECOND, 1);
	blg_expect(b, "LOSS sample of 2020-01-01 00:00:00.000: part 2 of 3 is missing\n"
		      "2020-01-01T00:00:01Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 1 0\n");
}

// A sample of one value, by docs/reference/formats/blg.md, and 8 bytes that are not its own.
#define PLAIN_BYTES 0x38
static const uint8_t plain_sample[PLAIN_BYTES + 8] = {
	'B',
	'L',
	3,
	0,
	0x38,
	0,
	0,
	0, // 0x00 the sample
	'B',
	'L',
	3,
	1,
	0x30,
	0,
	0,
	0,                 // 0x08 its value: status and time are 0
	[0x08 + 0x18] = 5, // first
	[0x08 + 0x28] = 1, // multi
};

// Up to 7 bytes after a sample pad its event; from 8 on there is room for a value. A value without a
// time has that of the sample.
static void
bytes_after_a_sample_are_reported(void **state)
{
#define VALUE                                                                                      \
	"2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n\\\\SRV\\Memory\\Available Bytes = 5 "   \
	"0\n"
	struct blg_build_options options = {.end = T0};

	(void)state;
	for (size_t n = 0; n <= 8; n++) {
		struct blg_build *b = memory_log(&options);

		blg_build_record(b, 0x22, T0, plain_sample, PLAIN_BYTES + n);
		blg_expect(b, n < 8 ? VALUE
				    : "LOSS 8 bytes after a sample do not belong to it\n" VALUE);
	}
#undef VALUE
}

static void
damaged_samples_are_reported(void **state)
{
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = memory_log(&options);

	(void)state;
	blg_build_sample_begin(b);
	blg_build_value(b, 0x0103, "short", 5);
	blg_build_sample_end(b, T0);
	blg_build_sample_begin(b);
	blg_build_sample_end(b, T0);
	blg_build_record(b, 0x22, T0, "BL\3\0\x18\0\0\0BL\3\1\xFF\0\0\0\0\0\0\0\0\0\0\0", 24);
	blg_build_record(b, 0x22, T0, "BL\3\0\xFF\0\0\0", 8);
	memory_sample(b, 5, 1);
	blg_expect(
		b,
		"LOSS sample of 2020-01-01 00:00:00.000: a value is too short\n"
		"LOSS sample of 2020-01-01 00:00:00.000: the number of values differs from the "
		"number of counters\n"
		"LOSS sample of 2020-01-01 00:00:00.000: the lengths of its values do not add up\n"
		"LOSS sample of 2020-01-01 00:00:00.000: its head is damaged\n"
		"LOSS sample: its time is damaged\n");
}

// A record of one instance, without names: 0x38 bytes, so that from 0x08 on no name is past 0x30.
static void
names_outside_their_record_are_reported(void **state)
{
	static const uint32_t places[] = {0x31, 0x38, 0x39, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < T_LEN(places); i++) {
		struct blg_build *b = disk_log();
		uint32_t fields[0x30 / 4] = {
			[0] = 0x2C,      // 0x08 bytes that follow
			[1] = 1,         // 0x0C instances
			[6] = places[i], // 0x20 the item: its name
			[7] = 1,         // 0x24 its multi
		};
		uint8_t bytes[sizeof(fields)];

		for (size_t k = 0; k < T_LEN(fields); k++)
			pmon_put_le32(bytes + 4 * k, fields[k]);
		blg_build_sample_begin(b);
		blg_build_value(b, 0x0203, bytes, sizeof(bytes));
		blg_build_sample_end(b, T0);
		blg_expect(b, "LOSS sample of 2020-01-01 00:00:00.000: the name of an instance is "
			      "outside of its record\n");
	}
}

// The values of a counter with a damaged entry are skipped; all others keep their places.
static void
damaged_entry_of_the_catalogue(void **state)
{
	struct blg_build_entry entries[] = {memory_entry, memory_entry, memory_entry};
	struct blg_build_options options = {.end = T0};
	struct blg_build *b = blg_build_new(&options);

	(void)state;
	entries[1].object = NULL;
	entries[2].counter = "Pages/sec";
	blg_build_catalogue(b, T0 - 10, entries, 3);
	blg_build_sample_begin(b);
	for (int64_t i = 0; i < 3; i++)
		blg_build_single(b, 0, T0, i, 0, 1);
	blg_build_sample_end(b, T0);
	blg_expect(b, "LOSS entry 2 of the list of counters is damaged\n"
		      "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\SRV\\Memory\\Available Bytes = 0 0\n"
		      "\\\\SRV\\Memory\\Pages/sec = 2 0\n");
}

static void
damaged_size_of_the_buffers(void **state)
{
	static const size_t places[] = {0x00, 0x68};

	(void)state;
	for (size_t i = 0; i < T_LEN(places); i++) {
		struct blg_build_options options = {.end = T0};
		struct blg_build *b = memory_log(&options);
		struct dump dump;
		size_t len;
		uint8_t *file;

		memory_sample(b, T0, 1);
		file = blg_build_finish(b, &len);
		file[places[i] + 1] = 0x18; // 0x1800 for 0x1000
		dump_bytes(&dump, file, len);
		assert_non_null(strstr(dump.text, "Available Bytes = 1 0"));
		dump_free(&dump);
		free(file);
	}
}

static void
truncated_files_are_reported(void **state)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	static const struct {
		size_t less;
		const char *want;
	} rows[] = {
		{0x1FF + 0x200,
		 "LOSS the file is cut off: 1 of its 5 buffers of 512 bytes is missing\n"
		 "LOSS the file ends inside a buffer: 511 of its 512 bytes are missing\n"},
		{0x200, "LOSS the file is cut off: 1 of its 5 buffers of 512 bytes is missing\n"},
		{0x150, "LOSS the file ends inside a buffer: 336 of its 512 bytes are missing\n"
			"LOSS 104 bytes in a buffer are not an event\n"},
		{8, "note the file ends inside the unused part of a buffer\n"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build *b = memory_log(&options);
		struct dump dump;
		size_t len;
		uint8_t *file;

		for (int k = 0; k < 8; k++)
			memory_sample(b, T0 + k * SECOND, k);
		file = blg_build_finish(b, &len);
		dump_bytes(&dump, file, len - rows[i].less);
		dump.text[dump.n_notices] = '\0';
		T_EQ_STR(dump.text, rows[i].want);
		dump_free(&dump);
		free(file);
	}
}

// ---- The file as a whole --------------------------------------------------------------------

static void
info_of_the_log(void **state)
{
	struct blg_build_options options = blg_berlin;
	struct blg_build *b;
	const struct pmon_source_info *info;
	struct blg_opened log;

	(void)state;
	options.start = T0 + (366 + 181) * 24 * HOUR; // 2021-07-01
	options.end = options.start + HOUR;
	b = memory_log(&options);
	log = blg_log_open(b, NULL);
	info = pmon_source_info(log.source);
	T_EQ_STR(info->format, "BLG");
	T_EQ_STR(info->writer, "Windows 10 build 14393 x64");
	T_EQ_STR(info->machine, "SRV");
	T_EQ_STR(info->zone, "W. Europe Standard Time");
	T_EQ_I64(info->utc_offset_min, 120);
	T_EQ_I64(info->log_start, options.start);
	T_EQ_I64(info->log_end, options.end);
	T_EQ_U64(info->size_bytes, log.len);
	T_EQ_U64(info->bytes_read, 0);
	blg_log_read(&log);
	T_EQ_U64(info->bytes_read, log.len);
	T_EQ_U64(info->host->cpu_mhz, 2400);
	T_EQ_I64(info->host->boot, PMON_TIME_NONE);
	T_EQ_I64(info->host->perf_freq, 10000000);
	T_EQ_I64((int8_t)info->host->zone_info[0], -60);
	blg_log_close(&log);
}

static void
writers_by_name(void **state)
{
	static const struct {
		uint8_t major, minor;
		uint32_t build;
		bool is_32bit;
		const char *want;
	} rows[] = {
		{5, 1, 2600, true, "Windows XP build 2600 x86"},
		{5, 2, 3790, true, "Windows Server 2003 build 3790 x86"},
		{6, 0, 6000, true, "Windows Vista build 6000 x86"},
		{6, 0, 6001, false, "Windows Vista or Server 2008 build 6001 x64"},
		{6, 1, 7601, false, "Windows 7 build 7601 x64"},
		{6, 2, 9200, false, "Windows 8 build 9200 x64"},
		{6, 3, 9600, false, "Windows 8.1 build 9600 x64"},
		{10, 0, 14393, false, "Windows 10 build 14393 x64"},
		{10, 0, 26200, false, "Windows 11 build 26200 x64"},
		{12, 3, 4, false, "Windows 12.3 build 4 x64"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build_options options = {.os_major = rows[i].major,
						    .os_minor = rows[i].minor,
						    .os_build = rows[i].build,
						    .is_32bit = rows[i].is_32bit};
		struct blg_opened log = blg_log_open(memory_log(&options), NULL);

		T_EQ_STR(pmon_source_info(log.source)->writer, rows[i].want);
		blg_log_close(&log);
	}
}

// A time zone given by a resource of tzres.dll gets its name, if it is known (zone_names.c).
static void
zones_by_name(void **state)
{
	static const struct {
		const char *name, *want;
	} rows[] = {
		{"@tzres.dll,-212", "Pacific Standard Time"},
		{"@tzres.dll,-1", "@tzres.dll,-1"},
		{"@tzres.dll,-x", "@tzres.dll,-x"},
		{"Pacific Standard Time", "Pacific Standard Time"},
		{"a name that has 32 characters, so", "a name that has 32 characters, s"},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		char name[33] = "";
		struct blg_build_options options = {.end = T0, .zone_name = name};
		struct blg_opened log;

		(void)snprintf(name, sizeof(name), "%s", rows[i].name);
		log = blg_log_open(memory_log(&options), NULL);
		T_EQ_STR(pmon_source_info(log.source)->zone, rows[i].want);
		blg_log_close(&log);
	}
}

static enum pmon_status
try_open(const void *bytes, size_t len, const struct pmon_log_options *options,
	 struct pmon_err *err)
{
	struct pmon_file *file;
	struct pmon_source *source;
	enum pmon_status status;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, err), PMON_OK);
	status = pmon_log_open_file(file, options, &source, err);
	if (status == PMON_OK)
		pmon_source_close(source);
	else
		assert_null(source);
	return status;
}

static void
files_that_are_not_logs(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		enum pmon_status status;
		const char *word; // somewhere in the message
	} rows[] = {
#define ROW(bytes, status, word) {bytes, sizeof(bytes) - 1, status, word}
		ROW("", PMON_E_FORMAT, "empty"),
		ROW("Dear diary", PMON_E_FORMAT, "a text file"),
		ROW("This is BibTeX, Version 0.99d", PMON_E_FORMAT, "BibTeX"),
		ROW("[0] Config.pm:311> INFO - This is Biber 2.18", PMON_E_FORMAT, "Biber"),
		ROW("This is pdfTeX, Version 3.14", PMON_E_FORMAT, "TeX"),
		ROW("PK\x03\x04", PMON_E_UNSUPPORTED, "unpack it first"),
		ROW("\xFD"
		    "7zXZ\0",
		    PMON_E_UNSUPPORTED, "unpack it first"),
		ROW("BZh91AY", PMON_E_UNSUPPORTED, "unpack it first"),
		ROW("7z\xBC\xAF\x27\x1C\0\4", PMON_E_UNSUPPORTED, "unpack it first"),
		ROW("MSCF\0\0\0\0", PMON_E_UNSUPPORTED, "unpack it first"),
		ROW("Rar!\x1A\x07\1", PMON_E_UNSUPPORTED, "RAR"),
		ROW("\x04\x22\x4D\x18", PMON_E_UNSUPPORTED, "LZ4"),
		ROW("ElfFile\0", PMON_E_UNSUPPORTED, "Event Viewer"),
		ROW("\x30\0\0\0LfLe", PMON_E_UNSUPPORTED, "Event Viewer"),
		ROW("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", PMON_E_UNSUPPORTED, "XLS"),
		ROW("PAR1\x15\x04", PMON_E_UNSUPPORTED, "Parquet"),
		ROW("ARROW1\0\0", PMON_E_UNSUPPORTED, "Arrow"),
		ROW("\x96\xD5\x71\x21", PMON_E_UNSUPPORTED, "sadf"),
		ROW("\xD5\x96\x21\x71", PMON_E_UNSUPPORTED, "sadf"),
		ROW("regf\1", PMON_E_FORMAT, "registry"),
		ROW("%PDF-1.7", PMON_E_FORMAT, "PDF"),
		ROW("# hostname;interval;timestamp;CPU;%user[...];tps\n", PMON_E_UNSUPPORTED, "-h"),
		ROW("\xFF\xFE#\0 \0h\0o\0s\0t\0n\0a\0m\0e\0;\0i\0n\0t\0e\0r\0v\0a\0l\0;\0"
		    "t\0i\0m\0e\0s\0t\0a\0m\0p\0;\0a\0\n\0",
		    PMON_E_UNSUPPORTED, "iconv"),
		ROW("AAA,OS,Linux,6.1\nAAA,boottime,\n", PMON_E_FORMAT, "sorted"),
		ROW("[\n{\"sysstat\": {\"hosts\": []}}]\n", PMON_E_FORMAT, "sysstat"),
		ROW("02/25/2026 10:00:00.000 +0100\ncollection=CPU\nobject=Processor\n",
		    PMON_E_FORMAT, "Splunk"),
		ROW("\xFF\xFE<\0O\0b\0j\0s\0 \0V\0e\0r\0s\0i\0o\0n\0=\0", PMON_E_FORMAT,
		    "Export-Csv"),
		ROW("<html><body>", PMON_E_FORMAT, "web page"),
		ROW("\x01\x02\x03\x04", PMON_E_FORMAT, "not a performance log"),
#undef ROW
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct pmon_err err;

		T_EQ_I64_AT(try_open(rows[i].bytes, rows[i].len, NULL, &err), rows[i].status,
			    rows[i].word);
		if (strstr(err.msg, rows[i].word) == NULL)
			fail_msg("\"%s\" does not say \"%s\"", err.msg, rows[i].word);
	}
}

// The beginning of an event trace, by the layout of WMI_BUFFER_HEADER and SYSTEM_TRACE_HEADER: the size of a
// buffer, at 0x4B the flags of the first event.
static void
traces_are_named_by_their_first_buffer(void **state)
{
	static const struct {
		uint32_t buffer;
		uint8_t flags;
		bool is_written; // the buffer's header
		bool is_trace;
	} rows[] = {
		{0x10000, 0, false, true},       {0x1000, 0xC0, true, true},
		{0x100000, 0xC0, true, true},    {0x10000, 0x10, true, false},
		{0x10001, 0xC0, true, false},    {0, 0, false, false},
		{0x10000000, 0xC0, true, false},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		uint8_t file[512] = {0};
		struct pmon_err err;

		for (size_t k = 0; k < 4; k++)
			file[k] = (uint8_t)(rows[i].buffer >> (8 * k));
		file[8] = rows[i].is_written;
		file[0x4B] = rows[i].flags;
		T_EQ_I64_AT(try_open(file, sizeof(file), NULL, &err),
			    rows[i].is_trace ? PMON_E_UNSUPPORTED : PMON_E_FORMAT, "trace");
		T_EQ_I64_AT(strstr(err.msg, "ETL") != NULL, rows[i].is_trace, err.msg);
	}
}

static void
tar_is_named_by_its_header(void **state)
{
	uint8_t file[512] = "web01.blg";
	struct pmon_err err;

	(void)state;
	memcpy(file + 257, "ustar", 5);
	assert_int_equal(try_open(file, sizeof(file), NULL, &err), PMON_E_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "unpack it first"));
}

static void
expect_no_log(struct blg_build *b, enum pmon_status want, const char *word)
{
	struct pmon_err err;
	size_t len;
	uint8_t *file = blg_build_finish(b, &len);

	T_EQ_I64_AT(try_open(file, len, NULL, &err), want, word);
	assert_non_null(strstr(err.msg, word));
	free(file);
}

static void
event_traces_without_counters(void **state)
{
	struct blg_build *b;

	(void)state;
	expect_no_log(blg_build_new(NULL), PMON_E_FORMAT, "without events");
	b = blg_build_new(NULL);
	blg_build_foreign(b, 20);
	expect_no_log(b, PMON_E_UNSUPPORTED, "event trace");
	b = blg_build_new(NULL);
	memory_sample(b, T0, 1);
	expect_no_log(b, PMON_E_FORMAT, "without a list of counters");
}

static void
more_series_than_allowed_end_the_log(void **state)
{
	static const char *const names[] = {"a", "b", "c"};
	const struct pmon_log_options options = {.size = sizeof(options), .limits = {.series = 2}};
	struct blg_build *b = disk_log();
	struct blg_opened log;
	struct pmon_err err;

	(void)state;
	disk_sample(b, T0, names, 2);
	disk_sample(b, T0 + 1, names, 3);
	log = blg_log_open(b, &options);
	T_EQ_I64(dump_read(&log.dump, log.source, &err), PMON_E_LIMIT);
	T_EQ_STR(log.dump.text, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
				"\\\\S\\P(a)\\C = 0 0\n\\\\S\\P(b)\\C = 1 0\n");
	// There is no going on.
	T_EQ_I64(dump_read(&log.dump, log.source, &err), PMON_E_LIMIT);
	T_EQ_U64(log.dump.n_samples, 1);
	blg_log_close(&log);
}

// The sample with such a name is skipped.
static void
names_longer_than_allowed_are_losses(void **state)
{
	const struct pmon_log_options options = {.size = sizeof(options),
						 .limits = {.string_bytes = 16}};
	struct blg_build *b = disk_log();
	struct blg_opened log;

	(void)state;
	disk_sample(b, T0, (const char *const[]){"a name of many letters"}, 1);
	disk_sample(b, T0 + 1, (const char *const[]){"a"}, 1);
	log = blg_log_open(b, &options);
	blg_log_read(&log);
	T_EQ_STR(log.dump.text, "2020-01-01T00:00:00.0000001Z stream 0 sample 0 offset 0\n"
				"\\\\S\\P(a)\\C = 0 0\n");
	T_EQ_U64(pmon_source_info(log.source)->losses, 1);
	blg_log_close(&log);
}

// A record in parts is read up to the limit, and not a byte more.
static void
records_larger_than_allowed_are_losses(void **state)
{
	static const char *const want[] = {
		NULL,
		"LOSS sample of 2020-01-01 00:00:00.000: larger than the limit of 55 bytes\n",
	};

	(void)state;
	for (size_t less = 0; less < 2; less++) {
		struct dump told = {0};
		struct pmon_log_options options = {
			.size = sizeof(options), .notice = dump_notice, .notice_ctx = &told};
		struct blg_build_options closed = {.end = T0};
		struct blg_build *b = memory_log(&closed);
		struct blg_opened log;

		options.limits.record_bytes = PLAIN_BYTES - less;
		blg_build_part(b, 0x22, T0, 1, 2, plain_sample, 0x20);
		blg_build_part(b, 0x22, T0, 2, 2, plain_sample + 0x20, PLAIN_BYTES - 0x20);
		memory_sample(b, T0 + SECOND, 6); // in one part: it has the memory already
		log = blg_log_open(b, &options);
		blg_log_read(&log);
		T_EQ_STR(told.text, want[less]);
		T_EQ_U64(log.dump.n_samples, 2 - less);
		blg_log_close(&log);
		dump_free(&told);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_parts_are_reported),
		cmocka_unit_test(the_first_record_of_a_circle_may_lack_its_beginning),
		cmocka_unit_test(bytes_after_a_sample_are_reported),
		cmocka_unit_test(damaged_samples_are_reported),
		cmocka_unit_test(names_outside_their_record_are_reported),
		cmocka_unit_test(damaged_entry_of_the_catalogue),
		cmocka_unit_test(damaged_size_of_the_buffers),
		cmocka_unit_test(truncated_files_are_reported),
		cmocka_unit_test(info_of_the_log),
		cmocka_unit_test(writers_by_name),
		cmocka_unit_test(zones_by_name),
		cmocka_unit_test(files_that_are_not_logs),
		cmocka_unit_test(traces_are_named_by_their_first_buffer),
		cmocka_unit_test(tar_is_named_by_its_header),
		cmocka_unit_test(event_traces_without_counters),
		cmocka_unit_test(more_series_than_allowed_end_the_log),
		cmocka_unit_test(names_longer_than_allowed_are_losses),
		cmocka_unit_test(records_larger_than_allowed_are_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
