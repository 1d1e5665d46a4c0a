// differences.c - series of two times, ranked by how much they differ
// SPDX-License-Identifier: MIT

#include "apps/changes/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/args/verb.h"
#include "cli/output/episode.h"
#include "cli/output/out.h"
#include "cli/output/say.h"
#include "draw/unit.h"

// What differs less is not listed.
#define LEAST_EFFECT 3     // in noise
#define LEAST_SHARE  0.2   // of the larger median; and of the larger average
#define FEW_SAMPLES  10    // so many on a side double the effect that is asked for
#define MOST_EFFECT  100   // a larger effect counts as this one
#define FEWEST       3     // samples on each side
#define P95          95000 // thousandths of a percent

static const struct out_column columns[] = {
	{"path", NULL, 0, OUT_LEFT},
	{"pid", NULL, 0, OUT_RIGHT},
	{"before_average", NULL, 0, OUT_RIGHT},
	{"before_p95", NULL, 0, OUT_RIGHT},
	{"after_average", NULL, 0, OUT_RIGHT},
	{"after_p95", NULL, 0, OUT_RIGHT},
	{"factor", NULL, 0, OUT_RIGHT},
	{"effect", NULL, 0, OUT_RIGHT},
	{"unit", NULL, 0, OUT_LEFT},
};

static const struct out_column text_columns[] = {
	{"before_average", "Before", 0, OUT_RIGHT}, {"after_average", "After", 0, OUT_RIGHT},
	{"factor", "Factor", 0, OUT_RIGHT},         {"before_p95", "p95 before", 0, OUT_RIGHT},
	{"after_p95", "p95 after", 0, OUT_RIGHT},   {"effect", "Effect", 0, OUT_RIGHT},
	{"path", "Counter", 0, OUT_LEFT},
};

#define N_COLUMNS      (sizeof(columns) / sizeof(columns[0]))
#define N_TEXT_COLUMNS (sizeof(text_columns) / sizeof(text_columns[0]))

// ---- Reading --------------------------------------------------------------------------------

int
differences_open(struct differences *d, enum time_side side, const struct logs *logs)
{
	struct pmon_err err;

	d->logs = logs;
	if (pmon_statistics_new(pmon_source_schema(logs->source), &logs->args->calc, NULL,
				&d->statistics[side], &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	pmon_statistics_keep(d->statistics[side], PMON_KEEP_PERCENTILES);
	return EXIT_DONE;
}

int
differences_add(struct differences *d, enum time_side side, const struct pmon_sample *sample)
{
	struct pmon_err err;

	d->samples[side] += !sample->lead_in;
	if (pmon_statistics_add(d->statistics[side], sample, NULL, &err) != PMON_OK)
		return say(EXIT_FAILED, "%s", err.msg);
	return EXIT_DONE;
}

// ---- Which series ---------------------------------------------------------------------------

// Did the user name counters? Then small differences are shown, and those that another counter shows too.
static bool
are_named(const struct differences *d)
{
	return d->args->patterns.n + d->args->pattern_files.n > 0;
}

static bool
matches(const char *pattern, struct pmon_span text)
{
	return pmon_text_match((struct pmon_span){pattern, strlen(pattern)}, text);
}

// Numbers that name something, and those that say how long it has been there.
static bool
is_number_of_something(const struct pmon_series *series)
{
	static const char *const names[] = {"*ID Process",   "*Process ID", "ID Thread",
					    "Start Address", "Priority *",  "*Peak*"};
	const struct pmon_counter_type *type = pmon_series_type(series);

	if (pmon_type_is_hex(type) || (type != NULL && type->formula == PMON_FORMULA_ELAPSED))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (matches(names[i], pmon_series_english(series)->counter))
			return true;
	return false;
}

// Memory that holds what was read before, which is as good as free.
static bool
is_standby(const struct pmon_series *series)
{
	return matches("*Standby*", pmon_series_english(series)->counter);
}

bool
differences_is_wanted(const struct differences *d, const struct pmon_series *series)
{
	return !is_number_of_something(series) && (are_named(d) || !is_standby(series)) &&
	       logs_ranks(d->logs, series);
}

bool
differences_has(const struct differences *d, enum time_side side, const struct pmon_series *series)
{
	const struct pmon_stats *stats = pmon_statistics_at(d->statistics[side], series->id);

	return stats != NULL && pmon_vstat_has_value(stats->minimum.status);
}

// ---- Rows -----------------------------------------------------------------------------------

// Differences that are too small for anybody to ask about, where no counter was named.
static bool
is_large_enough(const struct difference *row)
{
	return draw_is_large(row->series, row->comparison.after - row->comparison.before);
}

// The averages have to agree with the medians.
static bool
averages_differ(const struct difference *row)
{
	double before = row->average[BEFORE].value;
	double after = row->average[AFTER].value;

	return (after - before) * row->comparison.effect > 0 &&
	       fabs(after - before) >= LEAST_SHARE * fmax(fabs(before), fabs(after));
}

// The median and the deviation of few samples are uncertain.
static double
least_effect(const struct differences *d)
{
	uint64_t fewer =
		d->samples[BEFORE] < d->samples[AFTER] ? d->samples[BEFORE] : d->samples[AFTER];

	return LEAST_EFFECT * (1 + FEW_SAMPLES / (double)(fewer > 0 ? fewer : 1));
}

static bool
is_shown(const struct differences *d, const struct difference *row)
{
	return fabs(row->comparison.effect) >= least_effect(d) &&
	       row->comparison.share >= LEAST_SHARE && averages_differ(row) &&
	       (are_named(d) || is_large_enough(row));
}

static void
fill(const struct differences *d, enum time_side side, const struct pmon_series *series,
     struct difference *row)
{
	row->average[side] =
		pmon_stats_average(pmon_statistics_at(d->statistics[side], series->id));
	row->p95[side] = pmon_statistics_percentile(d->statistics[side], series->id, P95);
}

int
differences_pair(struct differences *d, const struct pmon_series *before,
		 const struct pmon_series *after)
{
	struct difference row = {.series = after, .factor = NAN};
	bool comparable;

	if (before == NULL || after == NULL) {
		d->unpaired[before == NULL ? AFTER : BEFORE]++;
		return EXIT_DONE;
	}
	if (pmon_compare(d->statistics[BEFORE], before->id, d->statistics[AFTER], after->id, NULL,
			 &comparable, &row.comparison) != PMON_OK)
		return say(EXIT_FAILED, "not enough memory");
	d->compared++;
	fill(d, BEFORE, before, &row);
	fill(d, AFTER, after, &row);
	if (!comparable || !is_shown(d, &row))
		return EXIT_DONE;
	if (!pmon_mem_grow(pmon_mem_allocator(NULL), &d->rows, &d->cap, d->n + 1, sizeof(*d->rows)))
		return say(EXIT_FAILED, "not enough memory");
	if (pmon_vstat_has_value(row.average[BEFORE].status) &&
	    pmon_vstat_has_value(row.average[AFTER].status) && row.average[BEFORE].value != 0)
		row.factor = row.average[AFTER].value / row.average[BEFORE].value;
	row.score = fmin(fabs(row.comparison.effect), MOST_EFFECT) * row.comparison.share;
	d->rows[d->n++] = row;
	return EXIT_DONE;
}

static int
largest_first(const void *a, const void *b)
{
	const struct difference *x = a;
	const struct difference *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->series->id < y->series->id ? -1 : x->series->id > y->series->id;
}

// ---- Counters that show the same ------------------------------------------------------------

// The one that comes first stands for the others of its instance.
static const char *const groups[][14] = {
	{"% Processor Time", "% User Time", "% Privileged Time", "% Idle Time",
	 "% Processor Utility", "% Privileged Utility", "% C1 Time", "% C2 Time", "% C3 Time"},
	{"Avg. Disk Queue Length", "% Disk Time", "% Idle Time", "Avg. Disk Read Queue Length",
	 "% Disk Read Time", "Avg. Disk Write Queue Length", "% Disk Write Time",
	 "Current Disk Queue Length"},
	{"Disk Transfers/sec", "Disk Reads/sec", "Disk Writes/sec", "Disk Bytes/sec",
	 "Disk Read Bytes/sec", "Disk Write Bytes/sec"},
	{"IO Data Bytes/sec", "IO Read Bytes/sec", "IO Write Bytes/sec", "IO Data Operations/sec",
	 "IO Read Operations/sec", "IO Write Operations/sec"},
	{"Private Bytes", "Page File Bytes", "Working Set - Private", "Working Set",
	 "Virtual Bytes"},
	{"Committed Bytes", "% Committed Bytes In Use"},
	{"Cache Bytes", "System Cache Resident Bytes"},
	{"Available Bytes", "Available KBytes", "Available MBytes", "Free & Zero Page List Bytes",
	 "Standby*"},
	{"Pages/sec", "Pages Input/sec", "Page Reads/sec", "Page Faults/sec", "Transition *",
	 "Cache Faults/sec"},
	{"Bytes Total/sec", "Bytes Received/sec", "Bytes Sent/sec", "Packets/sec",
	 "Packets Received/sec", "Packets Sent/sec"},
};

#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))
#define N_NAMES  (sizeof(groups[0]) / sizeof(groups[0][0]))

// The place of a counter in a group; N_NAMES if it is not in it.
static size_t
place_in(size_t group, struct pmon_span counter)
{
	for (size_t i = 0; i < N_NAMES && groups[group][i] != NULL; i++)
		if (matches(groups[group][i], counter))
			return i;
	return N_NAMES;
}

// A volume and the disk that it is on: "C:" and "0 C:".
static bool
is_volume_of(const struct pmon_series *disk, const struct pmon_series *volume)
{
	const struct pmon_path *of_disk = pmon_series_english(disk);
	const struct pmon_path *of_volume = pmon_series_english(volume);
	char pattern[64];

	if (!pmon_text_same(of_disk->object, PMON_SPAN("PhysicalDisk")) ||
	    !pmon_text_same(of_volume->object, PMON_SPAN("LogicalDisk")) ||
	    !pmon_text_same(of_disk->counter, of_volume->counter) ||
	    !pmon_text_same(disk->path.machine, volume->path.machine))
		return false;
	(void)snprintf(pattern, sizeof(pattern), "* %.*s", (int)volume->path.instance.len,
		       volume->path.instance.ptr);
	return matches(pattern, disk->path.instance);
}

static bool
shows_the_same(const struct pmon_series *first, const struct pmon_series *other)
{
	struct pmon_path path = first->path;

	if (is_volume_of(first, other))
		return true;
	path.counter = other->path.counter;
	if (first->process_id != other->process_id || first->thread_id != other->thread_id ||
	    !pmon_path_same(&path, &other->path))
		return false;
	for (size_t i = 0; i < N_GROUPS; i++) {
		size_t place = place_in(i, pmon_series_english(other)->counter);

		if (place < N_NAMES && place_in(i, pmon_series_english(first)->counter) < place)
			return true;
	}
	return false;
}

static void
drop_repetitions(struct differences *d)
{
	size_t n = 0;

	// Those that stand for others may be dropped themselves, but not before these.
	for (size_t i = 0; i < d->n; i++) {
		d->rows[i].repeated = false;
		for (size_t k = 0; k < d->n && !d->rows[i].repeated; k++)
			d->rows[i].repeated = shows_the_same(d->rows[k].series, d->rows[i].series);
	}
	for (size_t i = 0; i < d->n; i++)
		if (!d->rows[i].repeated)
			d->rows[n++] = d->rows[i];
	d->n = n;
}

// ---- Output ---------------------------------------------------------------------------------

static void
put_number(struct out *out, double number)
{
	if (isfinite(number))
		out_double(out, number);
	else
		out_null(out);
}

static void
put_times(struct out *out, double factor, const char *unit)
{
	char text[32];

	(void)snprintf(text, sizeof(text), fabs(factor) >= 100 ? "%.0f%s" : "%.3g%s", factor, unit);
	if (isfinite(factor))
		out_str(out, text);
	else
		out_null(out);
}

static void
put_text_row(const struct logs *logs, struct out *out, const struct difference *row)
{
	out_quantity(out, row->series, &row->average[BEFORE]);
	out_quantity(out, row->series, &row->average[AFTER]);
	put_times(out, row->factor, "x");
	out_quantity(out, row->series, &row->p95[BEFORE]);
	out_quantity(out, row->series, &row->p95[AFTER]);
	put_times(out, row->comparison.effect, "");
	out_text(out, logs_path(logs, row->series));
}

static void
put_row(struct out *out, const struct difference *row)
{
	const struct pmon_counter_type *type = pmon_series_type(row->series);

	out_path(out, row->series->name, row->series);
	out_pid(out, row->series);
	for (int side = BEFORE; side <= AFTER; side++) {
		out_value(out, type, &row->average[side]);
		out_value(out, type, &row->p95[side]);
	}
	put_number(out, row->factor);
	put_number(out, row->comparison.effect);
	out_str(out, out_unit(row->series));
}

static void
json_number(struct json *json, double number)
{
	if (isfinite(number))
		json_double(json, number);
	else
		json_null(json);
}

static void
json_row(struct json *json, const struct difference *row)
{
	static const char *const sides[] = {"before", "after"};

	json_open(json, '{');
	json_path(json, row->series->name, row->series);
	json_key(json, "pid");
	if (row->series->of_process && row->series->process_id >= 0)
		json_i64(json, row->series->process_id);
	else
		json_null(json);
	for (int side = BEFORE; side <= AFTER; side++) {
		json_key(json, sides[side]), json_open(json, '{');
		json_key(json, "average"), json_value(json, &row->average[side]);
		json_key(json, "p95"), json_value(json, &row->p95[side]);
		json_close(json, '}');
	}
	json_key(json, "factor"), json_number(json, row->factor);
	json_key(json, "effect"), json_number(json, row->comparison.effect);
	json_key(json, "unit"), json_str(json, out_unit(row->series));
	json_close(json, '}');
}

static int
print_json(const struct differences *d)
{
	struct json json = {.stream = stdout};

	json_open(&json, '{');
	json_key(&json, "version"), json_i64(&json, 1);
	json_key(&json, "series"), json_open(&json, '[');
	for (size_t i = 0; i < d->n; i++)
		json_row(&json, &d->rows[i]);
	json_close(&json, ']');
	json_close(&json, '}');
	putchar('\n');
	return EXIT_DONE;
}

static int
print_table(const struct differences *d, struct logs *logs)
{
	bool as_text = d->args->format == OUT_TEXT;
	struct out out;

	if (as_text && d->n == 0)
		return EXIT_DONE;
	if (as_text) {
		logs_hide_machine(logs);
		logs_print_heading(logs);
	}
	out_begin(&out, stdout, d->args->format, "series", as_text ? text_columns : columns,
		  as_text ? N_TEXT_COLUMNS : N_COLUMNS, &logs->clock);
	for (size_t i = 0; i < d->n; i++)
		if (as_text)
			put_text_row(logs, &out, &d->rows[i]);
		else
			put_row(&out, &d->rows[i]);
	return out_end(&out);
}

// No row is an answer too, so it is said what was compared.
static void
say_others(const struct differences *d, const char *what)
{
	if (d->n == 0 && d->compared > 0)
		say(0, "none of %zu counter%s %s by a fifth and %d times its noise", d->compared,
		    d->compared == 1 ? "" : "s", what, LEAST_EFFECT);
	if (d->unpaired[BEFORE] + d->unpaired[AFTER] > 0)
		say(0, "counters with values on one side only: %zu before, %zu after",
		    d->unpaired[BEFORE], d->unpaired[AFTER]);
}

int
differences_print(struct differences *d, struct logs *logs, const char *what)
{
	int status;

	for (int side = BEFORE; side <= AFTER; side++)
		if (d->samples[side] < FEWEST)
			return say(EXIT_FAILED, "%s: %llu sample%s %s; %d are needed",
				   d->args->verb->name, (unsigned long long)d->samples[side],
				   d->samples[side] == 1 ? "" : "s",
				   side == BEFORE ? "before" : "after", FEWEST);
	if (!are_named(d))
		drop_repetitions(d);
	if (d->n > 1)
		qsort(d->rows, d->n, sizeof(*d->rows), largest_first);
	status = d->args->format == OUT_JSON ? print_json(d) : print_table(d, logs);
	if (status == EXIT_DONE)
		say_others(d, what);
	return status;
}

void
differences_free(struct differences *d)
{
	for (int side = BEFORE; side <= AFTER; side++)
		pmon_statistics_free(d->statistics[side]);
	pmon_mem_free(pmon_mem_allocator(NULL), d->rows, d->cap * sizeof(*d->rows));
}
