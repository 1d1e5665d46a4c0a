// test_blg_damage.c - the BLG reader on every truncation and every flipped bit of a small log
// SPDX-License-Identifier: MIT
//
// However the file is changed, reading ends, with bounded memory and without a leak; what the damage
// did not touch is read as before; and no sample is missing without a word.

#include "t.h"

#include <stdlib.h>

#include <pmon/log.h>

#include "blg_mixed.h"
#include "format/format.h"

#define MAX_MEMORY ((size_t)1 << 20)
#define N_SAMPLES  BLG_MIXED_SAMPLES
#define BUFFER     BLG_MIXED_BUFFER

// ---- Reading it -----------------------------------------------------------------------------

// libc's memory with a count of it.
struct meter {
	size_t live, peak;
};

static void *
meter_alloc(void *ctx, size_t size)
{
	struct meter *m = ctx;

	m->live += size;
	m->peak = m->live > m->peak ? m->live : m->peak;
	return malloc(size);
}

static void
meter_free(void *ctx, void *ptr, size_t size)
{
	struct meter *m = ctx;

	m->live -= size;
	free(ptr);
}

static void *
meter_realloc(void *ctx, void *ptr, size_t old_size, size_t size)
{
	void *grown = meter_alloc(ctx, size);

	assert_non_null(grown);
	memcpy(grown, ptr, old_size < size ? old_size : size);
	meter_free(ctx, ptr, old_size);
	return grown;
}

struct outcome {
	enum pmon_status opened; // of opening; the fields below are 0 when it failed
	enum pmon_status ended;
	size_t n;
	uint64_t hash[2 * N_SAMPLES]; // of the samples, in the order they came
	uint64_t losses;
	uint64_t unknown;
};

static uint64_t
mix(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * UINT64_C(1099511628211);
	return h;
}

// Everything in a sample except the numbers of its series.
static uint64_t
hash_sample(const struct pmon_schema *schema, const struct pmon_sample *sample)
{
	uint64_t h = mix(0, &sample->time, sizeof(sample->time));

	for (size_t i = 0; i < sample->n; i++) {
		const struct pmon_series *series = pmon_schema_at(schema, sample->series[i]);
		const struct pmon_raw *raw = &sample->raw[i];

		assert_non_null(series);
		h = mix(h, series->name.ptr, series->name.len);
		h = mix(h, &raw->status, sizeof(raw->status));
		h = mix(h, &raw->time, sizeof(raw->time));
		h = mix(h, &raw->first, sizeof(raw->first));
		h = mix(h, &raw->second, sizeof(raw->second));
		h = mix(h, &raw->multi, sizeof(raw->multi));
	}
	return h;
}

static void
read_samples(struct pmon_source *source, struct outcome *out)
{
	const struct pmon_sample *sample;
	struct pmon_err err;

	while ((out->ended = pmon_source_next(source, &sample, &err)) == PMON_OK) {
		assert_true(out->n < T_LEN(out->hash));
		out->hash[out->n++] = hash_sample(pmon_source_schema(source), sample);
	}
	out->losses = pmon_source_info(source)->losses;
	out->unknown = pmon_source_info(source)->records_unknown;
}

static struct outcome
read_file(const uint8_t *file, size_t len)
{
	struct meter meter = {0};
	struct pmon_allocator allocator = {meter_alloc, meter_realloc, meter_free, &meter};
	struct pmon_log_options options = {.size = sizeof(options), .allocator = &allocator};
	struct outcome out = {0};
	struct pmon_source *source;
	struct pmon_file *f;
	struct pmon_err err;

	assert_int_equal(pmon_file_memory(file, len, &allocator, &f, &err), PMON_OK);
	out.opened = pmon_log_open_file(f, &options, &source, &err);
	if (out.opened == PMON_OK) {
		read_samples(source, &out);
		pmon_source_close(source);
	} else {
		assert_true(out.opened != PMON_END && err.msg[0] != '\0');
	}
	assert_true(meter.peak < MAX_MEMORY);
	assert_int_equal(meter.live, 0);
	return out;
}

static bool
has(const struct outcome *out, uint64_t hash)
{
	for (size_t i = 0; i < out->n; i++)
		if (out->hash[i] == hash)
			return true;
	return false;
}

// ---- The damages ----------------------------------------------------------------------------

static void
truncations(void **state)
{
	static const uint8_t generations[] = {5, 10};

	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct outcome whole = read_file(built.file, built.len);
		size_t n_before = 0;

		T_EQ_U64(whole.n, N_SAMPLES);
		T_EQ_U64(whole.losses, 0);
		for (size_t len = 0; len < built.len; len++) {
			// A copy of exactly that size, so that the sanitizer detects any read past it.
			uint8_t *copy = malloc(len + 1);
			struct outcome out;

			assert_non_null(copy);
			memcpy(copy, built.file, len);
			out = read_file(copy, len);
			free(copy);
			assert_true(out.n >= n_before);
			n_before = out.n;
			for (size_t i = 0; i < out.n; i++)
				assert_true(out.hash[i] == whole.hash[i]);
			if (out.opened == PMON_OK && out.n < N_SAMPLES)
				assert_true(out.losses > 0);
		}
		T_EQ_U64(n_before, N_SAMPLES);
		free(built.file);
	}
}

static void
check_flip(const struct blg_mixed *built, const struct outcome *whole, const struct outcome *out,
	   size_t byte)
{
	size_t buffer = byte / BUFFER;

	// Buffers 0 and 1 concern all samples.
	if (buffer < 2)
		return;
	assert_int_equal(out->opened, PMON_OK);
	assert_int_equal(out->ended, PMON_END);
	for (size_t i = 0; i < N_SAMPLES; i++)
		if (buffer < built->first_buffer[i] || buffer > built->last_buffer[i])
			assert_true(has(out, whole->hash[i]));
}

static void
bit_flips(void **state)
{
	static const uint8_t generations[] = {5, 10};

	(void)state;
	for (size_t g = 0; g < T_LEN(generations); g++) {
		struct blg_mixed built = blg_mixed_build(generations[g]);
		struct outcome whole = read_file(built.file, built.len);

		for (size_t bit = 0; bit < built.len * 8; bit++) {
			struct outcome out;

			// A few bytes of a buffer's padding are enough.
			if (built.file[bit / 8] == 0xFF && bit / 8 % 16 != 0)
				continue;
			built.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
			out = read_file(built.file, built.len);
			built.file[bit / 8] ^= (uint8_t)(1 << bit % 8);
			check_flip(&built, &whole, &out, bit / 8);
			if (out.opened == PMON_OK && out.n < N_SAMPLES && out.losses == 0)
				fail_msg("bit %zu: %zu samples and not a word", bit, out.n);
		}
		free(built.file);
	}
}

// Random bytes all over the file, more and more of them.
static void
random_damage(void **state)
{
	struct blg_mixed built = blg_mixed_build(10);
	struct t_rand r = {12345};
	uint8_t *copy = malloc(built.len);

	(void)state;
	assert_non_null(copy);
	for (size_t round = 0; round < 2000; round++) {
		memcpy(copy, built.file, built.len);
		for (size_t i = 0; i <= round / 100; i++)
			copy[0x70 + t_rand_below(&r, built.len - 0x70)] = (uint8_t)t_rand_u64(&r);
		(void)read_file(copy, built.len);
	}
	free(copy);
	free(built.file);
}

// A whole buffer gone: its samples are lost, the others are not.
static void
lost_buffers(void **state)
{
	struct blg_mixed built = blg_mixed_build(10);
	struct outcome whole = read_file(built.file, built.len);

	(void)state;
	for (size_t buffer = 2; buffer < built.len / BUFFER; buffer++) {
		for (int fill = 0; fill < 256; fill += 0x5A) {
			uint8_t *copy = malloc(built.len);
			struct outcome out;

			assert_non_null(copy);
			memcpy(copy, built.file, built.len);
			memset(copy + buffer * BUFFER, fill, BUFFER);
			out = read_file(copy, built.len);
			check_flip(&built, &whole, &out, buffer * BUFFER);
			// Zeros at the end are what a log that was not closed looks like.
			if (fill != 0 || buffer < built.len / BUFFER - 1)
				assert_true(out.losses > 0);
			free(copy);
		}
	}
	free(built.file);
}

// Buffers that were prepared but never written are not damage.
static void
zeros_at_the_end(void **state)
{
	struct blg_mixed built = blg_mixed_build(10);
	uint8_t *copy = calloc(1, built.len + 3 * BUFFER);
	struct outcome out;

	(void)state;
	assert_non_null(copy);
	memcpy(copy, built.file, built.len);
	out = read_file(copy, built.len + 3 * BUFFER);
	T_EQ_U64(out.n, N_SAMPLES);
	T_EQ_U64(out.losses, 0);
	free(copy);
	free(built.file);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncations),      cmocka_unit_test(bit_flips),
		cmocka_unit_test(random_damage),    cmocka_unit_test(lost_buffers),
		cmocka_unit_test(zeros_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
