// test_pdhtext_damage.c - text logs that are damaged, and machines that are short of everything
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include "base/err.h"

#define SMALL (1 << 20) // bytes that a small log may take

static const char log_text[] =
	"\"(PDH-CSV 4.0) (W. Europe)(-120)\"," A "," B
	",\"\\\\S\\O(a\"\"b)\\C\",\"caption, its\"" CRLF
	"\"10/25/2026 02:58:00.000\",\"1\",\"2.5\",\" \",\" \"" CRLF
	"\"10/25/2026 02:59:00.000\",\"1.5e-005\",\"0.1234567890123456789\",\"7\",\" \"" CRLF
	"\"10/25/2026 02:00:00.000\",\"4\",\"x\",\"1.#INF\",\" \"" CRLF
	"\"10/25/2026 02:01:00.000\",\"5\",\"6\",\"7\",\" \"" CRLF;
#define LOG_ROWS 4

// Read twice whatever there is; all that matters is that nothing breaks and the answers agree.
static void
survive(const void *bytes, size_t len, const struct pmon_log_options *options)
{
	struct t_memory memory = {0};
	struct pmon_allocator allocator = t_memory_allocator(&memory);
	struct pmon_log_options own = *options;
	struct table t;
	size_t n_rows;
	size_t n_notices;

	own.allocator = &allocator;
	open_bytes(&t, bytes, len, &own);
	if (t.status == PMON_OK) {
		read_rest(&t);
		assert_int_equal(t.status, PMON_END);
		n_rows = t.n_rows;
		n_notices = t.n_notices;
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
		read_rest(&t);
		T_EQ_U64(t.n_rows, n_rows);
		T_EQ_U64(t.n_notices, n_notices);
		T_EQ_U64(info_of(&t)->losses, t.n_losses);
		assert_true(memory.live_bytes < SMALL);
	}
	close_table(&t);
	T_EQ_U64(memory.live_blocks, 0);
}

static size_t
as_utf16(const char *text, size_t len, uint8_t *out)
{
	size_t n = 0;

	out[n++] = 0xFF;
	out[n++] = 0xFE;
	for (size_t i = 0; i < len; i++) {
		out[n++] = (uint8_t)text[i];
		out[n++] = 0;
	}
	return n;
}

// Every way of reading a text: as it is, as UTF-16, through iconv.
static void
survive_all(const void *bytes, size_t len)
{
	static const struct pmon_log_options plain_options = {.size = sizeof(plain_options)};
	static const struct pmon_log_options repaired = {.size = sizeof(repaired),
							 .dst_repair = true};
	static const struct pmon_log_options shift_jis = {.size = sizeof(shift_jis),
							  .encoding = "CP932"};

	survive(bytes, len, &plain_options);
	survive(bytes, len, &repaired);
	survive(bytes, len, &shift_jis);
}

static void
every_truncation_gives_the_whole_lines(void **state)
{
	struct table t;
	const char *end;
	size_t header = (size_t)(strstr(log_text, CRLF) - log_text) + 2;

	(void)state;
	for (size_t len = 0; len < sizeof(log_text) - 1; len++) {
		size_t lines = 0;

		survive_all(log_text, len);
		if (len < header)
			continue;
		for (end = log_text; (end = strstr(end, CRLF)) != NULL && end < log_text + len;)
			end += 2, lines++;
		read_bytes(&t, log_text, len, NULL);
		// A line may lack its CR LF, or the LF, and be whole.
		assert_true(t.n_rows == lines - 1 || t.n_rows == lines);
		T_EQ_U64(t.n_losses, t.n_rows == lines - 1 && log_text[len - 1] != '\n' &&
					     log_text[len - 1] != '\r');
		close_table(&t);
	}
}

static void
every_flipped_bit_is_survived(void **state)
{
	static uint8_t bytes[4096];
	size_t len = sizeof(log_text) - 1;

	(void)state;
	memcpy(bytes, log_text, len);
	for (size_t bit = 0; bit < len * 8; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		survive_all(bytes, len);
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	len = as_utf16(log_text, len, bytes);
	for (size_t bit = 0; bit < len * 8; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
		survive(bytes, len,
			&(struct pmon_log_options){.size = sizeof(struct pmon_log_options),
						   .dst_repair = true});
		bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
}

static void
every_truncation_of_utf16_is_survived(void **state)
{
	static uint8_t bytes[4096];
	size_t len = as_utf16(log_text, sizeof(log_text) - 1, bytes);

	(void)state;
	for (size_t cut = 0; cut < len; cut++)
		survive(bytes, cut,
			&(struct pmon_log_options){.size = sizeof(struct pmon_log_options),
						   .encoding = NULL});
}

// Bytes, pieces and lines moved about, a few at a time.
static void
mixed_up_logs_are_survived(void **state)
{
	static const char *const pieces[] = {"\"",
					     ",",
					     "\r",
					     "\n",
					     "\"\"",
					     "\\",
					     "(PDH-CSV 4.0)",
					     "(PDH-TSV 4.0)",
					     "\t",
					     ";",
					     "\xEF\xBB\xBF",
					     ":",
					     "1e9",
					     "\xFF",
					     "01/01/2026 00:00:00.000",
					     "#1",
					     "\x83\x5C"};
	struct t_rand r = {4};
	static uint8_t bytes[8192];

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t len = sizeof(log_text) - 1;

		memcpy(bytes, log_text, len);
		for (size_t n = 1 + t_rand_below(&r, 6); n > 0; n--) {
			const char *piece = pieces[t_rand_below(&r, T_LEN(pieces))];
			size_t at = t_rand_below(&r, len);
			size_t drop = t_rand_below(&r, 4) == 0 ? t_rand_below(&r, len - at) : 0;

			memmove(bytes + at + strlen(piece), bytes + at + drop, len - at - drop);
			memcpy(bytes + at, piece, strlen(piece));
			len += strlen(piece) - drop;
		}
		survive(bytes, len,
			&(struct pmon_log_options){.size = sizeof(struct pmon_log_options),
						   .dst_repair = (i & 1) != 0});
	}
}

// ---- Limits ---------------------------------------------------------------------------------

static void
long_lines_are_skipped(void **state)
{
	size_t size = 1 << 20;
	char *text = malloc(size + 1);
	struct pmon_log_options options = {.size = sizeof(options), .limits.record_bytes = 300};
	struct table t;
	size_t len;

	(void)state;
	len = (size_t)snprintf(text, size, "%s\r\n%s,\"1\"\r\n%s,\"", HEAD "," A, T0, T0);
	memset(text + len, '1', size - len - 100);
	len = size - 100;
	len += (size_t)snprintf(text + len, 100, "\"\r\n%s,\"2\"\r\n", T1);
	read_bytes(&t, text, len, &options);
	HAS_NOTICE(&t, "lost: 1 line is longer than the limit and was skipped; line 3");
	T_EQ_U64(t.n_rows, 2);
	T_EQ_DBL(t.cell[1][0], 2);
	assert_true(info_of(&t)->bytes_lost > size - 400 && info_of(&t)->bytes_lost < size);
	close_table(&t);
	// Without a limit the line is read, though its number is invalid.
	read_bytes(&t, text, len, NULL);
	T_EQ_U64(t.n_rows, 3);
	T_EQ_DBL(t.cell[1][0], INFINITY);
	close_table(&t);
	free(text);
}

static void
limits_hold(void **state)
{
	static const char long_caption[] = HEAD
		"," A ",\"a caption\nof several lines\nthat are, with the header before them,\n"
		"longer than what a line may have of bytes here,\nwhich is two hundred of them\"\n";
	struct pmon_log_options options = {.size = sizeof(options), .limits = {.series = 1}};
	struct table t;

	(void)state;
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(t.status, PMON_E_LIMIT);
	options.limits = (struct pmon_limits){.record_bytes = 40};
	open_bytes(&t, plain, sizeof(plain) - 1, &options);
	assert_int_equal(t.status, PMON_E_LIMIT);
	options.limits = (struct pmon_limits){.record_bytes = 200};
	open_bytes(&t, long_caption, sizeof(long_caption) - 1, &options);
	assert_int_equal(t.status, PMON_E_LIMIT);
	assert_non_null(strstr(t.err.msg, "the header is longer than the limit of 200 bytes"));
	options.limits = (struct pmon_limits){.string_bytes = 30};
	read_bytes(&t, plain, sizeof(plain) - 1, &options);
	HAS_NOTICE(&t, "1 column has no counter path that is whole");
	T_EQ_U64(n_series(&t), 1);
	close_table(&t);
}

// Many headers, each with one new column, and one column many times: no time that grows with the
// square.
static void
nothing_takes_quadratic_time(void **state)
{
	size_t size = 8 << 20;
	char *text = malloc(size);
	size_t len = 0;
	const struct pmon_log_options options = {.size = sizeof(options), .limits.series = 200000};
	const struct pmon_sample *sample;
	struct table t;

	(void)state;
	for (int i = 0; i < 50000; i++)
		len += (size_t)snprintf(text + len, size - len, HEAD ",\"\\\\S\\O(%d)\\C\"\n", i);
	open_bytes(&t, text, len, NULL);
	assert_int_equal(t.status, PMON_OK);
	assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_END);
	T_EQ_U64(n_series(&t), 50000);
	close_table(&t);
	len = (size_t)snprintf(text, size, HEAD);
	for (int i = 0; i < 200000; i++)
		len += (size_t)snprintf(text + len, size - len, ",\"\\\\S\\O\\C\"");
	open_bytes(&t, text, len, &options);
	assert_int_equal(t.status, PMON_OK);
	T_EQ_U64(n_series(&t), 200000);
	close_table(&t);
	len = (size_t)snprintf(text, size, HEAD ",\"\\\\S\\O\\C\"\n");
	memset(text + len, '"', size - len);
	read_bytes(&t, text, size, NULL);
	close_table(&t);
	memset(text + len, '\n', size - len);
	read_bytes(&t, text, size, NULL);
	close_table(&t);
	free(text);
}

// ---- Short of memory, short of disk ---------------------------------------------------------

static enum pmon_status
read_with(const char *text, size_t len, const struct pmon_log_options *options)
{
	struct pmon_file *file;
	struct pmon_source *source = NULL;
	const struct pmon_sample *sample;
	enum pmon_status status = pmon_file_memory(text, len, options->allocator, &file, NULL);

	if (status == PMON_OK)
		status = pmon_log_open_file(file, options, &source, NULL);
	for (int pass = 0; pass < 2 && (status == PMON_OK || status == PMON_END); pass++) {
		if (pass > 0)
			status = pmon_source_rewind(source, NULL);
		while (status == PMON_OK)
			status = pmon_source_next(source, &sample, NULL);
	}
	pmon_source_close(source);
	return status;
}

static void
each_failing_allocation_is_a_status(void **state)
{
	static const char japanese[] =
		HEAD ",\"\\\\S\\\x83\x81\x83\x82\x83\x8A\\C\"\n" T0 ",\"1\"\n" HEAD "," A
		     ",\"\\\\S\\O\\C\"\n" T0 ",\"1\",\"2\"\n";
	struct pmon_log_options options = {.size = sizeof(options),
					   .known_types = "test_pdhtext_memory.csv"};
	FILE *file = fopen(options.known_types, "wb");

	(void)state;
	assert_non_null(file);
	assert_true(fprintf(file, "Foo,%05000d,0x20510500\n", 0) >
		    0); // a block of the arena for itself
	assert_int_equal(fclose(file), 0);
	for (int rest = 0; rest < 2; rest++)
		for (size_t fail_at = 1;; fail_at++) {
			struct t_memory memory = {.fail_at = fail_at, .fail_rest = rest != 0};
			struct pmon_allocator allocator = t_memory_allocator(&memory);
			enum pmon_status status;

			options.allocator = &allocator;
			status = read_with(japanese, sizeof(japanese) - 1, &options);
			T_EQ_U64(memory.live_blocks, 0);
			if (memory.calls < fail_at) {
				assert_int_equal(status, PMON_END);
				assert_true(fail_at > 10);
				break;
			}
			assert_int_equal(status, PMON_E_NOMEM);
		}
	(void)remove(options.known_types);
}

struct broken {
	const char *text;
	size_t len;
	size_t reads; // that still work
};

static enum pmon_status
broken_read(void *ctx, uint64_t offset, void *buf, size_t len, size_t *got_out,
	    struct pmon_err *err)
{
	struct broken *b = ctx;

	*got_out = 0;
	if (b->reads == 0)
		return pmon_err_set(err, PMON_E_IO, offset, "the disk is gone");
	b->reads--;
	if (offset < b->len)
		*got_out = b->len - (size_t)offset < len ? b->len - (size_t)offset : len;
	memcpy(buf, b->text + (offset < b->len ? offset : 0), *got_out);
	return PMON_OK;
}

// Read a log while the reads after the first, second, ... fail, until all of them work. Returns how many that are.
static size_t
fail_each_read(const char *text, size_t len, const struct pmon_log_options *options)
{
	static const struct pmon_file_ops ops = {broken_read, NULL};
	struct broken b = {text, len, 0};
	enum pmon_status status = PMON_E_IO;
	size_t reads;

	for (reads = 0; status != PMON_END; reads++) {
		struct pmon_file *file;
		struct pmon_source *source;
		const struct pmon_sample *sample;
		struct pmon_err err;

		assert_true(reads < 50);
		b.reads = reads;
		assert_int_equal(pmon_file_custom(&ops, &b, b.len, NULL, &file, NULL), PMON_OK);
		status = pmon_log_open_file(file, options, &source, &err);
		while (status == PMON_OK)
			status = pmon_source_next(source, &sample, &err);
		if (status != PMON_END) {
			assert_int_equal(status, PMON_E_IO);
			T_EQ_STR(err.msg, "the disk is gone");
		}
		pmon_source_close(source);
	}
	return reads - 1;
}

// Lines of 8 KiB with dates whose order the file does not reveal.
static char *
build_large(size_t *len_out)
{
	size_t n = 100;
	size_t size = n * 8300;
	char *text = malloc(size);
	size_t len = (size_t)snprintf(text, size, "(PDH-CSV 4.0) (UTC)(0),\\\\S\\O\\C\n");

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, size - len, "5/1/2026 12:00,%8192d\n", (int)i);
	*len_out = len;
	return text;
}

static void
each_failing_read_is_a_status(void **state)
{
	// The caption of a header may continue after either kind of line end.
	static const char *const texts[] = {log_text, HEAD "," A ",\"caption\n",
					    HEAD "," A ",\"caption\r"};
	static const struct pmon_log_options none = {.size = sizeof(none)};
	static const struct pmon_log_options short_lines = {.size = sizeof(short_lines),
							    .limits.record_bytes = 300};
	size_t len;
	char *large = build_large(&len);

	(void)state;
	for (size_t i = 0; i < T_LEN(texts); i++)
		assert_in_range(fail_each_read(texts[i], strlen(texts[i]), &none), 3, 50);
	assert_in_range(fail_each_read(large, len, &none), 5, 50);
	memset(large + 100, 'x', len - 101); // one long line
	assert_in_range(fail_each_read(large, len, &short_lines), 5, 50);
	free(large);
}

// A failure that leaves a half taken header ends the log, also for later calls; not so from the beginning.
static void
a_failure_is_reported_again(void **state)
{
	static const char text[] = HEAD "," A CRLF T0 ",\"1\"" CRLF HEAD "," A "," B CRLF T1 CRLF;
	struct pmon_log_options options = {.size = sizeof(options), .limits.series = 1};
	const struct pmon_sample *sample;
	struct table t;

	(void)state;
	open_bytes(&t, text, sizeof(text) - 1, &options);
	assert_int_equal(t.status, PMON_OK);
	for (int pass = 0; pass < 2; pass++) {
		read_rest(&t);
		assert_int_equal(t.status, PMON_E_LIMIT);
		T_EQ_U64(t.n_rows, 1);
		assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_E_LIMIT);
		t.err.msg[0] = '\0';
		assert_int_equal(pmon_source_next(t.source, &sample, &t.err), PMON_E_LIMIT);
		T_EQ_STR(t.err.msg, "more than 1 counters");
		assert_int_equal(pmon_source_rewind(t.source, NULL), PMON_OK);
	}
	assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_OK);
	assert_int_equal(pmon_source_next(t.source, &sample, NULL), PMON_E_LIMIT);
	close_table(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_truncation_gives_the_whole_lines),
		cmocka_unit_test(every_flipped_bit_is_survived),
		cmocka_unit_test(every_truncation_of_utf16_is_survived),
		cmocka_unit_test(mixed_up_logs_are_survived),
		cmocka_unit_test(long_lines_are_skipped),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(nothing_takes_quadratic_time),
		cmocka_unit_test(each_failing_allocation_is_a_status),
		cmocka_unit_test(each_failing_read_is_a_status),
		cmocka_unit_test(a_failure_is_reported_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
