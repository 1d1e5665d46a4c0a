// test_pdhtext_ahead.c - threads that read ahead give the same samples and notices as reading
// without them
// SPDX-License-Identifier: MIT

#include "test_pdhtext.h"

#include "folder.h"
#include "model/source.h"
#include "model/zone_rules.h"
#include "write_fault.h"

#include <unistd.h>

#define PART_BYTES  ((size_t)256 << 10)
#define N_ROWS_LONG 45000u // of 100 bytes or more: enough for threads to be begun
#define MOST_TEXT   ((size_t)16 << 20)
#define THREADS     3
#define NOTE        "\"a column of text that is no counter, so that lines are longer\""
#define C           "\"\\\\SRV\\Memory\\Pages/sec\""

// Broken versions of a line.
enum odd {
	BAD_CELL,
	HUGE_CELL,
	SHORT_LINE,
	LONG_LINE,
	BLANK_LINE,
	ZERO_BYTES,
	WORDS,
	OPEN_QUOTE,
	NO_TIME,
	BARE_CR,
	VERY_LONG,
	NEW_HEADER,
	SET_BACK,
	EMPTY_CELL,
	ODDS,
};

static const char *const names[ODDS] = {"a cell that is no number",
					"a huge number",
					"a short line",
					"a long line",
					"a blank line",
					"zero bytes",
					"words",
					"an open quote",
					"no time",
					"a line end of CR",
					"a very long line",
					"a new header",
					"the clock set back",
					"an empty cell"};

struct text {
	char *bytes;
	size_t len;
	int64_t second; // of the next line
};

static void
add(struct text *t, const char *format, const char *time, unsigned row)
{
	t->len += (size_t)snprintf(t->bytes + t->len, 400, format, time, row, row % 977);
}

static void
add_line(struct text *t, unsigned row, enum odd odd)
{
	static const char *const lines[ODDS] = {
		[BAD_CELL] = "%s," NOTE ",\"%u\",\"wrong%u\"\n",
		[HUGE_CELL] = "%s," NOTE ",\"%u\",\"%u1e999\"\n",
		[SHORT_LINE] = "%s," NOTE ",\"%u\"\n",
		[LONG_LINE] = "%s," NOTE ",\"%u\",\"%u\",\"3\"\n",
		[BLANK_LINE] = "\n",
		[WORDS] = "Exiting, please wait...\n",
		[OPEN_QUOTE] = "%s," NOTE ",\"%u\",\"%u\n",
		[NO_TIME] = "\"now\",\"1\",\"2\"\n",
		[BARE_CR] = "%s," NOTE ",\"%u\",\"%u\"\r",
		[NEW_HEADER] = HEAD "," A "," C "\n",
		[EMPTY_CELL] = "%s," NOTE ",\"%u\",\" \"\n",
	};
	char time[40];

	if (odd == SET_BACK) // on a night on which it may be
		t->second -= 3600;
	(void)snprintf(time, sizeof(time), "\"10/25/2026 %02d:%02d:%02d.%03d\"",
		       (int)(t->second / 3600 % 24), (int)(t->second / 60 % 60),
		       (int)(t->second % 60), (int)(row % 1000));
	t->second += row % 7 == 0;
	if (odd < ODDS && lines[odd] != NULL) {
		add(t, lines[odd], time, row);
		return;
	}
	if (odd == ZERO_BYTES) {
		memset(t->bytes + t->len, 0, 300);
		t->len += 300;
	}
	if (odd == VERY_LONG) {
		memset(t->bytes + t->len, 'x', 9000);
		t->len += 9000;
	}
	add(t, "%s," NOTE ",\"%u\",\"%u.5\"\r\n", time, row);
}

static const char *zone; // of the log; NULL: not given

// Lines from `first` on, one of `step`, are odd; those before `short_before` are short.
static void
make_with_short(struct text *t, enum odd odd, unsigned first, unsigned step, unsigned short_before)
{
	t->second = zone != NULL ? 5400 : 3600;
	t->len = (size_t)snprintf(t->bytes, 400, "%s", HEAD ",\"note\"," A "," B "\n");
	for (unsigned row = 0; row < N_ROWS_LONG; row++)
		add_line(t, row,
			 row < short_before                          ? SHORT_LINE
			 : row >= first && (row - first) % step == 0 ? odd
								     : ODDS);
}

static void
make(struct text *t, enum odd odd, unsigned first, unsigned step)
{
	make_with_short(t, odd, first, step, 0);
}

// The first line that begins in the second part.
static unsigned
second_part(const struct text *t)
{
	const char *line = strchr(t->bytes, '\n') + 1;
	const char *part = line + PART_BYTES;
	unsigned row = 0;

	for (; line < part; row++)
		line = strchr(line, '\n') + 1;
	return row;
}

// ---- Both ways ------------------------------------------------------------------------------

struct way {
	struct table table; // for its notices
	struct pmon_source *source;
};

static void
open_way(struct way *way, const struct text *t, unsigned threads, bool repair)
{
	struct pmon_log_options options = {
		.size = sizeof(options), .threads = threads, .dst_repair = repair, .zone = zone};

	options.limits.record_bytes = 8000;
	open_bytes(&way->table, t->bytes, t->len, &options);
	assert_int_equal(way->table.status, PMON_OK);
	way->source = way->table.source;
}

// Millions are compared: by one condition.
static void
same_samples(const struct pmon_sample *a, const struct pmon_sample *b, const char *label)
{
	bool is_same = a->ordinal == b->ordinal && a->time == b->time &&
		       a->utc_offset_min == b->utc_offset_min && a->n == b->n &&
		       memcmp(a->series, b->series, a->n * sizeof(*a->series)) == 0 &&
		       memcmp(a->raw, b->raw, a->n * sizeof(*a->raw)) == 0;

	if (!is_same)
		fail_msg("%s: sample %llu is another one", label, (unsigned long long)a->ordinal);
}

static void
same_numbers(const struct way *one, const struct way *many, size_t n, const char *label)
{
	const double *a = one->source->numbers;
	const double *b = many->source->numbers;
	bool is_same = (a != NULL) == (b != NULL) &&
		       (a == NULL || memcmp(a, b, n * sizeof(*a)) == 0) &&
		       one->source->info.bytes_read == many->source->info.bytes_read;

	if (!is_same)
		fail_msg("%s: other numbers, or another place", label);
}

// Read n samples of both, or to the end. True when there are more.
static bool
read_both(struct way *one, struct way *many, size_t n, const char *label)
{
	const struct pmon_sample *a;
	const struct pmon_sample *b;

	for (size_t i = 0; i < n; i++) {
		enum pmon_status status = pmon_source_next(one->source, &a, NULL);

		if (pmon_source_next(many->source, &b, NULL) != status)
			fail_msg("%s: one ends before the other", label);
		if (status != PMON_OK)
			return false;
		same_samples(a, b, label);
		same_numbers(one, many, a->n, label);
	}
	return true;
}

static void
close_both(struct way *one, struct way *many, const char *label)
{
	assert_string_equal(one->table.notices, many->table.notices);
	T_EQ_U64_AT(one->source->info.losses, many->source->info.losses, label);
	T_EQ_U64_AT(one->source->info.bytes_lost, many->source->info.bytes_lost, label);
	pmon_source_close(one->source);
	pmon_source_close(many->source);
}

static struct way one_way;
static struct way many_ways;

static void
same_both_ways(const struct text *t, bool repair, const char *label)
{
	open_way(&one_way, t, 1, repair);
	open_way(&many_ways, t, THREADS, repair);
	assert_false(read_both(&one_way, &many_ways, SIZE_MAX, label));
	close_both(&one_way, &many_ways, label);
}

// ---- Tests ----------------------------------------------------------------------------------

static int
get_text(void **state)
{
	static struct text t;

	t.bytes = malloc(MOST_TEXT);
	*state = &t;
	return t.bytes != NULL && folder_make(NULL) == 0 ? 0 : -1;
}

static int
free_text(void **state)
{
	free(((struct text *)*state)->bytes);
	return folder_remove(NULL);
}

// No line that is odd; one at the beginning, in the middle, at the end; a few; very many.
static void
odd_lines(void **state)
{
	static const unsigned places[][2] = {
		{0, N_ROWS_LONG}, {N_ROWS_LONG - 1, N_ROWS_LONG}, {30000, 9000}, {5000, 999}};
	struct text *t = *state;

	for (int odd = 0; odd <= ODDS; odd++)
		for (size_t i = 0; i < (odd < ODDS ? T_LEN(places) : 1); i++) {
			make(t, (enum odd)odd, places[i][0], places[i][1]);
			assert_true(t->len > ((size_t)4 << 20) && t->len < MOST_TEXT);
			same_both_ways(t, odd == SET_BACK && i % 2 == 0,
				       odd < ODDS ? names[odd] : "nothing odd");
		}
}

// Lines of the night in which the clock of Berlin is set back: parts begin in the hour that it repeats.
static void
in_a_zone(void **state)
{
	struct text *t = *state;

	if (pmon_zone_find(PMON_SPAN("Europe/Berlin")) == NULL)
		skip();
	zone = "Europe/Berlin";
	make(t, SET_BACK, 37800, N_ROWS_LONG); // at 3:00: 5,400 s after 1:30, with seven lines each
	same_both_ways(t, false, "in a zone");
	zone = NULL;
}

// The last line has no end, is cut off in a cell, or is followed by nothing but zero bytes.
static void
last_lines(void **state)
{
	struct text *t = *state;

	make(t, ODDS, 0, 1);
	for (size_t cut = 1; cut < 40; cut++) {
		t->len--;
		same_both_ways(t, false, "cut off");
	}
	memset(t->bytes + t->len, 0, 5000);
	t->len += 5000;
	same_both_ways(t, false, "zero bytes at the end");
}

// The clock is set back about where one part ends and the next begins.
static void
clocks_between_parts(void **state)
{
	struct text *t = *state;
	unsigned row;

	make(t, ODDS, 0, 1);
	row = second_part(t);
	for (unsigned i = row - 3; i < row + 4; i++)
		for (int repair = 0; repair < 2; repair++) {
			make(t, SET_BACK, i, N_ROWS_LONG);
			same_both_ways(t, repair, "the clock between two parts");
			assert_non_null(strstr(one_way.table.notices, "by an hour"));
		}
}

// All lines of the first part are short, and the last line of the log is cut off as they are.
static void
short_lines_first(void **state)
{
	struct text *t = *state;
	unsigned row;

	make_with_short(t, ODDS, 0, 1, N_ROWS_LONG);
	row = second_part(t);
	make_with_short(t, ODDS, 0, 1, row);
	T_EQ_U64(second_part(t), row);
	same_both_ways(t, false, "short lines first");
	while (t->bytes[t->len - 1] != ',')
		t->len--;
	t->len--;
	same_both_ways(t, false, "short lines first, cut off");
}

// From the beginning again, after some samples; closed before the end.
static void
read_again(void **state)
{
	static const size_t numbers[] = {1, 1000, 20000, 30000};
	struct text *t = *state;

	make(t, BAD_CELL, 35000, N_ROWS_LONG);
	open_way(&one_way, t, 1, false);
	open_way(&many_ways, t, THREADS, false);
	for (size_t i = 0; i < T_LEN(numbers); i++) {
		assert_true(read_both(&one_way, &many_ways, numbers[i], "some"));
		assert_int_equal(pmon_source_rewind(one_way.source, NULL), PMON_OK);
		assert_int_equal(pmon_source_rewind(many_ways.source, NULL), PMON_OK);
	}
	assert_true(read_both(&one_way, &many_ways, 7, "the last time"));
	close_both(&one_way, &many_ways, "again");
}

// Values that are no longer requested may still appear for a while, and those of others must.
static void
skipped_series(void **state)
{
	static const bool unread[] = {true, false};
	const struct pmon_sample *sample;
	struct text *t = *state;
	size_t n = 0;
	size_t n_first = 0;

	make(t, ODDS, 0, 1);
	open_way(&many_ways, t, THREADS, false);
	while (pmon_source_next(many_ways.source, &sample, NULL) == PMON_OK) {
		if (n++ == 1000)
			pmon_source_skip(many_ways.source, unread, 2);
		n_first += sample->series[0] == 0;
		T_EQ_U64(sample->series[sample->n - 1], 1);
	}
	T_EQ_U64(n, N_ROWS_LONG);
	assert_in_range(n_first, 1001, 1001 + 4 * PART_BYTES / 100); // three parts are begun
	pmon_source_close(many_ways.source);
}

// A file that becomes shorter while it is read: whole lines, then an end.
static void
a_file_that_shrinks(void **state)
{
	struct pmon_log_options options = {.size = sizeof(options), .threads = THREADS};
	const struct pmon_sample *sample;
	const char *path = in_folder("log.csv");
	struct text *t = *state;
	struct pmon_source *source;
	size_t n = 0;

	make(t, ODDS, 0, 1);
	t_write_file(path, t->bytes, t->len);
	assert_int_equal(pmon_log_open(path, &options, &source, NULL), PMON_OK);
	while (pmon_source_next(source, &sample, NULL) == PMON_OK)
		if (++n == 100)
			assert_int_equal(truncate(path, (off_t)t->len / 2), 0);
	assert_in_range(n, N_ROWS_LONG / 2 - 1000, N_ROWS_LONG / 2 + 20000);
	pmon_source_close(source);
	assert_int_equal(unlink(path), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_lines),         cmocka_unit_test(in_a_zone),
		cmocka_unit_test(last_lines),        cmocka_unit_test(clocks_between_parts),
		cmocka_unit_test(short_lines_first), cmocka_unit_test(read_again),
		cmocka_unit_test(skipped_series),    cmocka_unit_test(a_file_that_shrinks),
	};

	return cmocka_run_group_tests_name("reading ahead", tests, get_text, free_text);
}
