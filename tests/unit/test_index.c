// test_index.c - the index that pmon info caches: an entry is read as it was written, or not at all
// SPDX-License-Identifier: MIT

#include "t.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/info/index.h"
#include "model/source.h"

#define HEAD_BYTES (9 + 4 + 6 * 8) // magic, versions, key

struct fixture {
	char folder[64];
	char file[80];
	struct args args;
	struct index index;
};

static void
begin(struct fixture *f)
{
	static const struct timespec long_ago[2] = {{1500000000, 1}, {1500000000, 1}};
	FILE *file;

	*f = (struct fixture){.folder = "/tmp/pmon-index-XXXXXX"};
	assert_non_null(mkdtemp(f->folder));
	assert_int_equal(setenv("XDG_CACHE_HOME", f->folder, 1), 0);
	assert_int_equal(unsetenv("PMON_NO_CACHE"), 0);
	(void)snprintf(f->file, sizeof(f->file), "%s/log", f->folder);
	file = fopen(f->file, "w");
	assert_non_null(file);
	assert_true(fputs("a log", file) >= 0);
	assert_int_equal(fflush(file), 0);
	assert_int_equal(futimens(fileno(file), long_ago), 0);
	assert_int_equal(fclose(file), 0);
	index_open(&f->index, &f->args, f->file);
	assert_true(f->index.is_used);
}

static void
end(struct fixture *f)
{
	char command[128];

	index_close(&f->index);
	(void)snprintf(command, sizeof(command), "rm -r %s", f->folder);
	assert_int_equal(system(command), 0);
}

static struct survey *
new_survey(uint64_t n_gaps)
{
	struct survey *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	*s = (struct survey){
		.samples = 3,
		.values = UINT64_MAX,
		.counters = 5,
		.first = 132539328000000000,
		.last = 132539328100000000,
		.steps_back = 7,
		.usual = 10000000,
		.n_gaps = n_gaps,
	};
	for (uint64_t i = 0; i < n_gaps && i < SURVEY_GAPS; i++)
		s->gaps[i] = (struct survey_gap){(int64_t)i, (int64_t)i + 1000};
	return s;
}

static const struct pmon_source source = {
	.info = {.format = "BLG",
		 .writer = "Windows",
		 .converter = "pmon",
		 .sampled_by_pmon = true,
		 .machine = "M\xC3\xBCller",
		 .zone = "",
		 .utc_offset_min = -300,
		 .log_start = 132539328000000000,
		 .log_end = PMON_TIME_NONE,
		 .size_bytes = 5,
		 .bytes_read = 5,
		 .records_unknown = 1,
		 .losses = 2,
		 .bytes_lost = 3},
};

static void
keep(struct fixture *f, uint64_t n_gaps)
{
	static const struct pmon_notice notice = {.offset = 1, .text = "a note that is kept"};
	struct survey *s = new_survey(n_gaps);

	index_notice(&f->index, &notice);
	index_keep(&f->index, &source, s);
	free(s);
}

static void
count(void *n, const struct pmon_notice *notice)
{
	T_EQ_STR(notice->text, "a note that is kept");
	T_EQ_U64(notice->offset, 1);
	++*(int *)n;
}

static void
pass_over(void *ctx, const struct pmon_notice *notice)
{
	assert_null(ctx);
	assert_true(strlen(notice->text) < CACHE_ENTRY_BYTES);
}

static bool
is_found(const struct fixture *f)
{
	struct survey *s = calloc(1, sizeof(*s));
	struct pmon_source *found;

	assert_non_null(s);
	found = index_find(&f->index, s, pass_over, NULL);
	if (found == NULL)
		T_EQ_U64(s->samples + s->n_gaps, 0);
	pmon_source_close(found);
	free(s);
	return found != NULL;
}

static void
the_same(void **state)
{
	struct fixture f;
	struct survey *want = new_survey(SURVEY_GAPS + 11);
	struct survey *got = calloc(1, sizeof(*got));
	const struct pmon_sample *sample;
	const struct pmon_source_info *info;
	struct pmon_source *found;
	int n_told = 0;

	(void)state;
	begin(&f);
	assert_non_null(got);
	assert_false(is_found(&f));
	keep(&f, SURVEY_GAPS + 11);
	found = index_find(&f.index, got, count, &n_told);
	assert_non_null(found);
	T_EQ_I64(n_told, 1);
	assert_memory_equal(got, want, sizeof(*want));
	info = pmon_source_info(found);
	T_EQ_STR(info->format, "BLG");
	T_EQ_STR(info->writer, "Windows");
	T_EQ_STR(info->converter, "pmon");
	assert_true(info->sampled_by_pmon);
	T_EQ_STR(info->machine, "M\xC3\xBCller");
	T_EQ_STR(info->zone, "");
	T_EQ_I64(info->utc_offset_min, -300);
	T_EQ_I64(info->log_start, source.info.log_start);
	T_EQ_I64(info->log_end, PMON_TIME_NONE);
	T_EQ_U64(info->size_bytes, 5);
	T_EQ_U64(info->records_unknown, 1);
	T_EQ_U64(info->losses, 2);
	T_EQ_U64(info->bytes_lost, 3);
	assert_int_equal(pmon_source_next(found, &sample, NULL), PMON_END);
	pmon_source_close(found);
	end(&f);
	free(got);
	free(want);
}

// An entry that is truncated or changed anywhere is invalid.
static void
damaged(void **state)
{
	struct fixture f;
	uint8_t *good = malloc(CACHE_ENTRY_BYTES);
	size_t len;

	(void)state;
	begin(&f);
	keep(&f, 3);
	assert_non_null(good);
	len = cache_get(f.index.folder, &f.index.key, good);
	assert_true(len > HEAD_BYTES + 100);
	for (size_t i = 0; i < len; i++) {
		cache_put(f.index.folder, &f.index.key, good, i);
		assert_false(is_found(&f));
		good[i] ^= (uint8_t)(1u << i % 8);
		cache_put(f.index.folder, &f.index.key, good, len);
		assert_false(is_found(&f));
		good[i] ^= (uint8_t)(1u << i % 8);
	}
	cache_put(f.index.folder, &f.index.key, good, len);
	assert_true(is_found(&f));
	end(&f);
	free(good);
}

// With a hash that is right, what else is wrong is found, and what is not is harmless.
static void
made_up(void **state)
{
	static const uint8_t bytes[] = {0, 1, 0x7F, 0x80, 0xFF};
	struct fixture f;
	struct t_rand r = {.state = 5};
	uint8_t *good = malloc(CACHE_ENTRY_BYTES);
	uint8_t *bad = malloc(CACHE_ENTRY_BYTES);
	size_t n_found = 0;
	size_t len;

	(void)state;
	begin(&f);
	keep(&f, 3);
	assert_true(good != NULL && bad != NULL);
	len = cache_get(f.index.folder, &f.index.key, good);
	assert_true(len > HEAD_BYTES + 100);
	len -= 8;
	for (int i = 0; i < 1000; i++) {
		size_t n = i % 8 == 0 ? HEAD_BYTES + t_rand_below(&r, len - HEAD_BYTES) : len;

		memcpy(bad, good, len);
		for (size_t k = t_rand_below(&r, 4); k > 0; k--) {
			size_t at = HEAD_BYTES + t_rand_below(&r, len - HEAD_BYTES);

			bad[at] = bytes[t_rand_below(&r, sizeof(bytes))];
		}
		for (int k = 0; k < 8; k++)
			bad[n + (size_t)k] =
				(uint8_t)(cache_hash(CACHE_HASH_SEED, bad, n) >> 8 * k);
		cache_put(f.index.folder, &f.index.key, bad, n + 8);
		n_found += is_found(&f);
	}
	assert_in_range(n_found, 1, 999);
	end(&f);
	free(good);
	free(bad);
}

// More notices than have room: then nothing is kept.
static void
too_much(void **state)
{
	static const struct pmon_notice notice = {.is_loss = true, .text = "one of many"};
	struct fixture f;

	(void)state;
	begin(&f);
	for (int i = 0; i < 1001; i++)
		index_notice(&f.index, &notice);
	keep(&f, 3);
	assert_false(is_found(&f));
	end(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same),
		cmocka_unit_test(damaged),
		cmocka_unit_test(made_up),
		cmocka_unit_test(too_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
