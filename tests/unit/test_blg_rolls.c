// test_blg_rolls.c - a BLG round trip keeps instances of several counters
// SPDX-License-Identifier: MIT
//
// Counters of one wildcard list the same instances in each sample, or different ones, or alternate
// between both, while instances appear, disappear and change places. The expected values are those
// that were written.

#include "t.h"

#include <stdlib.h>
#include <unistd.h>

#include <pmon/pmon.h>

#include "format/format.h"
#include "memsource.h"

#define MOST_NAMES 40
#define N_SAMPLES  40
#define START      INT64_C(133485408000000000) // 2024-01-01

// So many as a source in memory holds; the second has more counters than share a roll (blg.h).
struct shape {
	size_t names;
	size_t most; // of them in a sample
	size_t counters;
};
static const struct shape shapes[] = {{MOST_NAMES, MOST_NAMES, 5}, {12, 3, 70}};

// How the lists of counters differ.
enum mode {
	ALL_ALIKE,
	SOME_LACK,  // some instances never have some of the counters
	ALL_DIFFER, // in each sample
	BOTH,       // in every third
	N_MODES,
};

static bool
has_counter(struct t_rand *r, enum mode mode, size_t sample, size_t name, size_t counter)
{
	switch (mode) {
	case SOME_LACK:
		return name % 5 != 2 || counter % 7 != 3;
	case ALL_DIFFER:
		return t_rand_below(r, 3) != 0;
	case BOTH:
		return sample % 3 != 2 || t_rand_below(r, 3) != 0;
	default:
		return true;
	}
}

static void
add_series(struct mem_source *m, const struct shape *shape)
{
	for (size_t i = 0; i < shape->names; i++)
		for (size_t k = 0; k < shape->counters; k++) {
			char path[80];

			(void)snprintf(path, sizeof(path), "\\\\M\\Object(%s%zu)\\C%zu",
				       i % 5 == 4 ? "a long name " : "p", i, k);
			T_EQ_U64(mem_source_series(m, path, PMON_PERF_COUNTER_RAWCOUNT, 1),
				 i * shape->counters + k);
		}
}

// Names in an order that changes a little from sample to sample; only the first ones are present.
static size_t
change_names(struct t_rand *r, const struct shape *shape, size_t *names, size_t n)
{
	for (size_t changes = t_rand_below(r, 4); changes > 0; changes--) {
		size_t a = t_rand_below(r, shape->names);
		size_t b = t_rand_below(r, shape->names);
		size_t name = names[a];

		names[a] = names[b];
		names[b] = name;
	}
	if (t_rand_below(r, 3) == 0)
		n = n / 2 + t_rand_below(r, shape->most - n / 2 + 1);
	return n;
}

static struct pmon_source *
make_source(uint64_t seed, enum mode mode, const struct shape *shape)
{
	struct t_rand r = {.state = seed};
	struct mem_source *m = mem_source_new();
	struct pmon_source *source;
	size_t names[MOST_NAMES];
	size_t n = shape->most / 2;

	add_series(m, shape);
	for (size_t i = 0; i < shape->names; i++)
		names[i] = i;
	for (size_t s = 0; s < N_SAMPLES; s++) {
		mem_source_sample(m, START + (int64_t)s * PMON_TIME_PER_SEC);
		n = change_names(&r, shape, names, n);
		for (size_t p = 0; p < n; p++)
			for (size_t k = 0; k < shape->counters; k++)
				if (has_counter(&r, mode, s, names[p], k))
					mem_source_raw(m,
						       (uint32_t)(names[p] * shape->counters + k),
						       (int64_t)(t_rand_u64(&r) >> 16), 0);
	}
	source = mem_source_open(m);
	for (size_t i = 0; i < source->schema.n; i++)
		source->schema.list[i]->wildcard = true;
	return source;
}

// ---- Writing and reading ---------------------------------------------------------------------

static char *
write_log(struct pmon_source *source, size_t *len_out)
{
	char path[] = "/tmp/pmon-rolls-XXXXXX";
	struct pmon_create_options options = {.size = sizeof(options), .overwrite = true};
	struct pmon_sink *sink;
	struct pmon_err err = {.status = PMON_OK};
	int fd = mkstemp(path);
	char *bytes;

	assert_true(fd >= 0);
	T_EQ_I64(pmon_log_create(path, "blg", &options, &sink, &err), PMON_OK);
	if (pmon_copy(source, sink, NULL, &err) != PMON_OK)
		fail_msg("%s", err.msg);
	pmon_sink_close(sink);
	bytes = t_read_file(path, len_out);
	assert_non_null(bytes);
	(void)close(fd);
	(void)unlink(path);
	return bytes;
}

static struct pmon_source *
open_log(const char *bytes, size_t len)
{
	static const struct pmon_log_options options = {.size = sizeof(options)};
	struct pmon_file *file;
	struct pmon_source *source;
	struct pmon_err err;

	T_EQ_I64(pmon_file_memory(bytes, len, NULL, &file, &err), PMON_OK);
	T_EQ_I64(pmon_log_open_file(file, &options, &source, &err), PMON_OK);
	return source;
}

struct named {
	const char *name;
	int64_t first;
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static struct named *
named_values(const struct pmon_source *source, const struct pmon_sample *sample)
{
	struct named *named = calloc(sample->n + 1, sizeof(*named));

	assert_non_null(named);
	for (size_t i = 0; i < sample->n; i++) {
		named[i].name =
			pmon_schema_at(pmon_source_schema(source), sample->series[i])->name.ptr;
		named[i].first = sample->raw[i].first;
	}
	qsort(named, sample->n, sizeof(*named), by_name);
	return named;
}

static void
same_sample(struct pmon_source *a, const struct pmon_sample *x, struct pmon_source *b,
	    const struct pmon_sample *y)
{
	struct named *m = named_values(a, x);
	struct named *n = named_values(b, y);

	T_EQ_U64(x->n, y->n);
	T_EQ_I64(x->time, y->time);
	for (size_t i = 0; i < x->n; i++) {
		T_EQ_STR(m[i].name, n[i].name);
		T_EQ_I64(m[i].first, n[i].first);
	}
	free(m);
	free(n);
}

// Twice, as the second time begins with all that was learned in the first.
static void
check_log(struct pmon_source *written, const char *bytes, size_t len)
{
	struct pmon_source *source = open_log(bytes, len);
	const struct pmon_sample *want;
	const struct pmon_sample *got;
	struct pmon_err err;

	for (int pass = 0; pass < 2; pass++) {
		T_EQ_I64(pmon_source_rewind(written, &err), PMON_OK);
		T_EQ_I64(pmon_source_rewind(source, &err), PMON_OK);
		while (pmon_source_next(written, &want, &err) == PMON_OK) {
			T_EQ_I64(pmon_source_next(source, &got, &err), PMON_OK);
			same_sample(written, want, source, got);
		}
		T_EQ_I64(pmon_source_next(source, &got, &err), PMON_END);
	}
	T_EQ_U64(pmon_source_info(source)->losses, 0);
	pmon_source_close(source);
}

static void
test_what_was_written(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++)
		for (enum mode mode = ALL_ALIKE; mode < N_MODES; mode++) {
			struct pmon_source *source = make_source(seed, mode, &shapes[seed == 5]);
			size_t len;
			char *bytes = write_log(source, &len);

			check_log(source, bytes, len);
			free(bytes);
			pmon_source_close(source);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
