// t.c - helpers for all unit tests
// SPDX-License-Identifier: MIT

#include "t.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void
fail_at(const char *label, const char *file, int line)
{
	if (label[0] != '\0')
		print_error("in: %s\n", label);
	_fail(file, line);
}

void
t_eq_span(struct pmon_span got, const char *want, const char *label, const char *file, int line)
{
	if (want == NULL && got.ptr == NULL && got.len == 0)
		return;
	if (want != NULL && got.ptr != NULL && got.len == strlen(want) &&
	    memcmp(got.ptr, want, got.len) == 0)
		return;
	if (got.ptr == NULL)
		print_error("no span, want \"%s\"\n", want);
	else
		print_error("\"%.*s\" (%zu bytes), want %s%s%s\n", (int)got.len, got.ptr, got.len,
			    want != NULL ? "\"" : "", want != NULL ? want : "none",
			    want != NULL ? "\"" : "");
	fail_at(label, file, line);
}

void
t_eq_str(const char *got, const char *want, const char *label, const char *file, int line)
{
	if (got == NULL || want == NULL ? got == want : strcmp(got, want) == 0)
		return;
	print_error("\"%s\", want \"%s\"\n", got != NULL ? got : "(null)",
		    want != NULL ? want : "(null)");
	fail_at(label, file, line);
}

void
t_eq_i64(int64_t got, int64_t want, const char *label, const char *file, int line)
{
	if (got == want)
		return;
	print_error("%" PRId64 ", want %" PRId64 "\n", got, want);
	fail_at(label, file, line);
}

void
t_eq_u64(uint64_t got, uint64_t want, const char *label, const char *file, int line)
{
	if (got == want)
		return;
	print_error("%" PRIu64 " (0x%" PRIX64 "), want %" PRIu64 " (0x%" PRIX64 ")\n", got, got,
		    want, want);
	fail_at(label, file, line);
}

void
t_eq_dbl(double got, double want, const char *label, const char *file, int line)
{
	if (got == want || (isnan(got) && isnan(want)))
		return;
	print_error("%.17g, want %.17g\n", got, want);
	fail_at(label, file, line);
}

const char *
t_data_path(const char *name)
{
	static char path[1024];
	const char *folder = getenv("PMON_TEST_DATA");
	FILE *file;
	int n;

	if (folder == NULL || folder[0] == '\0') {
		print_message("no PMON_TEST_DATA: without %s\n", name);
		return NULL;
	}
	n = snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (n < 0 || (size_t)n >= sizeof(path))
		return NULL;
	file = fopen(path, "rb");
	if (file == NULL) {
		print_message("no %s in PMON_TEST_DATA\n", name);
		return NULL;
	}
	fclose(file);
	return path;
}

static char *
read_all(FILE *file, size_t *len_out)
{
	size_t cap = 65536;
	size_t len = 0;
	size_t got;
	char *buf = malloc(cap);

	while (buf != NULL && (got = fread(buf + len, 1, cap - 1 - len, file)) > 0) {
		len += got;
		if (len == cap - 1) {
			char *grown = realloc(buf, cap *= 2);

			if (grown == NULL)
				free(buf);
			buf = grown;
		}
	}
	if (buf != NULL)
		buf[len] = '\0';
	*len_out = len;
	return buf;
}

char *
t_read_file(const char *path, size_t *len_out)
{
	FILE *file = fopen(path, "rb");
	char *text;

	*len_out = 0;
	if (file == NULL)
		return NULL;
	text = read_all(file, len_out);
	fclose(file);
	return text;
}

void
t_write_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

void
t_write_text(const char *path, const char *text)
{
	t_write_file(path, text, strlen(text));
}

void
t_each_data(const char *const *names, size_t n, t_data_fn check)
{
	size_t n_there = 0;

	for (size_t i = 0; i < n; i++) {
		const char *path = t_data_path(names[i]);
		size_t len;
		char *bytes;

		if (path == NULL)
			continue;
		bytes = t_read_file(path, &len);
		assert_non_null(bytes);
		check(bytes, len, names[i]);
		free(bytes);
		n_there++;
	}
	if (n_there == 0)
		skip();
}

// Unquote the field at *next in place, NUL-terminate it, and step past the separator or line end
// after it. Tab-separated fields have no quotes. Returns false for the last field of a row.
static bool
take_field(char **next, char separator, char **field_out)
{
	char *in = *next;
	char *out = in;
	bool quoted = separator == ',' && *in == '"';
	bool more;

	*field_out = out;
	if (quoted)
		in++;
	while (*in != '\0') {
		if (quoted && in[0] == '"' && in[1] == '"')
			in++;
		else if (quoted && in[0] == '"')
			break;
		else if (!quoted && (*in == separator || *in == '\r' || *in == '\n'))
			break;
		*out++ = *in++;
	}
	if (quoted && *in == '"')
		in++;
	more = *in == separator;
	in += more;
	if (!more) {
		in += *in == '\r';
		in += *in == '\n';
	}
	*out = '\0';
	*next = in;
	return more;
}

static size_t
take_row(char **next, char separator, char *field[T_CSV_FIELDS])
{
	size_t n = 0;
	char *dropped;

	if (**next == '\0')
		return 0;
	while (take_field(next, separator, n < T_CSV_FIELDS ? &field[n] : &dropped))
		n += n < T_CSV_FIELDS;
	return n < T_CSV_FIELDS ? n + 1 : n;
}

static void
open_table(struct t_csv *csv, const char *path, char separator)
{
	size_t len;

	*csv = (struct t_csv){.text = t_read_file(path, &len), .separator = separator};
	if (csv->text == NULL)
		fail_msg("cannot read %s", path);
	csv->next = csv->text;
	csv->n_names = take_row(&csv->next, separator, csv->name);
}

void
t_csv_open_data(struct t_csv *csv, const char *name)
{
	const char *path = t_data_path(name);

	if (path == NULL)
		skip();
	open_table(csv, path, ',');
}

void
t_csv_open_source(struct t_csv *csv, const char *name)
{
	const char *source = getenv("PMON_SOURCE_DIR");
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", source != NULL ? source : ".", name);
	open_table(csv, path, strstr(name, ".csv") != NULL ? ',' : '\t');
}

void
t_csv_open_vectors(struct t_csv *csv, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "share/vectors/%s", name);
	t_csv_open_source(csv, path);
}

bool
t_csv_next(struct t_csv *csv)
{
	csv->n = take_row(&csv->next, csv->separator, csv->field);
	csv->row++;
	return csv->n > 0;
}

const char *
t_csv_get(const struct t_csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->n_names; i++)
		if (strcmp(csv->name[i], name) == 0)
			return i < csv->n ? csv->field[i] : "";
	fail_msg("no column \"%s\"", name);
	return "";
}

void
t_csv_close(struct t_csv *csv)
{
	free(csv->text);
	*csv = (struct t_csv){0};
}

// A linear congruential generator, of which only the upper bits are random enough.
static uint64_t
next_half(struct t_rand *r)
{
	r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return r->state >> 32;
}

uint64_t
t_rand_u64(struct t_rand *r)
{
	uint64_t high = next_half(r);

	return high << 32 | next_half(r);
}

size_t
t_rand_below(struct t_rand *r, size_t n)
{
	return (size_t)(t_rand_u64(r) % n);
}

size_t
t_runs(const char *variable, size_t usual)
{
	const char *text = getenv(variable);

	if (text != NULL)
		return strtoul(text, NULL, 10);
	return getenv("PMON_TEST_TENTH") == NULL ? usual : usual / 10;
}

// The size of each block is stored before it, aligned for any type.
#define HEAD 16

static bool
is_short(struct t_memory *memory)
{
	memory->calls++;
	return memory->fail_at != 0 && (memory->calls == memory->fail_at ||
					(memory->fail_rest && memory->calls > memory->fail_at));
}

static void *
t_alloc(void *ctx, size_t size)
{
	struct t_memory *memory = ctx;
	char *block;

	assert_true(size > 0);
	if (is_short(memory) || size > SIZE_MAX - HEAD)
		return NULL;
	block = malloc(HEAD + size);
	if (block == NULL)
		return NULL;
	memcpy(block, &size, sizeof(size));
	memset(block + HEAD, 0xA5, size);
	memory->live_blocks++;
	memory->live_bytes += size;
	return block + HEAD;
}

static void
t_free(void *ctx, void *ptr, size_t size)
{
	struct t_memory *memory = ctx;
	char *block = (char *)ptr - HEAD;
	size_t had;

	memcpy(&had, block, sizeof(had));
	assert_int_equal(size, had);
	memory->live_blocks--;
	memory->live_bytes -= size;
	free(block);
}

// Always moves the block, to detect pointers kept across a reallocation.
static void *
t_realloc(void *ctx, void *ptr, size_t old_size, size_t size)
{
	void *grown = t_alloc(ctx, size);

	if (grown == NULL)
		return NULL;
	memcpy(grown, ptr, old_size < size ? old_size : size);
	t_free(ctx, ptr, old_size);
	return grown;
}

struct pmon_allocator
t_memory_allocator(struct t_memory *memory)
{
	return (struct pmon_allocator){t_alloc, t_realloc, t_free, memory};
}

bool
t_memory_sufficed(const struct t_memory *memory)
{
	assert_true(memory->calls > 0);
	return memory->calls < memory->fail_at;
}
