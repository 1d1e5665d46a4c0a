// test_blg_short.c - the short ways of the BLG reader lead to where the plain ones do
// SPDX-License-Identifier: MIT
//
// All written numbers differ, so the expected values follow from docs/reference/formats/blg.md
// alone: the n-th of several instances with the same name in a sample is "name#n", counted from 0,
// which is not written.

#include "t.h"

#include <inttypes.h>
#include <stdlib.h>

#include <pmon/query.h>

#include "blg_build.h"
#include "buf.h"
#include "format/format.h"
#include "moments.h"

#define RAWCOUNT   0x00010000u
#define TIMER      0x20510500u // on the system clock, in 100 ns
#define NO_DATA    0x800007D5u // PDH_NO_DATA
#define FORM_ITEMS 0x0203

// ---- Texts ----------------------------------------------------------------------------------

static void
add_notice(void *ctx, const struct pmon_notice *notice)
{
	buf_add(ctx, "%d %" PRIu64 " %" PRIu64 " %s\n", (int)notice->is_loss, notice->offset,
		notice->length, notice->text);
}

static bool
want_named(void *ctx, const struct pmon_path *path)
{
	const char *name = ctx;

	return path->instance.len == strlen(name) &&
	       memcmp(path->instance.ptr, name, path->instance.len) == 0;
}

// The samples of a log as text, with all counters or those of one instance; notices go to *notices.
static struct buf
read_log(const uint8_t *file, size_t len, const char *instance, struct buf *notices)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .notice = add_notice, .notice_ctx = notices};
	struct buf t = {NULL, 0, 0};
	const struct pmon_sample *sample;
	struct pmon_source *source;
	struct pmon_file *f;
	struct pmon_err err;

	options.want = instance != NULL ? want_named : NULL;
	options.want_ctx = (void *)instance;
	buf_add(&t, "%s", "");
	T_EQ_I64(pmon_file_memory(file, len, NULL, &f, &err), PMON_OK);
	if (pmon_log_open_file(f, &options, &source, &err) != PMON_OK)
		return t;
	while (pmon_source_next(source, &sample, &err) == PMON_OK) {
		buf_add(&t, "%" PRId64 "\n", (sample->time - T0) / SECOND);
		for (size_t i = 0; i < sample->n; i++)
			buf_add(&t, "%s %" PRId64 "\n",
				pmon_schema_at(pmon_source_schema(source), sample->series[i])
					->name.ptr,
				sample->raw[i].first);
	}
	pmon_source_close(source);
	return t;
}

// ---- Instances ------------------------------------------------------------------------------

#define MOST_ITEMS 60
#define N_NAMES    150

struct items {
	size_t n;
	unsigned name[MOST_ITEMS];
};

static void
insert_item(struct items *items, size_t at, unsigned name)
{
	if (items->n == MOST_ITEMS)
		return;
	memmove(&items->name[at + 1], &items->name[at], (items->n - at) * sizeof(items->name[0]));
	items->name[at] = name;
	items->n++;
}

static void
remove_items(struct items *items, size_t at, size_t n)
{
	n = n > items->n - at ? items->n - at : n;
	memmove(&items->name[at], &items->name[at + n],
		(items->n - at - n) * sizeof(items->name[0]));
	items->n -= n;
}

static void
change_items(struct t_rand *r, struct items *items)
{
	size_t at = t_rand_below(r, items->n + 1);
	unsigned name = (unsigned)t_rand_below(r, N_NAMES);

	switch (t_rand_below(r, 7)) {
	case 0:
		insert_item(items, at, name);
		break;
	case 1:
		remove_items(items, at, 1 + t_rand_below(r, 7));
		break;
	case 2: // one gives way to another
		remove_items(items, at, 1);
		insert_item(items, at, name);
		break;
	case 3: // one of the same name, before or after the other
		if (items->n > 0)
			insert_item(items, at, items->name[t_rand_below(r, items->n)]);
		break;
	case 4: // one moves
		if (items->n > 0) {
			name = items->name[items->n - 1];
			remove_items(items, items->n - 1, 1);
			insert_item(items, at < items->n ? at : items->n, name);
		}
		break;
	case 5:
		if (t_rand_below(r, 10) == 0)
			items->n = 0;
		break;
	default: // as it was
		break;
	}
}

static void
name_of(unsigned name, char buf[32])
{
	(void)snprintf(buf, 32, name % 3 == 0 ? "n%u" : "a longer name %u", name);
}

static void
put_le(uint8_t *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

// A record of items, form 0203, with the names after the items: in their order, in the other order, or
// with gaps between them.
static void
put_items(struct blg_build *b, int64_t time, const struct items *items, int64_t value, size_t way)
{
	uint8_t bytes[24 + MOST_ITEMS * (24 + 80)] = {0};
	size_t end = 24 + 24 * items->n;

	put_le(bytes + 4, items->n, 4);
	put_le(bytes + 16, (uint64_t)time, 8);
	for (size_t k = 0; k < items->n; k++) {
		size_t i = way == 1 ? items->n - 1 - k : k;
		uint8_t *item = bytes + 24 + 24 * i;
		char name[32];

		name_of(items->name[i], name);
		put_le(item, end, 4);
		put_le(item + 4, 1, 4);
		put_le(item + 8, (uint64_t)(value + (int64_t)i), 8);
		put_le(item + 16, (uint64_t)time, 8);
		for (size_t c = 0; c <= strlen(name); c++, end += 2)
			put_le(bytes + end, (uint8_t)name[c], 2);
		end += way == 2 ? 2 * (i % 3) : 0;
	}
	put_le(bytes, end - 4, 4);
	blg_build_value(b, FORM_ITEMS, bytes, end);
}

static void
add_items(struct buf *want, const struct items *items, const char *counter, int64_t value)
{
	for (size_t i = 0; i < items->n; i++) {
		size_t n_before = 0;
		char name[32];

		for (size_t k = 0; k < i; k++)
			n_before += items->name[k] == items->name[i];
		name_of(items->name[i], name);
		if (n_before == 0)
			buf_add(want, "\\O(%s)\\%s %" PRId64 "\n", name, counter,
				value + (int64_t)i);
		else
			buf_add(want, "\\O(%s#%zu)\\%s %" PRId64 "\n", name, n_before, counter,
				value + (int64_t)i);
	}
}

static void
test_instances_that_come_and_go(void **state)
{
	static const struct blg_build_entry entries[] = {
		{1, RAWCOUNT, 0, 0, NULL, "O", "*", NULL, "A", 0},
		{1, TIMER, 10000000, 0, NULL, "O", "*", NULL, "B", 0},
	};

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct t_rand r = {.state = seed * UINT64_C(0x9E3779B97F4A7C15)};
		struct blg_build *b = blg_build_new(NULL);
		struct buf want = {NULL, 0, 0}, notices = {NULL, 0, 0}, got;
		struct items items = {.n = 0};
		uint8_t *file;
		size_t len;

		blg_build_catalogue(b, T0 - SECOND, entries, T_LEN(entries));
		for (int64_t s = 0; s < 200; s++) {
			int64_t time = T0 + s * SECOND;
			size_t way =
				t_rand_below(&r, 8) == 0 ? t_rand_below(&r, 3) : (size_t)(seed % 3);

			for (size_t n = t_rand_below(&r, 4); n > 0; n--)
				change_items(&r, &items);
			buf_add(&want, "%" PRId64 "\n", s);
			blg_build_sample_begin(b);
			put_items(b, time, &items, s * 1000, way);
			add_items(&want, &items, "A", s * 1000);
			put_items(b, time, &items, s * 1000 + 500, way);
			add_items(&want, &items, "B", s * 1000 + 500);
			blg_build_sample_end(b, time);
		}
		file = blg_build_finish(b, &len);
		got = read_log(file, len, NULL, &notices);
		T_EQ_STR(got.text, want.text);
		free(file);
		buf_free(&got);
		buf_free(&want);
		buf_free(&notices);
	}
}

// ---- Few of many ----------------------------------------------------------------------------

#define N_SINGLES 400
#define CLOCK     3 // the first whose second value is the time in UTC
#define WANTED    217
#define PLAIN     999 // the seed of a log without oddities

static void
put_singles(struct t_rand *r, struct blg_build *b, int64_t s, bool is_odd, struct buf *want,
	    size_t *n_lost)
{
	static const uint8_t unknown[0x28];
	int64_t time = T0 + s * SECOND;
	const size_t odds[] = {CLOCK, WANTED, t_rand_below(r, N_SINGLES)};
	size_t odd = is_odd ? odds[s == 0 ? 0 : t_rand_below(r, 3)] : N_SINGLES;
	size_t kind = t_rand_below(r, 4);

	buf_add(want, "%" PRId64 "\n", s);
	blg_build_sample_begin(b);
	for (size_t i = 0; i < N_SINGLES; i++) {
		int64_t first = s * 1000 + (int64_t)i;

		if (i == odd && kind == 0) // a form that is not known, too short for a value
			blg_build_value(b, 0x7777, unknown, 0x10);
		else if (i == odd && kind == 3 && i == WANTED) { // the same, as long as a value
			blg_build_value(b, 0x7777, unknown, sizeof(unknown));
			(*n_lost)++;
		} else if (i == odd && kind == 1) // away, as pmon writes it
			blg_build_single(b, 0x800007D1, time, 0, 0, 0);
		else
			blg_build_single(b, i == odd ? NO_DATA : 0, time, first, time, 1);
		if (i == WANTED && (i != odd || kind == 2))
			buf_add(want, "\\O(i%d)\\C %" PRId64 "\n", WANTED, first);
	}
	blg_build_sample_end(b, time);
}

static void
list_singles(struct blg_build_entry entries[N_SINGLES], char names[N_SINGLES][16])
{
	for (size_t i = 0; i < N_SINGLES; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "i%zu", i);
		entries[i] = (struct blg_build_entry){.type = i < CLOCK || i == WANTED ? RAWCOUNT
										       : TIMER,
						      .time_base = 10000000,
						      .object = "O",
						      .instance = names[i],
						      .counter = "C"};
	}
}

static uint8_t *
many_singles(const struct blg_build_options *options, uint64_t seed, struct buf *want,
	     size_t *n_lost, size_t *len)
{
	struct blg_build_entry entries[N_SINGLES];
	char names[N_SINGLES][16];
	struct t_rand r = {.state = seed * UINT64_C(0x9E3779B97F4A7C15)};
	struct blg_build *b = blg_build_new(options);

	list_singles(entries, names);
	blg_build_catalogue(b, T0 - SECOND, entries, N_SINGLES);
	for (int64_t s = 0; s < 30; s++) {
		put_singles(&r, b, s, seed != PLAIN && (s == 0 || t_rand_below(&r, 3) == 0), want,
			    n_lost);
		if (seed != PLAIN && t_rand_below(&r, 6) == 0)
			blg_build_foreign(b, 100);
	}
	return blg_build_finish(b, len);
}

static size_t
count_of(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)) != NULL; text++)
		n++;
	return n;
}

static void
test_one_of_many(void **state)
{
	static const struct blg_build_options kinds[] = {
		{.end = T0, .chunk_bytes = 3000, .bias = 60}, // which the values contradict
		{.end = T0, .buffer_bytes = 0x10000},
		{.end = T0, .buffer_bytes = 0x10000, .chunk_bytes = 30000},
		{.end = T0, .buffer_bytes = 0x1000, .chunk_bytes = 333},
	};

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct buf want = {NULL, 0, 0}, notices = {NULL, 0, 0}, got;
		size_t len, n_lost = 0;
		uint8_t *file =
			many_singles(&kinds[seed % T_LEN(kinds)], seed, &want, &n_lost, &len);

		buf_add(&notices, "%s", "");
		got = read_log(file, len, "i217", &notices);
		T_EQ_STR(got.text, want.text);
		T_EQ_U64(count_of(notices.text, "is of form 7777"), n_lost);
		T_EQ_U64(count_of(notices.text, "\n"), n_lost);
		free(file);
		buf_free(&got);
		buf_free(&want);
		buf_free(&notices);
	}
}

// The places in the file of the heads of buffers and events.
static size_t
next_head(const uint8_t *file, size_t len, size_t at, size_t buffer_bytes)
{
	size_t buffer = at / buffer_bytes * buffer_bytes;
	const uint8_t *p = file + buffer + 0x30;
	size_t used = (size_t)(p[0] | p[1] << 8 | p[2] << 16);
	size_t size = at == buffer ? 0x48 : (size_t)(file[at] | file[at + 1] << 8);

	at += (size + 7) / 8 * 8;
	if (at - buffer + 8 > used)
		at = buffer + buffer_bytes;
	return at < len ? at : 0;
}

// Damage in heads is reported, and loses the same values, whether all counters are read or only one.
static void
test_damage_in_heads(void **state)
{
	static const struct blg_build_options options = {.end = T0, .buffer_bytes = 0x4000};
	struct buf want = {NULL, 0, 0};
	struct t_rand r = {.state = 77};
	size_t len, n_told = 0, n_lost = 0;
	uint8_t *file = many_singles(&options, 5, &want, &n_lost, &len);

	(void)state;
	for (size_t at = 0x4000; at != 0; at = next_head(file, len, at, 0x4000)) {
		struct buf notices = {NULL, 0, 0}, one_notices = {NULL, 0, 0}, all, one;
		size_t where = at + t_rand_below(&r, 0x48);
		uint8_t before = file[where];

		file[where] ^= (uint8_t)(1 + t_rand_below(&r, 255));
		buf_add(&notices, "%s", "");
		buf_add(&one_notices, "%s", "");
		all = read_log(file, len, NULL, &notices);
		one = read_log(file, len, "i217", &one_notices);
		T_EQ_STR(one_notices.text, notices.text);
		n_told += notices.len > 0;
		for (const char *line = one.text; *line != '\0'; line = strchr(line, '\n') + 1) {
			char whole[64];

			(void)snprintf(whole, sizeof(whole), "%.*s", (int)strcspn(line, "\n") + 1,
				       line);
			assert_non_null(strstr(all.text, whole));
		}
		file[where] = before;
		buf_free(&notices);
		buf_free(&one_notices);
		buf_free(&all);
		buf_free(&one);
	}
	assert_true(n_told > 20);
	buf_free(&want);
	free(file);
}

// Damage in a value that was not requested loses the sample if everything is read, and nothing if
// only one counter is, because the value is not parsed.
static void
test_damage_outside_the_wanted_counter(void **state)
{
	static const struct blg_build_options options = {.end = T0, .buffer_bytes = 0x10000};
	struct buf want = {NULL, 0, 0}, notices = {NULL, 0, 0}, one_notices = {NULL, 0, 0};
	struct buf all, one;
	size_t len, n_lost = 0;
	uint8_t *file = many_singles(&options, PLAIN, &want, &n_lost, &len);
	uint8_t *p = file + 5 * 0x10000 + 0x48 + 72;

	(void)state;
	// The length of some value in the middle of a part.
	for (p += 4000; memcmp(p, "BL\3\1\x30", 5) != 0;)
		p++;
	p[4] = 0x31;
	all = read_log(file, len, NULL, &notices);
	one = read_log(file, len, "i217", &one_notices);
	assert_non_null(strstr(notices.text, "sample of"));
	T_EQ_U64(one_notices.len, 0);
	T_EQ_STR(one.text, want.text);
	buf_free(&all);
	buf_free(&one);
	buf_free(&want);
	buf_free(&notices);
	free(file);
}

static const char *
line_with(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

// The length of a buffer is too small, by whole events: the others are read too, and that is reported once.
static void
check_short_buffers(pmon_time end, char is_loss, const char *report)
{
	const struct blg_build_options options = {.end = end, .buffer_bytes = 0x10000};
	struct buf want = {NULL, 0, 0};
	size_t len, n_lost = 0;
	uint8_t *file = many_singles(&options, PLAIN, &want, &n_lost, &len);

	for (size_t at = 0x10000; at != 0; at = next_head(file, len, at, 0x10000)) {
		struct buf notices = {NULL, 0, 0}, one;
		size_t used = at % 0x10000;
		uint8_t *copy;
		uint8_t *buffer;

		if (used == 0)
			continue;
		copy = malloc(len);
		assert_non_null(copy);
		memcpy(copy, file, len);
		buffer = copy + at - used;
		for (size_t i = 0; i < 4; i++)
			buffer[0x04 + i] = buffer[0x30 + i] = (uint8_t)(used >> 8 * i);
		one = read_log(copy, len, "i217", &notices);
		T_EQ_STR(one.text, want.text);
		T_EQ_U64(count_of(notices.text, report), 1);
		T_EQ_I64_AT(line_with(notices.text, report)[0], is_loss, notices.text);
		buf_free(&notices);
		buf_free(&one);
		free(copy);
	}
	buf_free(&want);
	free(file);
}

static void
test_short_buffers(void **state)
{
	(void)state;
	check_short_buffers(T0, '1', "the length of a buffer is damaged");
	// A log that was not closed may end so.
	check_short_buffers(0, '0', "are not counted in the length of the buffer");
}

// Halfway the log continues with another list, in which the wanted counter has another place.
static uint8_t *
two_lists(struct buf *want, size_t *len)
{
	static const struct blg_build_options options = {.end = T0, .buffer_bytes = 0x4000};
	struct blg_build_entry entries[N_SINGLES], before;
	char names[N_SINGLES][16];
	struct blg_build *b = blg_build_new(&options);
	size_t place = WANTED;

	list_singles(entries, names);
	for (int64_t s = 0; s < 10; s++) {
		int64_t time = T0 + s * SECOND;

		if (s == 5) {
			before = entries[WANTED];
			entries[WANTED] = entries[N_SINGLES - 1];
			entries[N_SINGLES - 1] = before;
			place = N_SINGLES - 1;
		}
		if (s % 5 == 0)
			blg_build_catalogue(b, time, entries, N_SINGLES);
		blg_build_sample_begin(b);
		for (size_t i = 0; i < N_SINGLES; i++)
			blg_build_single(b, 0, time, s * 1000 + (int64_t)i, time, 1);
		blg_build_sample_end(b, time);
		buf_add(want, "%" PRId64 "\n\\O(i%d)\\C %" PRId64 "\n", s, WANTED,
			s * 1000 + (int64_t)place);
	}
	return blg_build_finish(b, len);
}

// A list of counters whose events claim to belong to a sample: its tag gives the real type, and it
// is read completely, although little is read of samples.
static void
test_list_in_the_events_of_a_sample(void **state)
{
	struct buf want = {NULL, 0, 0}, notices = {NULL, 0, 0}, got;
	size_t len, n_samples = 0, n_changed = 0;
	uint8_t *file = two_lists(&want, &len);

	(void)state;
	for (size_t at = 0x4000; at != 0; at = next_head(file, len, at, 0x4000)) {
		if (at % 0x4000 == 0)
			continue;
		n_samples += file[at + 4] == 0x22;
		if (file[at + 4] != 0x20 || n_samples == 0)
			continue;
		file[at + 4] = 0x22;
		n_changed++;
	}
	assert_true(n_changed > 1);
	got = read_log(file, len, "i217", &notices);
	T_EQ_STR(got.text, want.text);
	T_EQ_U64(notices.len, 0);
	free(file);
	buf_free(&got);
	buf_free(&want);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instances_that_come_and_go),
		cmocka_unit_test(test_one_of_many),
		cmocka_unit_test(test_damage_in_heads),
		cmocka_unit_test(test_damage_outside_the_wanted_counter),
		cmocka_unit_test(test_short_buffers),
		cmocka_unit_test(test_list_in_the_events_of_a_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
