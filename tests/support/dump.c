// dump.c - a source as text, so that tests can compare it as a whole
// SPDX-License-Identifier: MIT

#include "dump.h"

#include <inttypes.h>
#include <stdlib.h>

#include "t.h"

#include "base/time.h"
#include "format/format.h"
#include "os/codec.h"

static void
add(struct dump *d, const char *s)
{
	size_t n = strlen(s);

	if (d->cap - d->n <= n) {
		d->cap = (d->cap + n + 1) * 2;
		d->text = realloc(d->text, d->cap);
		assert_non_null(d->text);
	}
	memcpy(d->text + d->n, s, n + 1);
	d->n += n;
}

struct pmon_source *
open_bytes(const void *bytes, size_t len, const struct pmon_log_options *options)
{
	struct pmon_source *source;
	struct pmon_file *file;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	if (pmon_log_open_file(file, options, &source, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	return source;
}

void
dump_notice(void *dump, const struct pmon_notice *notice)
{
	add(dump, notice->is_loss ? "LOSS " : "note ");
	add(dump, notice->text);
	add(dump, "\n");
}

static void
add_value(struct dump *d, const struct pmon_series *series, const struct pmon_raw *raw,
	  pmon_time sample_time)
{
	char line[160];

	add(d, series->name.ptr);
	(void)snprintf(line, sizeof(line), " = %" PRId64 " %" PRId64, raw->first, raw->second);
	add(d, line);
	if (raw->multi != 1) {
		(void)snprintf(line, sizeof(line), " x%" PRIu32, raw->multi);
		add(d, line);
	}
	if (raw->status != 0) {
		(void)snprintf(line, sizeof(line), " status %08" PRIX32, raw->status);
		add(d, line);
	}
	if (raw->time != sample_time) {
		(void)snprintf(line, sizeof(line), " time %+" PRId64 "ms",
			       (raw->time - sample_time) / PMON_TIME_PER_MSEC);
		add(d, line);
	}
	add(d, "\n");
}

enum pmon_status
dump_read(struct dump *d, struct pmon_source *source, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;
	char time[PMON_TIME_SIZE];
	char line[160];

	while ((status = pmon_source_next(source, &sample, err)) == PMON_OK) {
		(void)pmon_time_iso(sample->time, time);
		(void)snprintf(line, sizeof(line),
			       "%s stream %" PRIu32 " sample %" PRIu64 " offset %" PRId32 "\n",
			       time, sample->stream, sample->ordinal, sample->utc_offset_min);
		add(d, line);
		d->n_samples++;
		d->n_values += sample->n;
		for (size_t i = 0; i < sample->n; i++)
			add_value(d, pmon_schema_at(pmon_source_schema(source), sample->series[i]),
				  &sample->raw[i], sample->time);
	}
	return status;
}

enum pmon_status
dump_opened(struct dump *dump, enum pmon_status status, struct pmon_source *source,
	    struct pmon_err *err)
{
	if (status == PMON_OK)
		status = dump_read(dump, source, err);
	if (status != PMON_END)
		T_EQ_I64(err->status, status);
	pmon_source_close(source);
	return status;
}

void
dump_bytes(struct dump *d, const void *bytes, size_t len)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = dump_notice, .notice_ctx = d};
	struct dump values = {0}, again = {0};
	struct pmon_source *source;
	struct pmon_err err;

	*d = (struct dump){0};
	add(d, "");
	add(&values, "");
	add(&again, "");
	source = open_bytes(bytes, len, &options);
	assert_int_equal(dump_read(&values, source, &err), PMON_END);
	d->n_notices = d->n;
	assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
	assert_int_equal(dump_read(&again, source, &err), PMON_END);
	T_EQ_STR(again.text, values.text);
	assert_int_equal(d->n, d->n_notices);
	pmon_source_close(source);
	add(d, values.text);
	d->n_samples = values.n_samples;
	d->n_values = values.n_values;
	dump_free(&values);
	dump_free(&again);
}

void
dump_early_ends(const void *bytes, size_t len)
{
	const struct pmon_sample *sample;
	struct dump whole;
	struct pmon_err err;

	dump_bytes(&whole, bytes, len);
	for (uint64_t n = 0; n <= whole.n_samples; n++) {
		struct dump d = {0};
		struct pmon_log_options options = {
			.size = sizeof(options), .notice = dump_notice, .notice_ctx = &d};
		struct dump values = {0};
		struct pmon_source *source = open_bytes(bytes, len, &options);

		add(&d, "");
		for (uint64_t i = 0; i < n; i++)
			assert_int_equal(pmon_source_next(source, &sample, &err), PMON_OK);
		assert_int_equal(pmon_source_rewind(source, &err), PMON_OK);
		assert_int_equal(dump_read(&values, source, &err), PMON_END);
		T_EQ_U64(values.n_samples, whole.n_samples);
		T_EQ_U64(d.n, whole.n_notices);
		assert_memory_equal(d.text, whole.text, whole.n_notices);
		pmon_source_close(source);
		dump_free(&values);
		dump_free(&d);
	}
	dump_free(&whole);
}

void
dump_has(const struct dump *dump, const char *const *texts)
{
	for (; *texts != NULL; texts++)
		if (strstr(dump->text, *texts) == NULL)
			fail_msg("no \"%s\" in\n%s", *texts, dump->text);
}

void
dump_has_number(const struct dump *dump, const char *path, double number)
{
	char line[256];
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	(void)snprintf(line, sizeof(line), "%s = %" PRId64 " 0 x0\n", path, bits);
	DUMP_HAS(dump, line);
}

// ---- Damage ---------------------------------------------------------------------------------

static enum pmon_status
read_quietly(struct pmon_source *source, struct pmon_err *err)
{
	const struct pmon_sample *sample;
	enum pmon_status status;

	for (int pass = 0; pass < 2; pass++) {
		while ((status = pmon_source_next(source, &sample, err)) == PMON_OK)
			for (size_t i = 0; i < sample->n; i++)
				assert_non_null(pmon_schema_at(pmon_source_schema(source),
							       sample->series[i]));
		if (status != PMON_END)
			return status;
		status = pmon_source_rewind(source, err);
		if (status != PMON_OK)
			return status;
	}
	return PMON_OK;
}

static enum pmon_status
read_with(struct t_memory *memory, const void *bytes, size_t len)
{
	struct pmon_allocator allocator = t_memory_allocator(memory);
	struct pmon_log_options options = {
		.size = sizeof(options), .allocator = &allocator, .limits = {.series = 10000}};
	struct pmon_source *source = NULL;
	struct pmon_file *file;
	struct pmon_err err;
	enum pmon_status status;

	status = pmon_file_memory(bytes, len, &allocator, &file, &err);
	if (status == PMON_OK)
		status = pmon_log_open_file(file, &options, &source, &err);
	if (status == PMON_OK)
		status = read_quietly(source, &err);
	pmon_source_close(source);
	assert_int_equal(memory->live_blocks, 0);
	assert_int_equal(memory->live_bytes, 0);
	return status;
}

static void
read_any(const void *bytes, size_t len)
{
	struct t_memory memory = {0};

	(void)read_with(&memory, bytes, len);
}

// The C library loads a module for each code page, and forgets it when nobody uses it. A text that could be in any of
// them is tried in all, and loading takes longer than reading it: a test that reads thousands keeps them.
static void
keep_code_pages(void)
{
	static const char *const names[] = {"CP1252", "CP1250", "CP1251", "CP1253", "CP1254",
					    "CP932",  "CP936",  "CP949",  "CP950"};
	static struct pmon_codec *kept[T_LEN(names)];

	for (size_t i = 0; i < T_LEN(names); i++)
		if (kept[i] == NULL && pmon_codec_open(names[i], &kept[i], NULL) != PMON_OK)
			kept[i] = NULL;
}

void
dump_mutations(const void *bytes, size_t len)
{
	struct t_rand rand = {.state = 1};
	// Allocated with the exact size, so that a read past the end is detected.
	uint8_t *copy;

	keep_code_pages();
	for (size_t n = 0; n <= len; n++) {
		copy = malloc(n + (n == 0));
		assert_non_null(copy);
		memcpy(copy, bytes, n);
		read_any(copy, n);
		free(copy);
	}
	copy = malloc(len);
	assert_non_null(copy);
	memcpy(copy, bytes, len);
	for (size_t bit = 0; bit < len * 8; bit++) {
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
		read_any(copy, len);
		copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t k = t_runs("PMON_TEST_MUTANTS", 5000); k > 0; k--) {
		for (size_t i = t_rand_below(&rand, 8) + 1; i > 0; i--)
			copy[t_rand_below(&rand, len)] = (uint8_t)t_rand_u64(&rand);
		read_any(copy, len);
		memcpy(copy, bytes, len);
	}
	free(copy);
}

void
dump_short_of_memory(const void *bytes, size_t len)
{
	for (int rest = 0; rest < 2; rest++) {
		bool is_done = false;

		for (size_t at = 1; !is_done; at++) {
			struct t_memory memory = {.fail_at = at, .fail_rest = rest == 1};
			enum pmon_status status = read_with(&memory, bytes, len);

			is_done = t_memory_sufficed(&memory);
			assert_int_equal(status, is_done ? PMON_OK : PMON_E_NOMEM);
		}
	}
}

void
dump_free(struct dump *d)
{
	free(d->text);
	*d = (struct dump){0};
}
