// test_ranks.c - statistics of series that stand in ranks are those of each series alone
// SPDX-License-Identifier: MIT
//
// Random series of all types come, go, change places and have odd values, in samples that mostly follow
// one another. What is expected is computed beside it by pmon_stats_add() for each series, by the rules
// of include/pmon/query.h.

#include "t.h"

#include "base/mem.h"
#include "core/rank.h"
#include "model/schema.h"
#include "query/ranks.h"
#include "same_stats.h"

#define MOST      400 // series
#define N_SAMPLES 120
#define ROUNDS    60

// How odd a round is: one in so many.
struct mood {
	size_t odd;     // raw values
	size_t come;    // ... and go: series of a sample
	size_t shuffle; // samples whose series are in another order
	size_t skip;    // samples that do not follow on the one before
	size_t plain;   // samples that go to the rows
	size_t look;    // statistics are looked at in between
};

struct one {
	struct pmon_raw raw;
	struct pmon_stats stats; // what is expected
	bool is_begun;
	bool stands; // its divisor does
	uint64_t ordinal;
};

struct play {
	struct t_rand r;
	struct mood mood;
	struct pmon_allocator allocator;
	struct t_memory memory;
	struct pmon_schema schema;
	struct pmon_rows rows;
	struct pmon_ranks *ranks;
	struct one all[MOST];
	uint32_t series[MOST]; // of the newest sample
	struct pmon_raw raws[MOST];
	struct pmon_sample sample;
	size_t n_in_ranks; // samples that were taken
};

static bool
one_in(struct play *p, size_t n)
{
	return n > 0 && t_rand_below(&p->r, n) == 0;
}

// ---- Series ----------------------------------------------------------------------------------

static void
add_series(struct play *p, size_t n_types)
{
	struct pmon_counter counter = {
		.type = pmon_type_at(t_rand_below(&p->r, n_types))->word,
		.time_base = one_in(p, 20) ? 0 : 1 + (int64_t)t_rand_below(&p->r, 3) * 1000,
		.size_bytes = one_in(p, 2) ? 8 : 4,
	};
	struct pmon_path path = {0};
	char name[16];
	uint32_t id;

	(void)snprintf(name, sizeof(name), "%zu", pmon_schema_count(&p->schema));
	path.object = t_span("Object");
	path.instance = t_span(name);
	path.counter = t_span("Counter");
	assert_int_equal(pmon_schema_add(&p->schema, &path, &counter, 0, MOST, &id), PMON_OK);
	p->all[id] = (struct one){.raw = {.multi = 1, .first = 100, .second = 100},
				  .stands = one_in(p, 10)};
}

// Numbers go around at the end of 64 bits.
static int64_t
moved(int64_t number, int64_t by)
{
	return (int64_t)((uint64_t)number + (uint64_t)by);
}

static void
next_raw(struct play *p, struct one *one)
{
	struct pmon_raw *raw = &one->raw;

	raw->status = one_in(p, 8) ? PMON_RAW_NEW : PMON_RAW_VALID;
	raw->time = (int64_t)p->sample.ordinal * 100 + (int64_t)t_rand_below(&p->r, 3);
	raw->multi = 1 + (uint32_t)t_rand_below(&p->r, 3);
	raw->first = moved(raw->first, (int64_t)t_rand_below(&p->r, 40));
	if (!one->stands)
		raw->second = moved(raw->second, (int64_t)t_rand_below(&p->r, 30));
	if (!one_in(p, p->mood.odd))
		return;
	switch (t_rand_below(&p->r, 9)) {
	case 0:
		raw->status = one_in(p, 2) ? PMON_RAW_NO_INSTANCE : PMON_RAW_CHANGED;
		break;
	case 1:
		raw->time = PMON_TIME_NONE;
		break;
	case 2:
		raw->multi = 0;
		break;
	case 3:
		raw->first = moved(raw->first, -(int64_t)t_rand_below(&p->r, 1000));
		break;
	case 4:
		raw->second = moved(raw->second, -(int64_t)t_rand_below(&p->r, 1000));
		break;
	case 5: // sums of counts leave 64 bits
		raw->first = INT64_MAX - (int64_t)t_rand_below(&p->r, 1000);
		break;
	case 6:
		raw->first = -(INT64_MAX - (int64_t)t_rand_below(&p->r, 1000));
		break;
	case 7:
		raw->first = 0;
		raw->second = 0;
		break;
	default: // more idle than elapsed
		raw->first = moved(raw->first, 1000);
	}
}

// ---- Samples ---------------------------------------------------------------------------------

static bool
is_in(const struct play *p, uint32_t id)
{
	for (size_t i = 0; i < p->sample.n; i++)
		if (p->series[i] == id)
			return true;
	return false;
}

// One goes, and one comes in its place, at another, or behind all.
static void
exchange(struct play *p)
{
	size_t n = p->sample.n;
	size_t n_series = pmon_schema_count(&p->schema);

	if (n > 0 && !one_in(p, 3)) {
		size_t at = t_rand_below(&p->r, n);

		memmove(p->series + at, p->series + at + 1, (n - at - 1) * sizeof(*p->series));
		p->sample.n = --n;
	}
	if (n < n_series && !one_in(p, 3)) {
		uint32_t id = (uint32_t)t_rand_below(&p->r, n_series);
		size_t at = t_rand_below(&p->r, n + 1);

		if (is_in(p, id))
			return;
		memmove(p->series + at + 1, p->series + at, (n - at) * sizeof(*p->series));
		p->series[at] = id;
		p->sample.n++;
	}
}

static void
shuffle(struct play *p)
{
	for (size_t i = p->sample.n; i > 1; i--) {
		size_t k = t_rand_below(&p->r, i);
		uint32_t id = p->series[k];

		p->series[k] = p->series[i - 1];
		p->series[i - 1] = id;
	}
}

static void
next_sample(struct play *p)
{
	p->sample.ordinal++;
	if (one_in(p, p->mood.skip))
		p->sample.ordinal += t_rand_below(&p->r, 3);
	p->sample.lead_in = one_in(p, p->mood.skip);
	for (size_t i = p->sample.n / 4 + 1; i > 0; i--)
		if (one_in(p, p->mood.come))
			exchange(p);
	if (one_in(p, p->mood.shuffle))
		shuffle(p);
	for (size_t i = 0; i < p->sample.n; i++) {
		struct one *one = &p->all[p->series[i]];

		next_raw(p, one);
		p->raws[i] = one->raw;
	}
	p->sample.series = p->series;
	p->sample.raw = p->raws;
}

// The series of the sample, each alone.
static void
expect(struct play *p)
{
	for (size_t i = 0; i < p->sample.n; i++) {
		uint32_t id = p->series[i];
		struct one *one = &p->all[id];
		struct pmon_calc calc;

		pmon_calc_init(&calc, &pmon_schema_at(&p->schema, id)->counter, &p->rows.options);
		if (!one->is_begun)
			pmon_stats_init(&one->stats, &calc);
		else if (p->sample.ordinal > one->ordinal + 1)
			pmon_stats_gap(&one->stats);
		one->is_begun = true;
		one->ordinal = p->sample.ordinal;
		if (p->sample.lead_in)
			pmon_stats_lead(&one->stats, &p->raws[i]);
		else
			(void)pmon_stats_add(&one->stats, &p->raws[i]);
	}
}

// False when memory is short.
static bool
add_sample(struct play *p)
{
	enum pmon_status status = PMON_E_STATE;
	struct pmon_value value;

	if (one_in(p, p->mood.plain))
		pmon_ranks_leave(p->ranks, &p->rows);
	else
		status = pmon_ranks_add(p->ranks, &p->rows, &p->sample);
	p->n_in_ranks += status == PMON_OK;
	for (size_t i = 0; i < p->sample.n && status == PMON_E_STATE; i++)
		if (!pmon_rows_add(&p->rows, &p->sample, i, &value))
			return false;
	return status != PMON_E_NOMEM;
}

static void
compare(struct play *p)
{
	pmon_ranks_leave(p->ranks, &p->rows);
	for (size_t i = 0; i < p->rows.n; i++) {
		struct pmon_row *row = &p->rows.list[i];

		assert_true((row->stats != NULL) == p->all[i].is_begun);
		if (row->stats == NULL)
			continue;
		pmon_run_end(&row->run, row->stats);
		t_same_stats(row->stats, &p->all[i].stats);
	}
}

// ---- Rounds ----------------------------------------------------------------------------------

static void
begin(struct play *p, uint64_t seed, size_t fail_at)
{
	size_t n = 1;

	*p = (struct play){.r = {.state = seed}, .memory = {0}};
	p->allocator = t_memory_allocator(&p->memory);
	pmon_schema_init(&p->schema, pmon_mem_allocator(NULL));
	n += t_rand_below(&p->r, MOST);
	for (size_t i = 0; i < n; i++)
		add_series(p, pmon_type_count());
	for (; p->sample.n < n / 2; p->sample.n++)
		p->series[p->sample.n] = (uint32_t)p->sample.n;
	p->ranks = pmon_mem_alloc0(&p->allocator, sizeof(*p->ranks));
	p->ranks->allocator = &p->allocator;
	p->rows.allocator = &p->allocator;
	p->rows.schema = &p->schema;
	p->rows.options.cap_100 = seed % 10 == 9; // nothing stands in ranks then
	pmon_arena_init(&p->rows.arena, &p->allocator);
	assert_true(pmon_rows_grow(&p->rows));
	p->memory.fail_at = fail_at > 0 ? p->memory.calls + fail_at : 0;
}

static void
end(struct play *p)
{
	pmon_ranks_free(p->ranks);
	pmon_rows_free(&p->rows);
	pmon_schema_free(&p->schema);
	T_EQ_U64(p->memory.live_blocks, 0);
}

static struct mood
make_mood(struct t_rand *r)
{
	static const size_t odds[] = {0, 3, 30, 1000};

	return (struct mood){
		.odd = odds[t_rand_below(r, 4)],
		.come = odds[t_rand_below(r, 4)],
		.shuffle = t_rand_below(r, 3) == 0 ? 10 : 0,
		.skip = t_rand_below(r, 3) == 0 ? 30 : 0,
		.plain = t_rand_below(r, 3) == 0 ? 30 : 0,
		.look = t_rand_below(r, 3) == 0 ? 25 : 0,
	};
}

static void
test_ranks_are_the_plain_way(void **state)
{
	static struct play p;
	size_t n_in_ranks = 0;

	(void)state;
	for (uint64_t round = 1; round <= ROUNDS; round++) {
		begin(&p, round, 0);
		p.mood = make_mood(&p.r);
		for (size_t i = 0; i < N_SAMPLES; i++) {
			next_sample(&p);
			expect(&p);
			assert_true(add_sample(&p));
			if (one_in(&p, p.mood.look))
				compare(&p);
		}
		compare(&p);
		n_in_ranks += p.n_in_ranks;
		end(&p);
	}
	if (pmon_rank_is_there())
		assert_true(n_in_ranks > ROUNDS * N_SAMPLES / 3);
}

// Without memory for a line, series go the plain way; without any for statistics, it is told.
static void
test_ranks_without_memory(void **state)
{
	static struct play p;
	size_t n_told = 0;
	size_t n_overcome = 0;

	(void)state;
	for (size_t fail_at = 1; fail_at < 60; fail_at++) {
		bool done = true;

		begin(&p, fail_at, fail_at);
		p.mood.come = 10;
		for (size_t i = 0; i < N_SAMPLES && done; i++) {
			next_sample(&p);
			expect(&p);
			done = add_sample(&p);
		}
		n_told += !done;
		n_overcome += done && p.memory.calls >= p.memory.fail_at;
		if (done)
			compare(&p);
		end(&p);
	}
	assert_true(n_told > 0);
	if (pmon_rank_is_there())
		assert_true(n_overcome > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranks_are_the_plain_way),
		cmocka_unit_test(test_ranks_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
