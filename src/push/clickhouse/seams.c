// seams.c - ask ClickHouse for the newest raw values, and store them
// SPDX-License-Identifier: MIT
//
// One question a batch asks for those of all first rows, in nearly all pushes only for the first batch.

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"
#include "push/clickhouse/sql.h"

#define TAIL_BYTES     69 // of a row of pmon_tail as RowBinary, without its machine
#define QUESTION_BYTES 24
#define SQL_SIZE       4096
#define STRUCTURE      "machine%20String,series%20UUID,time%20DateTime64(7)"

// ---- The answer -----------------------------------------------------------------------------

static bool
take_i64(struct pmon_scan *s, int64_t *out)
{
	bool is_negative = pmon_scan_take(s, '-');
	uint64_t n;

	if (!pmon_scan_u64(s, &n) || n > (uint64_t)INT64_MAX + is_negative)
		return false;
	*out = is_negative ? (int64_t)(0 - n) : (int64_t)n;
	return true;
}

bool
pmon_ch_take_uuid(struct pmon_scan *s, struct pmon_hash128 *out)
{
	char digits[PMON_HASH128_SIZE];
	size_t n = 0;

	for (; n < PMON_HASH128_SIZE - 1 && s->at < s->end; s->at++)
		if (*s->at != '-')
			digits[n++] = *s->at;
	return pmon_hash128_parse((struct pmon_span){digits, n}, out);
}

bool
pmon_ch_take_numbers(struct pmon_scan *s, int64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!pmon_scan_take(s, '\t') || !take_i64(s, &numbers[i]))
			return false;
	return true;
}

struct pmon_push_owner
pmon_ch_owner(const int64_t numbers[3])
{
	return (struct pmon_push_owner){numbers[0], numbers[1], (uint32_t)numbers[2]};
}

static bool
take_tail(struct pmon_scan *s, struct pmon_hash128 *series, struct pmon_push_tail *tail)
{
	int64_t numbers[9];

	if (!pmon_ch_take_uuid(s, series) || !pmon_ch_take_numbers(s, numbers, 9) ||
	    !pmon_scan_take(s, '\n'))
		return false;
	tail->time = numbers[0] + CH_EPOCH;
	tail->raw = (struct pmon_raw){.time = tail->time,
				      .first = numbers[1],
				      .second = numbers[2],
				      .multi = (uint32_t)numbers[3],
				      .status = (uint32_t)numbers[4]};
	tail->owner = pmon_ch_owner(&numbers[5]);
	tail->is_followed = numbers[8] != 0;
	return true;
}

// ---- Pairs ----------------------------------------------------------------------------------

static int
compare(const void *a, const void *b)
{
	return pmon_hash128_compare(((const struct pmon_push_first *)a)->fact.series,
				    ((const struct pmon_push_first *)b)->fact.series);
}

static enum pmon_status
take_answer(struct ch_engine *e, struct pmon_span answer, struct pmon_err *err)
{
	struct pmon_scan s = pmon_scan_init(answer);

	while (s.at < s.end) {
		struct pmon_push_first wanted;
		struct pmon_push_first *first;
		struct pmon_push_tail tail;

		if (!take_tail(&s, &wanted.fact.series, &tail))
			return pmon_err_set(err, PMON_E_FORMAT, 0,
					    "ClickHouse did not return the newest values");
		first = bsearch(&wanted, e->batch.firsts.list, e->batch.firsts.n, sizeof(*first),
				compare);
		if (first != NULL &&
		    pmon_push_seams_join(&e->batch.firsts, &e->states, first, &tail))
			pmon_ch_batch_mend(&e->batch, first);
	}
	return PMON_OK;
}

// ---- The question ---------------------------------------------------------------------------

// The series whose first rows may make pairs.
static bool
put_question(struct ch_engine *e, struct pmon_push_bytes *rows)
{
	for (size_t i = 0; i < e->batch.firsts.n; i++) {
		const struct pmon_push_first *first = &e->batch.firsts.list[i];
		const struct ch_machine *machine = &e->batch.machines.of[first->series];
		struct pmon_wr w;

		if (first->raw.status == PMON_RAW_STARTED)
			continue;
		if (!pmon_push_room(&e->push, rows, machine->len + QUESTION_BYTES))
			return false;
		w = pmon_wr_init(rows->list + rows->n, machine->len + QUESTION_BYTES);
		pmon_wr_copy(&w, e->batch.machines.text + machine->at, machine->len);
		pmon_ch_put_key(&w, first->fact.series);
		pmon_wr_i64(&w, first->fact.time - CH_EPOCH);
		rows->n += pmon_wr_pos(&w);
	}
	return true;
}

enum pmon_status
pmon_ch_join(struct ch_engine *e, struct pmon_err *err)
{
	struct pmon_push_bytes rows = {NULL, 0, 0};
	struct pmon_span answer = {NULL, 0};
	char text[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(text, sizeof(text));
	enum pmon_status status;

	if (e->batch.firsts.n == 0)
		return PMON_OK;
	qsort(e->batch.firsts.list, e->batch.firsts.n, sizeof(*e->batch.firsts.list), compare);
	status = put_question(e, &rows) ? PMON_OK : pmon_err_nomem(err);
	pmon_ch_put_sql(&e->place, pmon_ch_sql_tails, NULL, &sql);
	if (status == PMON_OK && rows.n > 0) {
		status = pmon_ch_ask_about(e, STRUCTURE, text, rows.list, rows.n, &answer, err);
		if (status == PMON_OK)
			status = take_answer(e, answer, err);
	}
	pmon_push_free(&e->push, &rows);
	return status;
}

// ---- Tails ----------------------------------------------------------------------------------

static bool
put_tail(struct ch_engine *e, size_t series, struct pmon_push_bytes *rows)
{
	const struct pmon_push_state *state = &e->states.list[series];
	const struct ch_machine *machine = &e->batch.machines.of[series];
	const struct pmon_raw *raw = &state->rows.tail;
	struct pmon_wr w;

	if (!pmon_push_room(&e->push, rows, machine->len + TAIL_BYTES))
		return false;
	w = pmon_wr_init(rows->list + rows->n, machine->len + TAIL_BYTES);
	pmon_wr_copy(&w, e->batch.machines.text + machine->at, machine->len);
	pmon_ch_put_key(&w, e->push.keys.list[series].key);
	pmon_wr_i64(&w, state->time - CH_EPOCH);
	pmon_wr_u32(&w, state->nth);
	pmon_wr_i64(&w, raw->first);
	pmon_wr_i64(&w, raw->second);
	pmon_wr_u32(&w, raw->multi);
	pmon_wr_u32(&w, raw->status);
	pmon_ch_put_owner(&w, &state->owner);
	rows->n += pmon_wr_pos(&w);
	return true;
}

enum pmon_status
pmon_ch_store_tails(struct ch_engine *e, struct pmon_err *err)
{
	struct pmon_push_bytes rows = {NULL, 0, 0};
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; i < e->states.n; i++) {
		const struct pmon_push_state *state = &e->states.list[i];

		if (state->is_new && pmon_calc_needs_two(&state->rows.calc) &&
		    !put_tail(e, i, &rows))
			status = pmon_err_nomem(err);
	}
	if (status == PMON_OK && rows.n > 0)
		status = pmon_ch_insert(e, "pmon_tail", CH_TAIL_COLUMNS, rows.list, rows.n, err);
	pmon_push_free(&e->push, &rows);
	for (size_t i = 0; status == PMON_OK && i < e->states.n; i++)
		e->states.list[i].is_new = false;
	return status;
}
