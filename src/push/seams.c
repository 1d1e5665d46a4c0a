// seams.c - where a log follows on another one that is stored
// SPDX-License-Identifier: MIT

#include "push/seams.h"

#include "base/mem.h"
#include "base/text.h"
#include "push/rollup.h"

void
pmon_push_seams_free(struct pmon_push_seams *seams, const struct pmon_allocator *allocator)
{
	pmon_mem_free(allocator, seams->list, seams->cap * sizeof(*seams->list));
}

bool
pmon_push_seams_take(struct pmon_push_seams *seams, struct pmon_push_states *states,
		     uint32_t series, const struct pmon_push_row *row, size_t at,
		     struct pmon_push_fact *fact, bool *is_fact, bool *is_first)
{
	bool is_begun = states->list[series].has_tail;

	*is_fact = pmon_push_fact(states, series, row, fact);
	*is_first = *is_fact && !is_begun && fact->row.kind == PMON_INCREMENT_START;
	if (!*is_first)
		return true;
	if (!pmon_mem_grow(states->allocator, &seams->list, &seams->cap, seams->n + 1,
			   sizeof(*seams->list)))
		return false;
	seams->list[seams->n++] = (struct pmon_push_first){at, series, *row->raw, *fact};
	return true;
}

enum pmon_push_same
pmon_push_make_pair(struct pmon_increments *rows, const struct pmon_raw *older,
		    pmon_time older_time, const struct pmon_push_owner *older_owner,
		    const struct pmon_raw *raw, struct pmon_push_fact *fact)
{
	struct pmon_raw newer = *raw;
	enum pmon_push_same same = pmon_push_compare_owners(older_owner, &fact->owner);

	if (same == PMON_PUSH_UNKNOWN)
		pmon_increments_gap(rows);
	else
		pmon_increments_lead(rows, older);
	if (same == PMON_PUSH_OTHER)
		newer.status = PMON_RAW_CHANGED;
	fact->row = pmon_increments_next(rows, &newer);
	fact->row.raw_status = raw->status;
	fact->span = fact->time - older_time;
	return same;
}

bool
pmon_push_seams_join(struct pmon_push_seams *seams, const struct pmon_push_states *states,
		     struct pmon_push_first *first, const struct pmon_push_tail *tail)
{
	struct pmon_increments rows;

	if (tail->time >= first->fact.time || tail->is_followed) {
		seams->n_unsettled++;
		return false;
	}
	pmon_increments_begin(&rows, &states->list[first->series].rows.calc);
	seams->n_unknown += pmon_push_make_pair(&rows, &tail->raw, tail->time, &tail->owner,
						&first->raw, &first->fact) == PMON_PUSH_UNKNOWN;
	return true;
}

void
pmon_push_seams_tell(const struct pmon_push_sink *push, const struct pmon_push_seams *seams)
{
	uint64_t n = seams->n_unsettled;

	pmon_push_tell_count(
		push, false, n,
		pmon_text_word(n,
			       " counter has stored values around these, but no interval to them "
			       "yet; run pmon rollup",
			       " counters have stored values around these, but no interval to them "
			       "yet; run pmon rollup"));
	pmon_push_tell_count(push, false, seams->n_unknown,
			     pmon_text_word(seams->n_unknown,
					    " counter has no interval to the value stored before "
					    "it: only one of the logs says which process it is",
					    " counters have no interval to the values stored "
					    "before them: only one of the logs says which process "
					    "it is"));
}

// ---- Hours ----------------------------------------------------------------------------------

void
pmon_push_touch(struct pmon_push_touched *touched, pmon_time from, pmon_time to)
{
	if (!touched->is_any || from < touched->from)
		touched->from = from;
	if (!touched->is_any || to > touched->to)
		touched->to = to;
	touched->is_any = true;
}

bool
pmon_push_touched_is_over(const struct pmon_push_touched *touched)
{
	return touched->is_any && touched->from / PMON_HOUR_100NS != touched->to / PMON_HOUR_100NS;
}
