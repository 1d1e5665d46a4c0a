// seams.c - ask PostgreSQL for the newest raw values, and store them
// SPDX-License-Identifier: MIT

#include "push/postgres/postgres.h"

#include "base/err.h"
#include "core/calc.h"
#include "push/postgres/sql.h"

static struct pmon_push_tail
tail_at(const struct pg_connection *pg, size_t row)
{
	pmon_time time = pmon_pg_number(pg, row, 1);

	return (struct pmon_push_tail){.time = time,
				       .raw = {.time = time,
					       .first = pmon_pg_number(pg, row, 2),
					       .second = pmon_pg_number(pg, row, 3),
					       .multi = (uint32_t)pmon_pg_number(pg, row, 4),
					       .status = (uint32_t)pmon_pg_number(pg, row, 5)},
				       .owner = {pmon_pg_number(pg, row, 6),
						 pmon_pg_number(pg, row, 7),
						 (uint32_t)pmon_pg_number(pg, row, 8)},
				       .is_followed = pmon_pg_number(pg, row, 9) != 0};
}

static void
take_answer(struct pg_engine *e)
{
	struct pmon_push_seams *firsts = &e->batch.firsts;

	for (size_t i = 0; i < pmon_pg_count_rows(e->pg); i++) {
		uint64_t at = (uint64_t)pmon_pg_number(e->pg, i, 0);
		struct pmon_push_tail tail = tail_at(e->pg, i);

		if (at < firsts->n)
			(void)pmon_push_seams_join(firsts, &e->states, &firsts->list[at], &tail);
	}
	e->batch.is_joined = true;
}

// The first rows that may make pairs.
static bool
put_question(const struct pg_engine *e, struct pmon_push_bytes *rows)
{
	const struct pmon_push_seams *firsts = &e->batch.firsts;

	for (size_t i = 0; i < firsts->n; i++)
		if (firsts->list[i].raw.status != PMON_RAW_STARTED &&
		    !pmon_pg_put_first(&e->push, rows, i, &firsts->list[i]))
			return false;
	return true;
}

enum pmon_status
pmon_pg_join(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pmon_push_bytes rows = {NULL, 0, 0};
	enum pmon_status status;

	if (e->batch.firsts.n == 0 || e->batch.is_joined)
		return PMON_OK;
	status = put_question(e, &rows) ? PMON_OK : pmon_err_nomem(err);
	if (status == PMON_OK)
		status = pmon_pg_copy_into(e, "first", &rows, again, err);
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, pmon_pg_sql_tails, NULL, again, err);
	if (status == PMON_OK)
		take_answer(e);
	pmon_push_free(&e->push, &rows);
	return status;
}

// ---- Tails ----------------------------------------------------------------------------------

static bool
put_tails(const struct pg_engine *e, struct pmon_push_bytes *rows)
{
	for (size_t i = 0; i < e->states.n; i++) {
		const struct pmon_push_state *state = &e->states.list[i];

		if (state->is_new && pmon_calc_needs_two(&state->rows.calc) &&
		    !pmon_pg_put_tail(&e->push, rows, (uint32_t)i, state))
			return false;
	}
	return true;
}

enum pmon_status
pmon_pg_try_tails(struct pg_engine *e, bool *again, struct pmon_err *err)
{
	struct pmon_push_bytes rows = {NULL, 0, 0};
	enum pmon_status status = pmon_pg_try_session(e, again, err);

	if (status == PMON_OK && !put_tails(e, &rows))
		status = pmon_err_nomem(err);
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, "BEGIN", NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_store_series(e, again, err);
	if (status == PMON_OK)
		status = pmon_pg_copy_into(
			e,
			"tail (series, time, first, second, multi, raw_status, owner, owner_start, "
			"owner_known)",
			&rows, again, err);
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, pmon_pg_sql_store_tails, NULL, again, err);
	if (status == PMON_OK)
		status = pmon_pg_run(e->pg, "COMMIT", NULL, again, err);
	if (status == PMON_OK)
		e->batch.series.n = 0;
	pmon_push_free(&e->push, &rows);
	for (size_t i = 0; status == PMON_OK && i < e->states.n; i++)
		e->states.list[i].is_new = false;
	return status;
}
