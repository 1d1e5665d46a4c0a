// rollup.c - compute sums of whole hours in ClickHouse
// SPDX-License-Identifier: MIT
//
// Each shard has the sums of its own series, and is worked on by itself: day by day, and a day in chunks
// of its series, so that memory stays bounded.

#include "push/clickhouse/rollup.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "os/ticker.h"
#include "push/clickhouse/engine.h"

#define DAYS_MAX     ((size_t)200000)
#define FORGET_100NS (2 * PMON_DAY_100NS) // what a run left is its own for so long
#define TIME_1970    116444736000000000

struct day {
	uint64_t number; // since 1601
	uint64_t rows;
	uint64_t parts;
};

struct rollup {
	struct ch_engine *e;
	const struct pmon_rollup_options *options;
	struct pmon_rollup_counts *counts;
	struct ch_hours hours;
	uint64_t host; // a bit for the node that is worked on
	char *sql;     // CH_SUMS_SIZE
	struct pmon_rollup_day of_day;
	struct day *days;
	size_t n_days;
	size_t days_cap;
};

// ---- Asking ---------------------------------------------------------------------------------

static enum pmon_status
run(struct rollup *r, struct pmon_span *answer, struct pmon_err *err)
{
	if (pmon_push_is_cancelled(&r->e->push.options))
		return pmon_err_set(err, PMON_E_STATE, 0, "interrupted");
	return pmon_ch_run(r->e, r->host, r->sql, answer, err);
}

static enum pmon_status
run_step(struct rollup *r, enum ch_step step, struct pmon_span *answer, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(r->sql, CH_SUMS_SIZE);

	pmon_ch_put_hours(&r->hours, step, &sql);
	return run(r, answer, err);
}

// A row of n numbers with tabs between.
static bool
take_numbers(struct pmon_scan *s, uint64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!pmon_scan_u64(s, &numbers[i]) || !pmon_scan_take(s, i + 1 < n ? '\t' : '\n'))
			return false;
	return true;
}

static enum pmon_status
ask_numbers(struct rollup *r, enum ch_step step, uint64_t *numbers, size_t n, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	enum pmon_status status = run_step(r, step, &answer, err);

	s = pmon_scan_init(answer);
	if (status == PMON_OK && !take_numbers(&s, numbers, n))
		status = pmon_err_set(err, PMON_E_FORMAT, 0,
				      "ClickHouse does not answer with numbers of hours");
	return status;
}

// Add days of an answer: their numbers, and n - 1 numbers more.
static enum pmon_status
take_days(struct rollup *r, struct pmon_span answer, size_t n, struct pmon_err *err)
{
	struct pmon_scan s = pmon_scan_init(answer);

	while (s.at < s.end) {
		uint64_t numbers[3] = {0};

		if (!take_numbers(&s, numbers, n) || r->n_days >= DAYS_MAX)
			return pmon_err_set(err, PMON_E_FORMAT, 0,
					    "ClickHouse does not answer with days");
		if (!pmon_mem_grow(r->e->push.allocator, &r->days, &r->days_cap, r->n_days + 1,
				   sizeof(*r->days)))
			return pmon_err_nomem(err);
		r->days[r->n_days++] = (struct day){numbers[0], numbers[1], numbers[2]};
	}
	return PMON_OK;
}

// ---- A day ----------------------------------------------------------------------------------

static enum pmon_status
compute(struct rollup *r, pmon_time day, struct pmon_err *err)
{
	static const enum ch_step steps[] = {CH_HOURS_SCRAP, CH_HOURS_GATHER, CH_HOURS_COMPUTE,
					     CH_HOURS_CHAIN, CH_HOURS_SCRAP};
	pmon_time own = r->hours.day;
	uint64_t kept = 0;
	enum pmon_status status = PMON_OK;

	r->hours.day = day;
	for (size_t i = 0; status == PMON_OK && i < sizeof(steps) / sizeof(steps[0]); i++)
		status = run_step(r, steps[i], NULL, err);
	if (status == PMON_OK)
		status = ask_numbers(r, CH_HOURS_KEPT, &kept, 1, err);
	r->of_day.counts.kept += kept;
	r->hours.day = own;
	return status;
}

// The hours that come after those of the day, on days after it.
static enum pmon_status
compute_after(struct rollup *r, struct pmon_err *err)
{
	size_t first = r->n_days;
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = run_step(r, CH_HOURS_DAYS, &answer, err);

	if (status == PMON_OK)
		status = take_days(r, answer, 1, err);
	for (size_t i = first; status == PMON_OK && i < r->n_days; i++)
		status = compute(r, (pmon_time)r->days[i].number * PMON_DAY_100NS, err);
	r->n_days = first;
	return status;
}

// The sums are stored before it is said of which raw rows they are.
static enum pmon_status
roll_chunk(struct rollup *r, struct pmon_err *err)
{
	static const enum ch_step before[] = {CH_HOURS_CLEAR, CH_HOURS_FIND, CH_HOURS_FOLLOW,
					      CH_HOURS_RELINK};
	uint64_t counts[5] = {0}; // the last: of all hours, those that follow too
	enum pmon_status status = PMON_OK;

	if (r->options->dry_run)
		status = ask_numbers(r, CH_HOURS_LOOK, counts, 5, err);
	for (size_t i = 0; !r->options->dry_run && status == PMON_OK && i < 4; i++)
		status = run_step(r, before[i], NULL, err);
	if (status == PMON_OK && !r->options->dry_run)
		status = ask_numbers(r, CH_HOURS_COUNT, counts, 5, err);
	if (status != PMON_OK)
		return status;
	pmon_rollup_day_add(&r->of_day, counts);
	if (r->options->dry_run || counts[4] == 0)
		return PMON_OK;
	status = compute(r, r->hours.day, err);
	if (status == PMON_OK)
		status = compute_after(r, err);
	if (status == PMON_OK)
		status = run_step(r, CH_HOURS_SEEN, NULL, err);
	return status == PMON_OK ? run_step(r, CH_HOURS_CLEAR, NULL, err) : status;
}

// All of the day was looked at, as its parts were at the beginning.
static enum pmon_status
close_day(struct rollup *r, const struct day *day, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(r->sql, CH_SUMS_SIZE);
	bool is_whole =
		r->hours.begin <= r->hours.day && r->hours.end >= r->hours.day + PMON_DAY_100NS;

	if (!is_whole || r->options->dry_run)
		return PMON_OK;
	pmon_text_str(&sql, "INSERT INTO ");
	pmon_ch_put_name(&r->e->place, "pmon_hour_day", true, &sql);
	pmon_text_str(&sql, " (day, parts, run) SELECT toDate(toUInt16(");
	pmon_text_u64(&sql, day->number - CH_DAY_1970);
	pmon_text_str(&sql, ")), toUInt64(");
	pmon_text_u64(&sql, day->parts);
	pmon_text_str(&sql, "), toUInt64(");
	pmon_text_u64(&sql, r->hours.run);
	pmon_text_char(&sql, ')');
	return run(r, NULL, err);
}

static enum pmon_status
roll_day(struct rollup *r, size_t i, struct pmon_err *err)
{
	struct day day = r->days[i];
	enum pmon_status status = PMON_OK;

	r->hours.day = (pmon_time)day.number * PMON_DAY_100NS;
	r->hours.n_chunks = (unsigned)(day.rows / PMON_ROLLUP_CHUNK) + 1;
	for (unsigned chunk = 0; status == PMON_OK && chunk < r->hours.n_chunks; chunk++) {
		r->hours.chunk = chunk;
		status = roll_chunk(r, err);
	}
	if (status == PMON_OK)
		status = close_day(r, &day, err);
	pmon_rollup_day_end(&r->of_day, r->hours.day, r->options, r->counts);
	return status;
}

// ---- A shard --------------------------------------------------------------------------------

// The number of a run: the node's clock, which has seconds, and a fraction of a second of ours. A run that
// begins later must have a greater one, as it sees more.
static enum pmon_status
begin_run(struct rollup *r, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	uint64_t seconds = 0;
	enum pmon_status status;

	(void)snprintf(r->sql, CH_SUMS_SIZE, "SELECT toUInt64(now())");
	status = run(r, &answer, err);
	s = pmon_scan_init(answer);
	if (status == PMON_OK && !pmon_scan_u64(&s, &seconds))
		status = pmon_err_set(err, PMON_E_FORMAT, 0,
				      "ClickHouse does not answer with its time");
	r->hours.run =
		seconds * PMON_TIME_PER_SEC + (uint64_t)(pmon_os_clocks().wall % PMON_TIME_PER_SEC);
	return status;
}

// What runs left that were cut off long ago.
static enum pmon_status
forget_old(struct rollup *r, struct pmon_err *err)
{
	uint64_t own = r->hours.run;
	struct pmon_text sql = pmon_text_init(r->sql, CH_SUMS_SIZE);
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	pmon_text_str(&sql, "SELECT min(run), count() > 0 FROM ");
	pmon_ch_put_name(&r->e->place, "pmon_hour_todo", true, &sql);
	pmon_text_str(&sql, " WHERE run < ");
	pmon_text_u64(&sql, own - (uint64_t)FORGET_100NS);
	status = run(r, &answer, err);
	if (status == PMON_OK) {
		struct pmon_scan s = pmon_scan_init(answer);
		uint64_t found[2] = {0};

		if (take_numbers(&s, found, 2) && found[1] != 0) {
			r->hours.run = found[0];
			status = run_step(r, CH_HOURS_CLEAR, NULL, err);
		}
	}
	r->hours.run = own;
	return status;
}

static enum pmon_status
roll_shard(struct rollup *r, struct pmon_err *err)
{
	struct pmon_text sql = pmon_text_init(r->sql, CH_SUMS_SIZE);
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = begin_run(r, err);

	if (status == PMON_OK && !r->options->dry_run)
		status = forget_old(r, err);
	if (status != PMON_OK)
		return status;
	pmon_ch_put_changed_days(&r->hours, &sql);
	status = run(r, &answer, err);
	r->n_days = 0;
	if (status == PMON_OK)
		status = take_days(r, answer, 3, err);
	for (size_t i = 0; status == PMON_OK && i < r->n_days; i++)
		status = roll_day(r, i, err);
	return status;
}

// Who has no raw values is not given tables.
static enum pmon_status
refuse_empty(struct rollup *r, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(r->sql, CH_SUMS_SIZE, "EXISTS TABLE %s.pmon_raw", r->e->place.database);
	status = pmon_ch_run(r->e, 0, r->sql, &answer, err);
	if (status == PMON_OK && (answer.len == 0 || answer.ptr[0] != '1'))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database %s has no raw values; store some with pmon push",
				    r->e->place.database);
	return status;
}

static enum pmon_status
roll_all(struct rollup *r, struct pmon_err *err)
{
	struct ch_engine *e = r->e;
	enum pmon_status status = refuse_empty(r, err);

	if (status == PMON_OK)
		status = pmon_ch_begin(e, err);
	r->hours.place = &e->place;
	pmon_rollup_bounds(r->options, e->push.keep_from, &r->hours.begin, &r->hours.end);
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++) {
		if (e->shards.hosts[shard] == 0)
			status = pmon_ch_find_shard(e, shard, err);
		// Replicas copy from each other, and not at once: one of them does it all.
		r->host = e->shards.hosts[shard] & (~e->shards.hosts[shard] + 1);
		if (status == PMON_OK)
			status = roll_shard(r, err);
	}
	return status;
}

enum pmon_status
pmon_ch_rollup(struct pmon_push_sink *push, const struct pmon_rollup_options *options,
	       struct pmon_rollup_counts *counts, struct pmon_err *err)
{
	struct rollup r = {.e = (struct ch_engine *)push, .options = options, .counts = counts};
	enum pmon_status status = PMON_OK;

	r.hours.again = options->again;
	r.sql = pmon_mem_alloc(push->allocator, CH_SUMS_SIZE);
	status = r.sql != NULL ? roll_all(&r, err) : pmon_err_nomem(err);
	pmon_mem_free(push->allocator, r.sql, CH_SUMS_SIZE);
	pmon_mem_free(push->allocator, r.days, r.days_cap * sizeof(*r.days));
	return status;
}
