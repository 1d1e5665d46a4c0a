// test_jsonl_scan.c - scanned lines give the same result as those parsed by jansson
// SPDX-License-Identifier: MIT
//
// Every line goes both ways: through pmon_jsonl_line_read(), which scans what it can, and through jansson alone. Status,
// message and each member of the result must be the same.

#include "t.h"

#ifdef PMON_WITH_JSON

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "base/num.h"
#include "buf.h"
#include "folder.h"
#include "format/jsonl/jsonl.h"
#include "mutate.h"
#include "odd_log.h"
#include "write_fault.h"

static size_t n_scanned; // of the lines that were compared

// ---- Both ways ------------------------------------------------------------------------------

// Exactly as long as the line, so that a byte read past its end is noticed.
static char *
copy_of(const char *line, size_t len)
{
	char *copy = malloc(len > 0 ? len : 1);

	assert_non_null(copy);
	memcpy(copy, line, len);
	return copy;
}

static bool
same_text(struct pmon_span a, struct pmon_span b)
{
	return (a.ptr == NULL) == (b.ptr == NULL) && a.len == b.len &&
	       (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static bool
same_sample(const struct jsonl_line *a, const struct jsonl_line *b)
{
	return a->sample_time == b->sample_time && a->has_ordinal == b->has_ordinal &&
	       a->ordinal == b->ordinal && a->stream == b->stream &&
	       a->utc_offset_min == b->utc_offset_min && a->preceding == b->preceding &&
	       a->place == b->place && a->is_last == b->is_last && a->tells_last == b->tells_last;
}

static bool
same_log(const struct jsonl_line *a, const struct jsonl_line *b)
{
	return same_text(a->writer, b->writer) && same_text(a->converter, b->converter) &&
	       a->sampled_by_pmon == b->sampled_by_pmon && same_text(a->machine, b->machine) &&
	       (a->machine_ids == NULL) == (b->machine_ids == NULL) &&
	       same_text(a->zone, b->zone) && a->log_start == b->log_start &&
	       a->log_end == b->log_end;
}

static bool
same_parts(const struct jsonl_line *a, const struct jsonl_line *b)
{
	return a->has_parts == b->has_parts && same_text(a->path, b->path) &&
	       same_text(a->parts.machine, b->parts.machine) &&
	       same_text(a->parts.object, b->parts.object) &&
	       same_text(a->parts.parent, b->parts.parent) &&
	       same_text(a->parts.instance, b->parts.instance) &&
	       a->parts.index == b->parts.index && same_text(a->parts.counter, b->parts.counter);
}

static bool
same_line(const struct jsonl_line *a, const struct jsonl_line *b)
{
	return a->is_value == b->is_value && a->number == b->number &&
	       a->counter.type == b->counter.type && a->counter.time_base == b->counter.time_base &&
	       a->counter.size_bytes == b->counter.size_bytes &&
	       a->counter.default_scale == b->counter.default_scale && a->order == b->order &&
	       a->has_order == b->has_order && a->wildcard == b->wildcard &&
	       a->formatted == b->formatted && a->type_known == b->type_known &&
	       a->known_type == b->known_type && a->raw.time == b->raw.time &&
	       a->raw.first == b->raw.first && a->raw.second == b->raw.second &&
	       a->raw.multi == b->raw.multi && a->raw.status == b->raw.status && same_parts(a, b) &&
	       same_sample(a, b) && same_log(a, b);
}

static bool
check(const char *line, size_t len)
{
	struct pmon_err err[2] = {{.msg = ""}, {.msg = ""}};
	struct jsonl_line got;
	struct jsonl_line want;
	struct jsonl_members members;
	char *text = copy_of(line, len);
	bool scanned = pmon_jsonl_scan(&members, text, len);
	enum pmon_status status;

	if (!scanned && memcmp(text, line, len) != 0)
		fail_msg("changed, but not scanned: %.*s", (int)len, line);
	memcpy(text, line, len);
	status = pmon_jsonl_line_load(&want, line, len, &err[0]);
	if (pmon_jsonl_line_read(&got, text, len, &err[1]) != status ||
	    strcmp(err[0].msg, err[1].msg) != 0 || (status == PMON_OK && !same_line(&got, &want)))
		fail_msg("read in two ways: %.*s", (int)len, line);
	if (status == PMON_OK) {
		pmon_jsonl_line_free(&got);
		pmon_jsonl_line_free(&want);
	}
	free(text);
	n_scanned += scanned;
	return scanned;
}

// Returns how many lines were not scanned.
static size_t
check_lines(const char *text, size_t len)
{
	size_t left = 0;

	for (size_t at = 0; at < len;) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t n = newline != NULL ? (size_t)(newline - text) + 1 - at : len - at;

		left += !check(text + at, n);
		at += n;
	}
	return left;
}

// ---- Lines ----------------------------------------------------------------------------------

static const char *const samples[] = {
	"{\"path\":\"\\\\\\\\S\\\\O(p/i#3)\\\\C\\\"/sec\",\"type\":\"PERF_COUNTER_COUNTER\","
	"\"time\":\"2020-01-01T00:00:00.25Z\",\"status\":\"valid\",\"first\":5,"
	"\"second\":\"9223372036854775807\",\"multi\":1,\"time_base\":10,\"unit\":\"/s\","
	"\"series\":0,\"sample\":7,\"stream\":2,\"sample_time\":\"2020-01-01T00:00:01Z\","
	"\"utc_offset_min\":-60,\"lead_in\":true,\"line\":12}\n",
	"{\"path\":\"\\\\M\\\\\xC3\xBC\",\"type\":\"0x12345678\",\"time\":\"2020-01-01T00:00:00Z\","
	"\"status\":\"0xC0000BBA\",\"first\":-1,\"second\":0,\"multi\":4294967295,"
	"\"time_base\":null,\"unit\":\"\",\"series\":1,\"sample\":0,\"utc_offset_min\":0,"
	"\"order\":1,\"machine\":\"a\",\"object\":\"M\",\"parent\":\"q\",\"instance\":\"\","
	"\"index\":0,\"counter\":\"\xE2\x82\xAC\\\\\",\"type_word\":305419896,\"size\":8,"
	"\"scale\":-3,\"wildcard\":1,\"formatted\":1,\"known_type\":\"PERF_RAW_FRACTION\","
	"\"log_writer\":\"w\",\"log_converter\":\"c\",\"log_sampled_by_pmon\":true,"
	"\"log_machine\":\"a\",\"log_zone\":\"z\",\"log_start\":\"2020-01-01T00:00:00Z\","
	"\"log_end\":null,\"log_last\":true,\"last\":true}",
	"{\"path\":\"\\\\M\\\\B\",\"time\":\"2020-01-01T00:00:00Z\",\"value\":-1.25e-7,"
	"\"status\":\"ok\",\"unit\":\"%\",\"series\":1,\"sample\":0,\"utc_offset_min\":0}\n",
	"{\"path\":\"\\\\M\\\\B\",\"time\":\"2020-01-01T00:00:00Z\",\"value\":null,"
	"\"status\":\"first_sample\",\"unit\":\"\",\"series\":1,\"sample\":0}\n",
};

// In place of a byte and between two.
static const char *const pieces[] = {
	"",     " ",    "\t",    "\r",   "\n",      "\"",       "\\",
	"\\\\", "\\\"", "\\/",   "\\n",  "\\u0041", "\\u0000",  "\\ud800",
	",",    ":",    "{",     "}",    "[",       "0",        "-",
	"+",    ".",    "e",     "E5",   "e+3",     "1",        "9",
	"\x7F", "\x1F", "\x80",  "\xFF", "\xC3",    "\xC2\xA0", "\xE2\x80\xAE",
	"null", "true", "false",
};

// In place of the value of a member.
static const char *const values[] = {
	"0",
	"-0",
	"00",
	"01",
	"-",
	"+1",
	"1.",
	".5",
	"1.0",
	"-0.0",
	"1e5",
	"1E5",
	"1e",
	"1e+",
	"1e-05",
	"1.5e+300",
	"1e308",
	"1.8e308",
	"1e400",
	"-1e400",
	"1e-400",
	"4.9e-324",
	"2.4e-324",
	"9007199254740992",
	"9007199254740993",
	"-9007199254740993",
	"9223372036854775807",
	"-9223372036854775808",
	"9223372036854775808",
	"18446744073709551615",
	"99999999999999999999999",
	"1.00000000000000000000000000000000000000000000000000000001",
	"0.1000000000000000055511151231257827021181583404541015625",
	"4294967296",
	"1440",
	"1441",
	"\"0\"",
	"\"-1\"",
	"\"+5\"",
	"\"0x10\"",
	"\"18446744073709551615\"",
	"\"1.5\"",
	"\"\"",
	"\"valid\"",
	"\"not_displayed\"",
	"\"PERF_COUNTER_RAWCOUNT\"",
	"\"rawcount\"",
	"\"65536\"",
	"\"2020-01-01T00:00:00+01:00\"",
	"\"01/02/2020 03:04:05.678\"",
	"\"9999-12-31T23:59:60Z\"",
	"\"\\\\\\\\\"",
	"\"\\u00e9\"",
	"\"a\\\"b\"",
	"\"\xC3\xA9\"",
	"\"\xED\xA0\x80\"",
	"null",
	"true",
	"false",
	"nul",
	"nulll",
	"NaN",
	"Infinity",
	"{}",
	"[]",
	"[1]",
	"{\"a\":1}",
	"",
};

static void
check_replaced(const char *line, size_t at, size_t n, const char *piece)
{
	struct buf text = {0};

	buf_add(&text, "%.*s%s%s", (int)at, line, piece, line + at + n);
	(void)check(text.text, text.len);
	buf_free(&text);
}

// ---- Members --------------------------------------------------------------------------------

#define MOST_MEMBERS 48

// The members of one of the samples, without the commas.
struct parts {
	struct pmon_span list[MOST_MEMBERS];
	size_t n;
};

static struct parts
parts_of(const char *line)
{
	struct parts parts = {.n = 0};
	const char *end = strrchr(line, '}');
	const char *at = line + 1;

	while (at < end) {
		const char *next = strstr(at, ",\"");

		if (next == NULL)
			next = end;
		assert_true(parts.n < MOST_MEMBERS);
		parts.list[parts.n++] = (struct pmon_span){at, (size_t)(next - at)};
		at = next + 1;
	}
	return parts;
}

static void
check_parts(const struct parts *parts)
{
	struct buf text = {0};

	for (size_t i = 0; i < parts->n; i++)
		buf_add(&text, "%c%.*s", i == 0 ? '{' : ',', (int)parts->list[i].len,
			parts->list[i].ptr);
	buf_add(&text, "}\n");
	(void)check(text.text, text.len);
	buf_free(&text);
}

// ---- Tests ----------------------------------------------------------------------------------

static void
lines_of_the_writer_are_scanned(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(samples); i++)
		assert_true(check(samples[i], strlen(samples[i])));
}

static void
seeds_of_the_fuzzer(void **state)
{
	const char *tree = getenv("PMON_SOURCE_DIR");
	char path[400];
	struct dirent *entry;
	DIR *dir;

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/tests/fuzz/jsonl/corpus", tree != NULL ? tree : ".");
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		size_t len;
		char *text;

		if (entry->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof(path), "%s/tests/fuzz/jsonl/corpus/%s",
			       tree != NULL ? tree : ".", entry->d_name);
		text = t_read_file(path, &len);
		assert_non_null(text);
		(void)check_lines(text, len);
		free(text);
	}
	(void)closedir(dir);
}

// In these logs, only the last line may have another order.
static void
odd_logs(void **state)
{
	static const char *const formats[] = {"jsonl", "jsonl-values"};

	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		for (size_t i = 0; i < T_LEN(formats); i++) {
			const char *path = in_folder("log");
			size_t len;
			char *text;

			write_over(odd_log(seed), path, formats[i]);
			text = t_read_file(path, &len);
			assert_non_null(text);
			assert_in_range(check_lines(text, len), 0, 1);
			free(text);
			assert_int_equal(unlink(path), 0);
		}
	}
}

static void
cut_off_and_flipped(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(samples); i++) {
		size_t len = strlen(samples[i]);

		for (size_t n = 0; n < len; n++) {
			(void)check(samples[i], n);
			for (unsigned bit = 0; bit < 8; bit++) {
				char *text = copy_of(samples[i], len);

				text[n] = (char)((uint8_t)text[n] ^ 1u << bit);
				(void)check(text, len);
				free(text);
			}
		}
	}
}

static void
pieces_put_in(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(samples); i++)
		for (size_t at = 0; at < strlen(samples[i]); at++)
			for (size_t j = 0; j < T_LEN(pieces); j++)
				for (size_t n = 0; n < 2; n++)
					check_replaced(samples[i], at, n, pieces[j]);
}

static void
other_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(samples); i++) {
		struct parts parts = parts_of(samples[i]);

		for (size_t j = 0; j < parts.n; j++) {
			const char *start = strstr(parts.list[j].ptr, "\":") + 2;
			const char *end = parts.list[j].ptr + parts.list[j].len;

			for (size_t k = 0; k < T_LEN(values); k++)
				check_replaced(samples[i], (size_t)(start - samples[i]),
					       (size_t)(end - start), values[k]);
		}
	}
}

static void
members_swapped_and_repeated(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(samples); i++) {
		struct parts parts = parts_of(samples[i]);

		for (size_t j = 0; j < parts.n; j++) {
			for (size_t k = 0; k < parts.n; k++) {
				struct parts changed = parts;

				changed.list[j] = parts.list[k];
				check_parts(&changed); // one lost, one twice
				changed.list[k] = parts.list[j];
				check_parts(&changed);
			}
		}
	}
}

// Sequences of n bytes in the path, valid and not.
static void
check_sequences(size_t n)
{
	static const uint8_t edges[] = {0x22, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0};
	size_t forms = 1;

	for (size_t i = 1; i < n; i++)
		forms *= T_LEN(edges);
	for (unsigned lead = 0x80; lead <= 0xFF; lead++) {
		for (size_t form = 0; form < forms; form++) {
			char bytes[5] = {(char)lead};
			size_t rest = form;

			for (size_t i = 1; i < n; i++, rest /= T_LEN(edges))
				bytes[i] = (char)edges[rest % T_LEN(edges)];
			check_replaced(samples[3], strlen("{\"path\":\"\\\\"), 1, bytes);
		}
	}
}

static void
bytes_beyond_ascii(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 4; n++)
		check_sequences(n);
}

// Numbers of all magnitudes, in the shortest form and with more digits than a double has.
static void
random_numbers(void **state)
{
	struct parts parts = parts_of(samples[2]);
	const char *start = strstr(parts.list[2].ptr, "\":") + 2;
	size_t at = (size_t)(start - samples[2]);
	size_t len = (size_t)(parts.list[2].ptr + parts.list[2].len - start);
	struct mutate random = {.state = 1};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = (uint64_t)mutate_random(&random, SIZE_MAX) ^
				(uint64_t)mutate_random(&random, SIZE_MAX) << 32;
		char text[64];
		double number;

		memcpy(&number, &bits, sizeof(number));
		(void)pmon_num_shortest(number, text);
		check_replaced(samples[2], at, len, text);
		(void)snprintf(text, sizeof(text), "%.20g", number);
		check_replaced(samples[2], at, len, text);
	}
}

static void
random_changes(void **state)
{
	struct mutate m = {.max = 4096, .state = 7};

	(void)state;
	m.data = malloc(m.max);
	assert_non_null(m.data);
	for (int i = 0; i < 20000; i++) {
		const char *line = samples[i % (int)T_LEN(samples)];

		m.size = strlen(line);
		memcpy(m.data, line, m.size);
		for (size_t changes = mutate_random(&m, 3) + 1; changes > 0; changes--)
			(void)mutate_lines(&m);
		(void)check_lines((const char *)m.data, m.size);
	}
	free(m.data);
}

// The comparison means something only if lines of each kind are scanned.
static void
many_were_scanned(void **state)
{
	(void)state;
	assert_true(n_scanned > 10000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_the_writer_are_scanned),
		cmocka_unit_test(seeds_of_the_fuzzer),
		cmocka_unit_test(odd_logs),
		cmocka_unit_test(cut_off_and_flipped),
		cmocka_unit_test(pieces_put_in),
		cmocka_unit_test(other_values),
		cmocka_unit_test(members_swapped_and_repeated),
		cmocka_unit_test(bytes_beyond_ascii),
		cmocka_unit_test(random_numbers),
		cmocka_unit_test(random_changes),
		cmocka_unit_test(many_were_scanned),
	};

	return cmocka_run_group_tests_name("jsonl_scan", tests, folder_make, folder_remove);
}

#else

int
main(void)
{
	printf("built without jansson\n");
	return 77;
}

#endif
