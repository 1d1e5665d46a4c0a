// key_numbers.c - the numbers that describe each resource of a log
// SPDX-License-Identifier: MIT

#include "verbs/report/key_numbers.h"

// Levels without a bound and configurations say little without knowing the machine.
static bool
is_key(const struct meaning *m)
{
	return m->kind <= MEANING_BOUNDED;
}

// Errors that never happened are no news.
static bool
is_quiet(const struct meaning *m, const struct pmon_stats *stats)
{
	return m->kind == MEANING_ERRORS && stats->maximum.value <= 0;
}

// The sum of all processors or disks is what a machine did; the mean of latencies or queues would hide the slow
// one.
static bool
wants_total(const struct meaning *m)
{
	return m->resource == MEANING_PROCESSOR || m->kind == MEANING_THROUGHPUT;
}

static double
harm_of(const struct report *r, const struct key_number *number)
{
	enum pmon_average_kind kind;
	struct pmon_value average =
		pmon_statistics_average(r->statistics, number->series->id, &kind);
	double level = pmon_vstat_has_value(average.status)
			       ? average.value
			       : report_stats(r, number->series)->maximum.value;

	return number->meaning->worse == MEANING_DOWN ? -level : level;
}

// Of one resource and kind the table of meanings lists the counter first that says most.
static bool
is_better(const struct report *r, const struct key_number *a, const struct key_number *b)
{
	bool is_total = pmon_path_is_sum(&a->series->path);

	if (b->series == NULL)
		return true;
	if (a->meaning != b->meaning)
		return a->meaning < b->meaning;
	if (is_total != pmon_path_is_sum(&b->series->path))
		return is_total == wants_total(a->meaning);
	return harm_of(r, a) > harm_of(r, b);
}

size_t
key_numbers(const struct report *r, struct key_number list[KEY_NUMBERS])
{
	const struct meanings *meanings = &r->ranked.incidents.tracks.meanings;
	struct key_number best[KEY_NUMBERS] = {{NULL, NULL}};
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct key_number it = {
			.series = r->series[i],
			.meaning = meanings_of(meanings, pmon_series_english(r->series[i]))};
		struct key_number *slot;

		if (it.meaning == NULL || !is_key(it.meaning) ||
		    is_quiet(it.meaning, report_stats(r, it.series)) ||
		    (!pmon_path_ranks(&it.series->path) && !pmon_path_is_sum(&it.series->path)))
			continue;
		slot = &best[(size_t)it.meaning->resource * MEANING_KINDS + it.meaning->kind];
		if (is_better(r, &it, slot))
			*slot = it;
	}
	for (size_t i = 0; i < KEY_NUMBERS; i++)
		if (best[i].series != NULL)
			list[n++] = best[i];
	return n;
}
