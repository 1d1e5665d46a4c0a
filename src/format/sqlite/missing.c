// missing.c - find rows that are missing from a database
// SPDX-License-Identifier: MIT
//
// A deleted row leaves traces in other tables: values whose sample or counter is missing, a gap in
// the numbers of the samples, a log set with fewer samples than stated. That each sample has all
// its values is checked while they are read (rows.c).

#include "base/text.h"
#include "format/sqlite/sqlite.h"

// ---- Counters -------------------------------------------------------------------------------

// A row of one table without a counterpart in another.
struct unmatched {
	const char *count;
	const char *first;
	const char *text;
};

static enum pmon_status
tell_unmatched(struct sqlog *log, const struct unmatched *u, struct pmon_err *err)
{
	int64_t n = 0;
	int64_t first = 0;
	enum pmon_status status = pmon_sqlite_ask(log, u->count, 0, &n, err);

	if (status == PMON_OK && n > 0)
		status = pmon_sqlite_ask(log, u->first, 0, &first, err);
	if (status == PMON_OK && n > 0)
		pmon_report_loss(&log->report, 0, 0, "%s: %lld (first: counter %lld)", u->text,
				 (long long)n, (long long)first);
	return status;
}

enum pmon_status
pmon_sqlite_unmatched(struct sqlog *log, struct pmon_err *err)
{
	static const struct unmatched all[] = {
		{"SELECT count(*) FROM CounterDetails"
		 " WHERE CounterID NOT IN (SELECT id FROM pmon_series)",
		 "SELECT min(CounterID) FROM CounterDetails"
		 " WHERE CounterID NOT IN (SELECT id FROM pmon_series)",
		 "CounterDetails: counters without a row in pmon_series"},
		{"SELECT count(*) FROM pmon_series"
		 " WHERE id NOT IN (SELECT CounterID FROM CounterDetails)",
		 "SELECT min(id) FROM pmon_series"
		 " WHERE id NOT IN (SELECT CounterID FROM CounterDetails)",
		 "pmon_series: counters without a row in CounterDetails"},
		{"SELECT count(*) FROM CounterDetails WHERE typeof(CounterType) <> 'integer'",
		 "SELECT min(CounterID) FROM CounterDetails"
		 " WHERE typeof(CounterType) <> 'integer'",
		 "CounterDetails: counters without a type"},
	};
	enum pmon_status status = PMON_OK;
	size_t n = log->exact && !log->cut ? sizeof(all) / sizeof(all[0]) : 0;

	for (size_t i = 0; status == PMON_OK && i < n; i++)
		status = tell_unmatched(log, &all[i], err);
	return status;
}

// ---- Values and samples ---------------------------------------------------------------------

// Report values whose sample is missing. The number of rows, which SQLite counts quickly, shows
// whether there are any.
static enum pmon_status
tell_orphans(struct sqlog *log, int64_t *n_samples, struct pmon_err *err)
{
#define ORPHANS " FROM CounterData WHERE Sample NOT IN (SELECT id FROM pmon_sample)"
	int64_t n = 0;
	int64_t first = 0;
	enum pmon_status status =
		pmon_sqlite_ask(log, "SELECT count(*) FROM CounterData", 0, &n, err);

	if (status != PMON_OK || n <= 0 || (uint64_t)n <= log->n_values)
		return status;
	n -= (int64_t)log->n_values;
	status = pmon_sqlite_ask(log, "SELECT count(DISTINCT Sample)" ORPHANS, 0, n_samples, err);
	if (status == PMON_OK)
		status = pmon_sqlite_ask(log, "SELECT min(Sample)" ORPHANS, 0, &first, err);
	if (status == PMON_OK)
		pmon_report_loss(
			&log->report, 0, 0,
			"CounterData: values without their sample in pmon_sample: %lld (of "
			"%lld %s, first: sample %lld)",
			(long long)n, (long long)*n_samples,
			pmon_text_word((uint64_t)*n_samples, "sample", "samples"),
			(long long)first);
	return status;
#undef ORPHANS
}

// Samples are numbered from 1 without gaps, and log sets contain their number of samples. n_told of
// the missing ones were already reported with their values.
static enum pmon_status
tell_missing_samples(struct sqlog *log, int64_t n_told, struct pmon_err *err)
{
	int64_t last = 0;
	int64_t said = 0;
	int64_t there = 0;
	int64_t first = 0;
	enum pmon_status status =
		pmon_sqlite_ask(log, "SELECT max(id) FROM pmon_sample", 0, &last, err);

	if (status == PMON_OK)
		status = pmon_sqlite_ask(log, "SELECT count(*) FROM pmon_sample", 0, &there, err);
	if (status == PMON_OK)
		status = pmon_sqlite_ask(log, "SELECT total(NumberOfRecords) FROM DisplayToID", 0,
					 &said, err);
	last = last > said ? last : said;
	if (status != PMON_OK || last <= 0 || last - n_told <= there)
		return status;
	status = pmon_sqlite_ask(log,
				 "SELECT min(id) + 1 FROM (SELECT 0 AS id UNION ALL SELECT id"
				 " FROM pmon_sample) AS s WHERE NOT EXISTS"
				 " (SELECT 1 FROM pmon_sample AS n WHERE n.id = s.id + 1)",
				 0, &first, err);
	if (status == PMON_OK)
		pmon_report_loss(&log->report, 0, 0,
				 "pmon_sample: samples missing with their values: %lld of %lld "
				 "(first: sample %lld)",
				 (long long)(last - n_told - there), (long long)last,
				 (long long)first);
	return status;
}

static void
tell_unnamed(struct sqlog *log)
{
	if (log->unnamed.n > 0)
		pmon_report_loss(
			&log->report, 0, 0,
			"CounterData: values of counters that CounterDetails does not name: "
			"%llu (of %llu %s, first: counter %lld)",
			(unsigned long long)log->unnamed.n,
			(unsigned long long)log->unnamed.n_counters,
			pmon_text_word(log->unnamed.n_counters, "counter", "counters"),
			(long long)log->unnamed.first);
}

enum pmon_status
pmon_sqlite_missing(struct sqlog *log, struct pmon_err *err)
{
	int64_t n_told = 0;
	enum pmon_status status;

	log->report.here++;
	tell_unnamed(log);
	if (!log->exact || log->cut || log->report.here <= log->report.seen)
		return PMON_OK;
	status = tell_orphans(log, &n_told, err);
	return status == PMON_OK ? tell_missing_samples(log, n_told, err) : status;
}
