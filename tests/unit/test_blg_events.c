// test_blg_events.c - binary logs with unusual events, buffers and headers, with reads failing
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include "blg_log.h"
#include "faulty.h"
#include "folder.h"
#include "format/format.h"
#include "memsource.h"
#include "write_fault.h"

static const struct blg_build_options roomy = {.end = T0 + HOUR, .buffer_bytes = 0x8000};

#define VALUE                                                                                      \
	"2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"                                        \
	"\\\\SRV\\Memory\\Available Bytes = 5 0\n"

// ---- Events ---------------------------------------------------------------------------------

// The beginnings of what a sample and its values begin with ('B' 'L' 3 and a number up to 5), but no more.
static const uint8_t near_values[] = {'B', 'x', 3, 1, 'B', 'L', 4, 1, 'B', 'L', 3, 6, 0, 0, 0, 0};

static void
expect_bytes(const uint8_t *file, size_t len, const char *want, const char *label)
{
	struct dump dump;

	dump_bytes(&dump, file, len);
	T_EQ_STR_AT(dump.text, want, label);
	dump_free(&dump);
}

// Find the foreign event that blg_build_foreign() made after the first buffer.
static uint8_t *
find_foreign(uint8_t *file, size_t len)
{
	static const uint8_t class[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

	for (size_t at = 0x8000; at + 48 < len; at += 8)
		if (memcmp(file + at + 0x18, class, sizeof(class)) == 0)
			return file + at;
	fail_msg("there is no such event");
	return NULL;
}

static uint8_t *
with_foreign(size_t *len)
{
	struct blg_build *b = memory_log(&roomy);

	blg_build_foreign(b, 64);
	memory_sample(b, T0, 5);
	return blg_build_finish(b, len);
}

// Foreign events are skipped, whatever they hold; WPP messages have another mark (docs/reference/formats/blg.md).
static void
events_of_others(void **state)
{
	size_t len;
	uint8_t *file = with_foreign(&len);
	uint8_t *event = find_foreign(file, len);

	(void)state;
	expect_bytes(file, len, VALUE, "plain");
	memcpy(event + 48, near_values, sizeof(near_values));
	expect_bytes(file, len, VALUE, "near values");
	event[3] = 0x90;
	expect_bytes(file, len, VALUE, "WPP");
	memcpy(event + 48, "BL\3\1", 4);
	expect_bytes(file, len, "LOSS 112 bytes in a buffer are not an event\n" VALUE, "values");
	free(file);
}

// The damaged length of an event includes the next event: that one is read, and the damage is
// reported.
static void
an_event_with_another_in_it(void **state)
{
	size_t len;
	uint8_t *file = with_foreign(&len);
	uint8_t *event = find_foreign(file, len);

	(void)state;
	event[0] = 112 + 72;
	expect_bytes(file, len, "LOSS 112 bytes in a buffer are not an event\n" VALUE, "length");
	free(file);
}

static void
records_of_unknown_kinds(void **state)
{
	struct blg_build *b = memory_log(&roomy);
	struct blg_opened log;

	(void)state;
	blg_build_record(b, 0x31, T0, near_values, sizeof(near_values));
	memory_sample(b, T0, 5);
	log = blg_log_open(b, NULL);
	blg_log_read(&log);
	T_EQ_STR(log.dump.text, VALUE);
	T_EQ_U64(pmon_source_info(log.source)->records_unknown, 1);
	T_EQ_U64(pmon_source_info(log.source)->losses, 0);
	blg_log_close(&log);
}

// After the list of counters continues, an instance whose name had an index keeps its series, and
// gets one for the new counter.
static void
more_counters_of_namesakes(void **state)
{
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "A", 0},
		{1, RAWCOUNT, 0, 0, "\\\\S", "P", "*", NULL, "B", 0},
	};
	static const char *const names[2][2] = {{"a#1", "a"}, {"a", "a"}};
	struct blg_build *b = blg_build_new(&roomy);

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		int64_t time = T0 + (int64_t)k * SECOND;

		blg_build_catalogue(b, time, entries, k + 1);
		blg_build_sample_begin(b);
		for (size_t i = 0; i <= k; i++) {
			blg_build_multi_begin(b, 0, time);
			for (size_t n = 0; n < 2; n++)
				blg_build_item(b, names[k][n], 1, (int64_t)(10 * k + 10 * i + n),
					       0);
			blg_build_multi_end(b);
		}
		blg_build_sample_end(b, time);
	}
	blg_expect(b, "2020-01-01T00:00:00Z stream 0 sample 0 offset 0\n"
		      "\\\\S\\P(a#1)\\A = 0 0\n"
		      "\\\\S\\P(a)\\A = 1 0\n"
		      "2020-01-01T00:00:01Z stream 0 sample 1 offset 0\n"
		      "\\\\S\\P(a)\\A = 10 0\n"
		      "\\\\S\\P(a#1)\\A = 11 0\n"
		      "\\\\S\\P(a)\\B = 20 0\n"
		      "\\\\S\\P(a#1)\\B = 21 0\n");
}

// ---- The header -----------------------------------------------------------------------------

// The header has the size of the buffers twice. One may be wrong; both may not.
static void
sizes_of_buffers(void **state)
{
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;
	size_t len;
	uint8_t *bytes = with_foreign(&len);

	(void)state;
	bytes[0x68] = 8; // 0x8008
	expect_bytes(bytes, len, VALUE, "one");
	faulty_reads("size of the buffers", bytes, len);
	bytes[0] = 1;
	bytes[0x68] = 1;
	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	assert_int_equal(pmon_log_open_file(file, NULL, &source, &err), PMON_E_FORMAT);
	free(bytes);
}

static uint8_t *
find(uint8_t *bytes, size_t len, const char *text)
{
	for (size_t i = 0; i + strlen(text) <= len; i++)
		if (memcmp(bytes + i, text, strlen(text)) == 0)
			return bytes + i;
	fail_msg("\"%s\" is not there", text);
	return NULL;
}

#define LONG_TEXT                                                                                  \
	"a writer whose name is about as long as the reader of logs has room for, so that what "   \
	"stands behind it is too much, once nothing is between the two; that takes a number of "   \
	"words without any sense, two hundred and twenty characters of them"

// pmon's description of itself in the header (origin.c, docs/reference/formats/blg-writing.md) is ignored if damaged.
static void
damaged_origins(void **state)
{
	static const struct {
		const char *at; // the byte at this text, plus this offset
		ptrdiff_t behind;
		char byte;
		const char *writer, *converter;
	} rows[] = {
		{"writer=", 0, 'w', LONG_TEXT, "pmon " PMON_VERSION_TEXT},
		{"writer=", 7, '\xFF', "", "pmon " PMON_VERSION_TEXT},
		{"converter=", -1, 'x', "", ""}, // no NUL between the two
		{"converter=pmon " PMON_VERSION_TEXT,
		 sizeof("converter=pmon " PMON_VERSION_TEXT) - 1, 'x', LONG_TEXT,
		 ""}, // and none at the end
		{"writer=", -7, 0x40, "Windows 10 build 14393 x64",
		 ""}, // a length that is beyond the event
	};
	struct mem_source *m = mem_source_new();
	const char *path = in_folder("origin.blg");
	uint8_t *bytes;
	size_t len;

	(void)state;
	m->base.info.writer = LONG_TEXT;
	(void)mem_source_series(m, "\\\\S\\O\\C", RAWCOUNT, 0);
	write_over(mem_source_open(m), path, "blg");
	bytes = (uint8_t *)t_read_file(path, &len);
	assert_non_null(bytes);
	assert_int_equal(unlink(path), 0);
	for (size_t i = 0; i < T_LEN(rows); i++) {
		uint8_t *at = find(bytes, len, rows[i].at) + rows[i].behind;
		uint8_t before = *at;
		struct pmon_source *source;

		*at = (uint8_t)rows[i].byte;
		source = open_bytes(bytes, len, NULL);
		T_EQ_STR_AT(pmon_source_info(source)->writer, rows[i].writer, rows[i].at);
		T_EQ_STR_AT(pmon_source_info(source)->converter, rows[i].converter, rows[i].at);
		pmon_source_close(source);
		*at = before;
	}
	free(bytes);
}

// ---- Reading that fails ---------------------------------------------------------------------

// Buffers out of order, of which some have one number: two of them the same bytes, too.
static void
repeated_buffers(void **state)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	static const size_t order[] = {3, 3, 1, 4, 2};
	struct blg_build *b = memory_log(&options);
	struct dump dump;
	uint8_t *file;
	size_t len;

	(void)state;
	for (int k = 0; k < 8; k++)
		memory_sample(b, T0 + k * SECOND, k);
	file = blg_build_finish(b, &len);
	assert_int_equal(len, 0x200 * (T_LEN(order) + 0));
	file = realloc(file, len + 0x200);
	assert_non_null(file);
	blg_build_reorder(file, len + 0x200, order, T_LEN(order));
	dump_bytes(&dump, file, len + 0x200);
	assert_non_null(strstr(dump.text, "a buffer that duplicates the one at byte 512"));
	T_EQ_U64(dump.n_samples, 8);
	dump_free(&dump);
	faulty_allocations("repeated buffers", file, len + 0x200);
	faulty_reads("repeated buffers", file, len + 0x200);
	free(file);
}

// A file that is empty from some read on, and one whose length is not known in advance.
struct vanishing {
	const uint8_t *bytes;
	size_t len;
	size_t calls;
	size_t gone_at; // the read, from 1, that finds nothing any more; 0: none does
};

static enum pmon_status
vanishing_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	       struct pmon_err *err)
{
	struct vanishing *v = ctx;
	size_t left = offset < v->len ? v->len - (size_t)offset : 0;

	(void)err;
	v->calls++;
	if (v->gone_at != 0 && v->calls >= v->gone_at)
		left = 0;
	*got_out = len < left ? len : left;
	memcpy(buf, v->bytes + (*got_out > 0 ? offset : 0), *got_out);
	return PMON_OK;
}

static const struct pmon_file_ops vanishing_ops = {vanishing_read, NULL};

static enum pmon_status
read_vanishing(struct vanishing *v, uint64_t size, struct dump *seen, uint64_t *losses)
{
	struct pmon_log_options options = {.size = sizeof(options)};
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	enum pmon_status status;

	*seen = (struct dump){0};
	*losses = 0;
	assert_int_equal(pmon_file_custom(&vanishing_ops, v, size, NULL, &file, NULL), PMON_OK);
	status = pmon_log_open_file(file, &options, &source, NULL);
	if (status == PMON_OK) {
		status = dump_read(seen, source, NULL);
		*losses = pmon_source_info(source)->losses;
	}
	pmon_source_close(source);
	return status;
}

// When a file is truncated during a read, the rest is read, and the missing part is reported.
static void
files_truncated_during_a_read(void **state)
{
	struct blg_build_options options = {.buffer_bytes = 0x200, .end = T0};
	struct blg_build *b = memory_log(&options);
	struct vanishing v = {0};
	struct dump whole;
	uint64_t losses;
	uint8_t *file;

	(void)state;
	for (int k = 0; k < 8; k++)
		memory_sample(b, T0 + k * SECOND, k);
	file = blg_build_finish(b, &v.len);
	file[1] = 0x04; // so that the second buffer is looked at for its size
	v.bytes = file;
	assert_int_equal(read_vanishing(&v, v.len, &whole, &losses), PMON_END);
	T_EQ_U64(whole.n_samples, 8);
	for (size_t n = v.calls; n > 0; n--) {
		struct dump seen;
		enum pmon_status status;

		v.calls = 0;
		v.gone_at = n;
		status = read_vanishing(&v, v.len, &seen, &losses);
		if (status != PMON_END) {
			T_EQ_I64(status, PMON_E_FORMAT);
		} else {
			assert_memory_equal(seen.text, whole.text, seen.n);
			assert_true(seen.n_samples == 8 || losses > 0);
		}
		dump_free(&seen);
	}
	dump_free(&whole);
	free(file);
}

// In a stream, the end is unknown until it arrives. It is the end of the log if that was not closed, or goes in
// a circle, or has all buffers that its header counts; else it has to be read as a file.
static void
ends_of_streams(void **state)
{
	static const struct {
		int64_t end;
		uint32_t log_mode;
		size_t missing; // buffers
		enum pmon_status want;
	} rows[] = {
		{T0, 1, 0, PMON_END},
		{T0, 1, 1, PMON_E_STATE},
		{T0, 2, 1, PMON_END},
		{0, 1, 1, PMON_END},
	};

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		struct blg_build_options options = {
			.buffer_bytes = 0x200, .end = rows[i].end, .log_mode = rows[i].log_mode};
		struct blg_build *b = memory_log(&options);
		struct vanishing v = {0};
		struct dump seen;
		uint64_t losses;
		uint8_t *file;

		for (int k = 0; k < 800; k++) // more than is looked at to find the format
			memory_sample(b, T0 + k * SECOND, k);
		file = blg_build_finish(b, &v.len);
		v.bytes = file;
		v.len -= 0x200 * rows[i].missing;
		T_EQ_I64(read_vanishing(&v, PMON_FILE_ENDLESS, &seen, &losses), rows[i].want);
		dump_free(&seen);
		free(file);
	}
}

// ---- A log of much --------------------------------------------------------------------------

#define N_ENTRIES 240

// Counters of all forms with names of many lengths, so that memory runs out at every possible
// place.
static void
much_of_everything(void **state)
{
	static const char name[] =
		"a name of which a part is taken, longer for some and shorter for others";
	struct blg_build_options options = {.end = T0 + HOUR, .buffer_bytes = 0x10000};
	struct blg_build *b = blg_build_new(&options);
	struct blg_build_entry entries[N_ENTRIES];
	struct blg_build_title titles[N_ENTRIES];
	char texts[N_ENTRIES][3][40];
	size_t len;
	uint8_t *file;

	(void)state;
	for (uint32_t i = 0; i < N_ENTRIES; i++) {
		bool is_single = i % 3 == 0;

		(void)snprintf(texts[i][0], 40, "O%u %.*s", i / 2, (int)(i * 7 % 30), name);
		(void)snprintf(texts[i][1], 40, is_single ? "p/i#%u" : "*", i + 1);
		(void)snprintf(texts[i][2], 40, "C%u %.*s", i, (int)(i * 11 % 30), name);
		entries[i] = (struct blg_build_entry){
			is_single ? 0 : 1, RAWCOUNT,    0,    0,           "\\\\S",
			texts[i][0],       texts[i][1], NULL, texts[i][2], 0};
		titles[i] = (struct blg_build_title){i, texts[i][2]};
	}
	for (int i = 0; i < 8; i++)
		blg_build_names(b, T0 - 20, texts[i][0], titles + 30 * i, 30);
	blg_build_catalogue(b, T0 - 10, entries, N_ENTRIES);
	for (int64_t k = 0; k < 2; k++) {
		blg_build_sample_begin(b);
		for (size_t i = 0; i < N_ENTRIES; i++) {
			if (i % 3 == 0) {
				blg_build_single(b, 0, T0 + k * SECOND, k, 0, 1);
				continue;
			}
			blg_build_multi_begin(b, 0, T0 + k * SECOND);
			blg_build_item(b, texts[i][2], 1, k, 0);
			blg_build_multi_end(b);
		}
		blg_build_sample_end(b, T0 + k * SECOND);
	}
	file = blg_build_finish(b, &len);
	faulty_allocations("much", file, len);
	(void)faulty_parts("much", file, len);
	free(file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_of_others),
		cmocka_unit_test(an_event_with_another_in_it),
		cmocka_unit_test(records_of_unknown_kinds),
		cmocka_unit_test(more_counters_of_namesakes),
		cmocka_unit_test(sizes_of_buffers),
		cmocka_unit_test(damaged_origins),
		cmocka_unit_test(repeated_buffers),
		cmocka_unit_test(files_truncated_during_a_read),
		cmocka_unit_test(ends_of_streams),
		cmocka_unit_test(much_of_everything),
	};

	return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
