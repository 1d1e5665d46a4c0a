// test_blg_write_bytes.c - a real log, read and written again, byte by byte
// SPDX-License-Identifier: MIT
//
// The same bytes are read back, except for ids and what was left over in the writer's memory. A
// table here lists each such field; a difference anywhere else fails the test. Times of writing and
// facts about the writing machine are identical too, because a copy has those of its source.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/log.h>
#include <pmon/sink.h>

#include "base/rd.h"

#define BUFFER        0x10000
#define EVENT_HEADER  48
#define PART_HEADER   24
#define CATALOGUE     0x20
#define ENTRY_STRINGS 0x34

// Why a field may differ.
enum why {
	ID,
	LEFT_OVER,
};
static const char *const why_text[] = {"id", "left over"};

// A field, relative to the thing that the table is of.
struct field {
	size_t offset;
	size_t len;
	enum why why;
	const char *name;
};

static const struct field header_event[] = {
	{0x04, 4, ID, "bytes used of the first buffer, which has more in it"},
	{0x30, 4, ID, "the same again"},
	{0x4C, 2, ID, "bytes of the header event"},
	{0x50, 8, ID, "header event: thread and process"},
	{0x60, 8, LEFT_OVER, "header event: kernel and user time of the writer"},
	{0x180, 72, ID, "logger name, the log id as text"},
};

static const struct field buffer_header[] = {
	{0x38, 16, LEFT_OVER, "buffer header: pointers"},
};

static const struct field event_header[] = {
	{0x08, 8, ID, "event header: thread and process"},
	{0x30, 16, ID, "part header: log id"},
};

static const struct field catalogue_entry[] = {
	{0x08, 4, LEFT_OVER, "catalogue entry: user data, half a pointer"},
};

// ---- Both files -----------------------------------------------------------------------------

struct both {
	const uint8_t *a; // as Windows wrote it
	const uint8_t *b; // as pmon did
	size_t len;
	bool *is_allowed; // by byte
	size_t n_fields;  // that differ
};

static void
allow(struct both *f, const struct field *fields, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		size_t from = at + fields[i].offset;
		bool differs = memcmp(f->a + from, f->b + from, fields[i].len) != 0;

		for (size_t k = 0; k < fields[i].len; k++)
			f->is_allowed[from + k] = true;
		f->n_fields += differs;
		if (differs)
			print_message("0x%05zX %2zu bytes, %s: %s\n", from, fields[i].len,
				      why_text[fields[i].why], fields[i].name);
	}
}

#define ALLOW(f, fields, at) allow((f), (fields), T_LEN(fields), (at))

// The entries of a catalogue that is in one event.
static void
allow_entries(struct both *f, size_t at, size_t end)
{
	for (at += 8; at + ENTRY_STRINGS <= end; at += pmon_le32(f->a + at))
		ALLOW(f, catalogue_entry, at);
}

static size_t
allow_events(struct both *f, size_t buffer)
{
	size_t end = buffer + pmon_le32(f->a + buffer + 0x30);
	size_t at = buffer + 0x48;
	size_t n = 0;

	ALLOW(f, buffer_header, buffer);
	for (; at + EVENT_HEADER < end; n++) {
		size_t size = pmon_le32(f->a + at) & 0xFFFF;

		ALLOW(f, event_header, at);
		if (f->a[at + 4] == CATALOGUE)
			allow_entries(f, at + EVENT_HEADER + PART_HEADER, at + size);
		at += (size + 7) & ~(size_t)7;
	}
	return n;
}

// The path is the last one that Windows puts in the header event; pmon adds who recorded the log.
static void
allow_path(struct both *f)
{
	for (size_t i = 0x1CA; i < pmon_le32(f->b + 4); i++)
		f->is_allowed[i] = true;
	print_message("0x001CA, id: path of the file\n");
}

static void
find_others(const struct both *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->len; i++)
		if (f->a[i] != f->b[i] && !f->is_allowed[i] && n++ < 20)
			print_error("byte 0x%05zX: %02X, was %02X\n", i, f->b[i], f->a[i]);
	assert_int_equal(n, 0);
}

// ---- The test -------------------------------------------------------------------------------

// A name as long as the path in the log, so that the fields after it keep their positions.
#define NAME "a-file-name-of-34-characters-x.blg"

static void
write_again(struct pmon_source *source)
{
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err;

	if (pmon_log_create(NAME, "blg", &options, &sink, &err) != PMON_OK ||
	    pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	pmon_source_close(source);
}

static void
compare(struct both *f)
{
	size_t n_events = 0;

	f->is_allowed = calloc(f->len, sizeof(*f->is_allowed));
	assert_non_null(f->is_allowed);
	ALLOW(f, header_event, 0);
	allow_path(f);
	for (size_t buffer = BUFFER; buffer < f->len; buffer += BUFFER)
		n_events += allow_events(f, buffer);
	assert_int_equal(n_events, 26); // the catalogue and 25 samples
	print_message("%zu fields differ\n", f->n_fields);
	find_others(f);
	free(f->is_allowed);
}

static void
test_bytes(void **state)
{
	char folder[] = "/tmp/pmon-blg-write-XXXXXX";
	const char *path = t_data_path("blg/pwsh-CounterSamples.blg");
	struct pmon_source *source;
	char *a, *b;
	size_t a_len, b_len;
	struct both f = {0};

	(void)state;
	if (path == NULL)
		skip();
	a = t_read_file(path, &a_len);
	assert_int_equal(pmon_log_open(path, NULL, &source, NULL), PMON_OK);
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	write_again(source);
	b = t_read_file(NAME, &b_len);
	assert_int_equal(unlink(NAME), 0);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_non_null(a);
	assert_non_null(b);
	assert_int_equal(a_len, b_len);
	f.a = (const uint8_t *)a;
	f.b = (const uint8_t *)b;
	f.len = a_len;
	compare(&f);
	free(a);
	free(b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
