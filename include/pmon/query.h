// query.h - select, merge, trim and summarize the samples of a source
// SPDX-License-Identifier: MIT
//
// Each step wraps a source and is itself a source, so steps can be chained:
//
//	struct pmon_log_options options = {.size = sizeof(options), .want = pmon_select_want};
//	struct pmon_select *select = NULL;
//	struct pmon_source *source = NULL;
//	struct pmon_statistics *statistics = NULL;
//
//	status = pmon_select_new(NULL, &select, &err);
//	if (status == PMON_OK)
//		status = pmon_select_add(select, PMON_SPAN("\\Memory\\*"), &err);
//	options.want_ctx = select;
//	if (status == PMON_OK)                                       // reads what is selected only
//		status = pmon_log_open("server.blg", &options, &source, &err);
//	if (status == PMON_OK)
//		status = pmon_window_open(source, from, to, NULL, &source, &err);
//	if (status == PMON_OK)
//		status = pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics, &err);
//	while (status == PMON_OK && (status = pmon_source_next(source, &sample, &err)) == PMON_OK)
//		status = pmon_statistics_add(statistics, sample, NULL, &err);
//	if (status == PMON_END)
//		printf("%g\n", pmon_stats_average(pmon_statistics_at(statistics, 0)).value);
//	pmon_statistics_free(statistics);
//	pmon_source_close(source);
//	pmon_select_free(select);

#ifndef PMON_QUERY_H
#define PMON_QUERY_H

#include <pmon/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Select ---------------------------------------------------------------------------------

// A set of patterns. An empty set selects everything.
struct pmon_select;

PMON_API PMON_NODISCARD enum pmon_status pmon_select_new(const struct pmon_allocator *allocator,
							 struct pmon_select **out,
							 struct pmon_err *err);
PMON_API void pmon_select_free(struct pmon_select *select); // NULL is fine

// Add a pattern (path.h); the text is copied. PMON_E_ARG: the pattern is invalid at byte
// err->offset.
PMON_API PMON_NODISCARD enum pmon_status pmon_select_add(struct pmon_select *select,
							 struct pmon_span pattern,
							 struct pmon_err *err);

// Also match the names in a name table (pmon_log_options.names), if they are in another language.
PMON_API PMON_NODISCARD enum pmon_status pmon_select_add_names(struct pmon_select *select,
							       const char *path,
							       struct pmon_err *err);

// A pmon_want_fn whose ctx is a struct pmon_select *. Counts what each pattern matched. A pattern
// matches the names in the path or their English equivalents; if there are several, any of them.
PMON_API bool pmon_select_want(void *select, const struct pmon_path *path);

// The same, without counting.
PMON_API bool pmon_select_matches(const struct pmon_select *select, const struct pmon_path *path);

// Does the set select the series? If the name of a counter is ambiguous, a series usually shows
// which counter it is; a path alone does not.
PMON_API bool pmon_select_shows(const struct pmon_select *select, const struct pmon_series *series);

// Could any pattern match this counter of the object, whatever the machine and the instance? Does
// any pattern name the object without wildcards? For an empty set the answers are true and false.
PMON_API bool pmon_select_could(const struct pmon_select *select, struct pmon_span object,
				struct pmon_span counter);
PMON_API bool pmon_select_names(const struct pmon_select *select, struct pmon_span object);

// The number of patterns, the text of pattern i, and how many series it has matched so far.
PMON_API size_t pmon_select_count(const struct pmon_select *select);
PMON_API const char *pmon_select_pattern(const struct pmon_select *select, size_t i);
PMON_API uint64_t pmon_select_hits(const struct pmon_select *select, size_t i);

// ---- Merge ----------------------------------------------------------------------------------

// Merge n sources in order of sample time. If times are equal, the source with the lower index
// comes first, except that a source's first sample comes after the samples of sources that have
// already begun. Series with the same path, type and time base become one series; duplicate paths
// within one source stay separate. A value that two sources share is returned once, and a source
// that repeats a whole sample of another source continues that source's stream. Takes ownership of
// the sources, even on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_merge_open(struct pmon_source *const *sources,
							 size_t n,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// Two logs have different values of the same counter at the same time: one of the logs is wrong, or
// they are from different machines. Both values are returned. pmon_source_info.losses counts all
// clashes of a merge as one.
struct pmon_clash {
	uint64_t n; // number of clashes; the fields below describe the first
	size_t log; // the indexes of the two logs
	size_t other;
	pmon_time time;
	char path[256]; // of the counter; truncated if longer
};
typedef void (*pmon_clash_fn)(void *ctx, const struct pmon_clash *clash);

// Report clashes in a source from pmon_merge_open(): clash is called once, after the last sample,
// if there are any. ctx must outlive the merge.
PMON_API void pmon_merge_on_clash(struct pmon_source *merge, pmon_clash_fn clash, void *ctx);

// Logs that are opened only when they are needed, so that hundreds can be merged.
struct pmon_logs {
	size_t size; // of this struct, set by the caller: base.h
	size_t n;
	// Open log i. Called more than once per log: first to list its counters and find its start
	// time.
	enum pmon_status (*open)(void *ctx, size_t i, struct pmon_source **source,
				 struct pmon_err *err);
	// Log i could not be opened, or reading it failed and it ends there. NULL: the merge fails
	// too.
	void (*failed)(void *ctx, size_t i, const struct pmon_err *err);
	// Called once, after the last sample, if there are clashes. NULL: they are not reported.
	pmon_clash_fn clash;
	void *ctx;        // must outlive the merge
	unsigned threads; // that may open logs concurrently; 0 and 1: only the caller's
	unsigned char reserved[4];
};

// Like pmon_merge_open(), for logs. Only the first log and those that have begun but not ended are
// open at any time. PMON_E_NOTFOUND: none of the logs can be opened.
PMON_API PMON_NODISCARD enum pmon_status pmon_merge_logs(const struct pmon_logs *logs,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// ---- Window ---------------------------------------------------------------------------------

// The samples of source with from <= time <= to; PMON_TIME_NONE means unbounded. For each stream
// that has one, the last sample before the window is returned first, marked as preceding. Takes
// ownership of the source, even on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_window_open(struct pmon_source *source,
							  pmon_time from, pmon_time to,
							  const struct pmon_allocator *allocator,
							  struct pmon_source **out,
							  struct pmon_err *err);

// ---- Identity -------------------------------------------------------------------------------

// `\Process(rundll32#1)` does not identify a process: when the first of two processes with the same
// name ends, Windows renames the other one. This step tracks `ID Process`, `ID Thread` and `Elapsed
// Time` of each instance, so that no value is computed from two different processes:
//
//	struct pmon_log_options options = {.size = sizeof(options), .want = pmon_select_want};
//	struct pmon_identity_options identity = {.size = sizeof(identity), .shown = select};   // but does not show it
//	struct pmon_select *reading = NULL;
//	struct pmon_source *source = NULL;
//
//	status = pmon_identity_select(select, NULL, &reading, &err); // reads `ID Process` too
//	options.want_ctx = reading != NULL ? reading : select;
//	if (status == PMON_OK)
//		status = pmon_log_open("server.blg", &options, &source, &err);
//	if (status == PMON_OK)
//		status = pmon_identity_open(source, &identity, &source, &err);
//	pmon_source_close(source);
//	pmon_select_free(reading);
//
// The rules are in docs/identity.md.
struct pmon_identity_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	// Series that it does not match are read but not returned. NULL or empty: return all. Must
	// outlive the source.
	const struct pmon_select *shown;
	// The same as a function, called repeatedly: once it has returned true for a series, it
	// must keep doing so. NULL: hide none.
	bool (*hides)(void *ctx, const struct pmon_series *series);
	void *hides_ctx;
	// Return one series for each counter of each process, under whatever instance names the
	// process has had (struct pmon_series.process_id). Otherwise series stay as they are, and
	// where the instance becomes another process, its raw value is PMON_RAW_CHANGED.
	bool by_process;
	// With by_process: forget a process that is missing from this many samples and reuse its
	// series (struct pmon_series.life), so that memory stays bounded while sampling a machine.
	// 0: forget none. Only for sources that are not rewound.
	uint32_t forget_after;
	// For samples taken by pmon. The counters of a process that started after the previous
	// sample count from 0 at its start. A process that had another instance name in the
	// previous sample (it was renamed or renumbered) continues from its raw values there. Both
	// are returned as a sample of PMON_RAW_STARTED values before the sample (struct
	// pmon_sample.starts).
	bool from_start;
	// Report which process the values of a series belong to, with its first usable value and
	// whenever the process changes (struct pmon_sample.owners), for callers that join several
	// logs. Applies only to series whose values need two samples, and not with by_process.
	bool tells_owners;
	// With tells_owners: the start times of processes are in UTC, as in struct
	// pmon_identity_who, for callers that show them. Those on the clock of `Elapsed Time` are
	// better to compare between logs.
	bool owners_in_utc;
	unsigned char reserved[5];
};

// Distinguish processes. Takes ownership of the source, even on failure. PMON_E_NOMEM.
PMON_API PMON_NODISCARD enum pmon_status pmon_identity_open(
	struct pmon_source *source, const struct pmon_identity_options *options,
	struct pmon_source **out, struct pmon_err *err);

// A process, or one of its threads, behind an instance name.
struct pmon_identity_who {
	int64_t process_id; // -1: unknown
	int64_t thread_id;  // -1: unknown, or it is a process
	pmon_time start;    // PMON_TIME_NONE: unknown
	uint64_t reserved[2];
};

// The last change of process under the instance name of a path, among the samples that source,
// which must come from pmon_identity_open(), has returned so far: the process before the change and
// the one since. False if there was no change.
PMON_API bool pmon_identity_change(const struct pmon_source *source, const struct pmon_path *path,
				   struct pmon_identity_who *before,
				   struct pmon_identity_who *after);

// Copy the patterns and add those for the counters that identify processes: for \Process(x*)\Foo
// also \Process(x*)\ID Process. *out is NULL if nothing has to be added: the patterns match no
// process, they already match these counters, or the set is empty and matches everything.
PMON_API PMON_NODISCARD enum pmon_status pmon_identity_select(
	const struct pmon_select *select, const struct pmon_allocator *allocator,
	struct pmon_select **out, struct pmon_err *err);

// Has source, which must come from pmon_identity_open(), returned instances of Process or Thread
// that no counter identifies? Those with equal names cannot be distinguished.
PMON_API bool pmon_identity_is_unknown(const struct pmon_source *source);

// ---- Thin out and resample ------------------------------------------------------------------

// Put these steps before pmon_identity_open(), which compares each sample with the preceding one.
// Samples dropped after it may be the ones that report a change of process.

// Every n-th sample of each stream, beginning with the first. Raw values keep their meaning: a rate
// over n intervals is computed from its end points. Takes ownership of the source, even on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_every_open(struct pmon_source *source, uint64_t n,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// One sample per step of time, if the step contains any samples. Its raw values are those at the
// end of the step; its displayed values are averages over the step, by the counter's own type.
// Steps follow the log's clock, at multiples of step_100ns since midnight (since 1601 for steps
// longer than a day).
struct pmon_resampler;
PMON_API PMON_NODISCARD enum pmon_status pmon_resampler_new(const struct pmon_schema *schema,
							    int64_t step_100ns,
							    const struct pmon_calc_options *options,
							    const struct pmon_allocator *allocator,
							    struct pmon_resampler **out,
							    struct pmon_err *err);
PMON_API void pmon_resampler_free(struct pmon_resampler *resampler); // NULL is fine

// Add a sample, or NULL after the last. If this completes a step, *out is the step's sample and
// *values its displayed values in the same order, both valid until the next call; otherwise *out is
// NULL.
PMON_API PMON_NODISCARD enum pmon_status pmon_resampler_add(struct pmon_resampler *resampler,
							    const struct pmon_sample *sample,
							    const struct pmon_sample **out,
							    const struct pmon_value **values,
							    struct pmon_err *err);

// The samples of steps as a source, with raw values only: values computed from them are those
// between the ends of steps. Takes ownership of the source, even on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_steps_open(struct pmon_source *source,
							 int64_t step_100ns,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// ---- Names of machines ----------------------------------------------------------------------

// Chooses the name that a machine has from this step on: set *name, which must outlive the source
// and is `machine` when the function is called. id is NULL if the source has none; machine is
// {NULL, 0} for paths without one. The reader calls it at least once for each machine. If it fails,
// so does the source.
typedef enum pmon_status (*pmon_machine_name_fn)(void *ctx, struct pmon_span machine,
						 const char *id, struct pmon_span *name,
						 struct pmon_err *err);

struct pmon_rename_options {
	size_t size;                            // of this struct, set by the caller: base.h
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	pmon_machine_name_fn name;
	void *ctx;
	pmon_want_fn want; // which series, by their new names; NULL: all
	void *want_ctx;
};

// The same source with other machine names, in paths and in its info. Takes ownership of the
// source, even on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_rename_machines(
	struct pmon_source *source, const struct pmon_rename_options *options,
	struct pmon_source **out, struct pmon_err *err);

// ---- Statistics -----------------------------------------------------------------------------

// The statistics of every series of a schema.
struct pmon_statistics;

// schema must outlive the statistics; options may be NULL.
PMON_API PMON_NODISCARD enum pmon_status pmon_statistics_new(
	const struct pmon_schema *schema, const struct pmon_calc_options *options,
	const struct pmon_allocator *allocator, struct pmon_statistics **out, struct pmon_err *err);
PMON_API void pmon_statistics_free(struct pmon_statistics *statistics); // NULL is fine

// What to keep for each series in addition to its struct pmon_stats: the data for
// pmon_statistics_total() and pmon_statistics_percentile(). Percentiles need about 1 KiB for each
// power of two in the range of a series' values, at most 130 KiB a series.
#define PMON_KEEP_TOTALS      1u
#define PMON_KEEP_PERCENTILES 2u

// Call it before the first sample.
PMON_API void pmon_statistics_keep(struct pmon_statistics *statistics, unsigned what);

// Add a sample. *values (values may be NULL) is set to sample->n displayed values in the order of
// the sample, valid until the next call. For a preceding sample they are all no_data.
PMON_API PMON_NODISCARD enum pmon_status pmon_statistics_add(struct pmon_statistics *statistics,
							     const struct pmon_sample *sample,
							     const struct pmon_value **values,
							     struct pmon_err *err);

// Zeros are the defaults.
struct pmon_statistics_options {
	size_t size;                          // of this struct, set by the caller: base.h
	const struct pmon_calc_options *calc; // NULL: none
	unsigned keep;                        // PMON_KEEP_*
	// Threads that may read in parallel. 0 and 1: only the caller's. If more, the allocators
	// are called from several threads and must be thread-safe; the source's want function is
	// called by one thread at a time, but more than once per series. Results, notices and
	// statuses do not depend on this.
	unsigned threads;
	uint64_t part_bytes; // input bytes that justify another thread; 0: 4 MiB
	// Called occasionally on the caller's thread; may be NULL.
	void (*progress)(void *ctx, const struct pmon_source_info *info);
	void *progress_ctx;
};

// Compute the statistics of a source from its position to its end. options may be NULL. On failure
// *out is NULL. Statuses are those of pmon_source_next(), except PMON_END.
PMON_API PMON_NODISCARD enum pmon_status pmon_statistics_read(
	struct pmon_source *source, const struct pmon_statistics_options *options,
	const struct pmon_allocator *allocator, struct pmon_statistics **out, struct pmon_err *err);

// How merged logs are read. Zeros are the defaults, except that an unbounded window is
// PMON_TIME_NONE.
struct pmon_fleet_options {
	size_t size; // of this struct, set by the caller: base.h
	// As for pmon_statistics_read(), except that each thread reads one log. NULL: the defaults.
	const struct pmon_statistics_options *read;
	pmon_time from;
	pmon_time to;
	// How to distinguish processes; NULL: do not. Without by_process.
	const struct pmon_identity_options *identity;
	uint64_t samples;       // result: the number of samples, without preceding ones
	bool unknown_processes; // result: pmon_identity_is_unknown() for any log
	unsigned char reserved[7];
};

// Compute the statistics of logs that were merged by pmon_merge_logs() and not yet read, within the
// window. The result is the same, to the last bit, as that of reading the merge. Each log is read
// by one thread into its own statistics, and those of consecutive logs are combined. Logs that have
// the same series at the same time are read again in order of time. Afterwards the source is at its
// end. PMON_E_ARG: the source is not such a merge.
PMON_API PMON_NODISCARD enum pmon_status pmon_fleet_read(struct pmon_source *merge,
							 struct pmon_fleet_options *options,
							 const struct pmon_allocator *allocator,
							 struct pmon_statistics **out,
							 struct pmon_err *err);

// Begin a new window: reset all statistics. The first pair of each series begins at its newest raw
// value.
PMON_API void pmon_statistics_restart(struct pmon_statistics *statistics);

// The statistics of series i so far; NULL if it has had no value.
PMON_API const struct pmon_stats *pmon_statistics_at(const struct pmon_statistics *statistics,
						     size_t i);

// The integral of series i over time, by its type. For types with differences it is
// pmon_stats_total(). For a level it is the sum of its values, each times the seconds since the
// preceding sample or, after a gap, times one usual interval. Displayed values in text logs are
// treated according to the counter's known type, so those of timers and rates give seconds and
// counts too. no_data for elapsed times, for averages in text logs, and, without PMON_KEEP_TOTALS,
// for levels and all displayed values.
PMON_API struct pmon_value pmon_statistics_total(const struct pmon_statistics *statistics,
						 size_t i);

// A percentile of the displayed values of series i; percent is 0 to 100, such as 95 for the 95th.
// It is the smallest value such that it and smaller values cover at least that share of the time.
// After a gap, a level covers one usual interval, and a value from two raw values covers the whole
// gap. For averages per operation, it is the share of operations instead of time. In text logs all
// values have the same weight. The error is at most 0.5 % of the value (src/query/quantile.h).
// no_data if nothing has any weight, without PMON_KEEP_PERCENTILES, or if percent is outside 0 to
// 100.
PMON_API struct pmon_value pmon_statistics_percentile(const struct pmon_statistics *statistics,
						      size_t i, double percent);

// ---- Choose ---------------------------------------------------------------------------------

// Choose series that are worth showing first in an unknown log: for all machines, all processors,
// available memory, the slowest disk, the busiest network interface, the busiest processor. If the
// log has none of these, the busiest series of each counter. Fills in at most max series numbers, the
// most useful first, and returns how many.
PMON_API size_t pmon_choose(const struct pmon_schema *schema,
			    const struct pmon_statistics *statistics, uint32_t *series, size_t max);

// What a series with this path could be chosen for, before there are statistics. Returns false if
// it can be chosen only when nothing else can.
struct pmon_choice {
	size_t question;   // one series is chosen per question; 0 is the most useful question
	size_t order;      // if a machine has several kinds, those with the smallest order win
	const char *label; // "Disk read"
	bool least;        // the smallest value matters, as for free memory
	const void *reserved[2];
};
PMON_API bool pmon_choose_could(const struct pmon_path *path, struct pmon_choice *out);

// Patterns that match everything that could be chosen from a machine that is sampled, so that not
// all of it has to be read. NULL after the last.
PMON_API const char *pmon_choose_pattern(size_t i);

// ---- Envelope -------------------------------------------------------------------------------

// Each series of a time window is reduced to the columns of a chart. Every extreme is kept, even
// one sample in ten million. The samples are read once:
//
//	struct pmon_envelope_options options = {.size = sizeof(options), .from = from, .to = to, .columns = 1200};
//	const struct pmon_schema *schema = pmon_source_schema(source);
//	const struct pmon_envelope_column *columns = NULL;
//	struct pmon_envelope *envelope = NULL;
//	struct pmon_statistics *statistics = NULL;
//
//	status = pmon_statistics_new(schema, NULL, NULL, &statistics, &err);
//	if (status == PMON_OK)
//		status = pmon_envelope_new(schema, &options, NULL, &envelope, &err);
//	while (status == PMON_OK && (status = pmon_source_next(source, &sample, &err)) == PMON_OK) {
//		status = pmon_statistics_add(statistics, sample, &values, &err);
//		if (status == PMON_OK)
//			status = pmon_envelope_add(envelope, sample, values, &err);
//	}
//	if (status == PMON_END)
//		columns = pmon_envelope_at(envelope, 0);            // 1200 of them, or NULL
//	printf("%s\n", columns != NULL ? "columns" : "no values");
//	pmon_envelope_free(envelope);
//	pmon_statistics_free(statistics);
//
// Column i contains the values from from + i * (to - from) / columns up to, but not including, the
// start of the next column; the last column includes the end of the window. The value of a pair of
// samples is at the newer one.

struct pmon_envelope;

// One column of one series. If count is 0, it contains no value.
struct pmon_envelope_column {
	double first; // displayed values, in the order of time
	double minimum;
	double maximum;
	double last;
	pmon_time time;  // of the sample of the first value
	uint32_t count;  // number of values; UINT32_MAX means that many or more
	uint8_t missing; // enum pmon_vstat: the newest reason why a sample in this column has no
			 // value; PMON_V_OK if no value is missing. The first value of a run or the
			 // absence of the series does not count as missing
	bool joined;     // no value is missing between this column's first value and the preceding
			 // value: draw a line to it
};

#define PMON_ENVELOPE_COLUMNS 65536 // at most
#define PMON_ENVELOPE_SERIES  64    // default of max_series

struct pmon_envelope_options {
	size_t size;    // of this struct, set by the caller: base.h
	pmon_time from; // from <= to
	pmon_time to;
	size_t columns;    // 1..PMON_ENVELOPE_COLUMNS
	size_t max_series; // the first series that have values; 0: PMON_ENVELOPE_SERIES
	pmon_want_fn want; // called once per series; NULL: all are wanted
	void *want_ctx;
	// The end is not known yet: a sample at `to` or later doubles the window and joins columns
	// in pairs. Requires from < to and an even number of columns.
	bool grows;
	unsigned char reserved[7];
};

// schema must outlive the envelope; options are copied. PMON_E_ARG: the options are invalid.
PMON_API PMON_NODISCARD enum pmon_status pmon_envelope_new(
	const struct pmon_schema *schema, const struct pmon_envelope_options *options,
	const struct pmon_allocator *allocator, struct pmon_envelope **out, struct pmon_err *err);
PMON_API void pmon_envelope_free(struct pmon_envelope *envelope); // NULL is fine

// Add a sample with its sample->n displayed values. Samples outside the window and preceding
// samples are ignored.
PMON_API PMON_NODISCARD enum pmon_status pmon_envelope_add(struct pmon_envelope *envelope,
							   const struct pmon_sample *sample,
							   const struct pmon_value *values,
							   struct pmon_err *err);

// The columns of series i; NULL if it is not wanted, has no value, or came after max_series others.
PMON_API const struct pmon_envelope_column *pmon_envelope_at(const struct pmon_envelope *envelope,
							     size_t i);

// The end of the window, which may have grown.
PMON_API pmon_time pmon_envelope_end(const struct pmon_envelope *envelope);

// The number of series omitted because of max_series.
PMON_API size_t pmon_envelope_omitted(const struct pmon_envelope *envelope);

#ifdef __cplusplus
}
#endif

#endif
