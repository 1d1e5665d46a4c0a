// query.h - choose, merge, cut and sum up what a source yields
// SPDX-License-Identifier: MIT
//
// Each step takes a source and is one, so steps are put in a line as they are needed:
//
//	pmon_select_add(select, "\\Processor(*)\\*", NULL);
//	options.want = pmon_select_want, options.want_ctx = select;
//	pmon_log_open("server.blg", &options, &source, &err);       // reads what is selected only
//	pmon_window_open(source, from, to, NULL, &source, &err);
//	pmon_statistics_new(pmon_source_schema(source), NULL, NULL, &statistics);
//	while (pmon_source_next(source, &sample, &err) == PMON_OK)
//		pmon_statistics_add(statistics, sample, NULL, &err);

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

// Add a pattern (path.h); the text is copied. PMON_E_ARG when it is not valid, err->offset the byte.
PMON_API PMON_NODISCARD enum pmon_status pmon_select_add(struct pmon_select *select,
							 struct pmon_span pattern,
							 struct pmon_err *err);

// Know the names of a table too (pmon_log_options.names), if it is one of names in another language.
PMON_API PMON_NODISCARD enum pmon_status pmon_select_add_names(struct pmon_select *select,
							       const char *path,
							       struct pmon_err *err);

// A pmon_want_fn whose ctx is a struct pmon_select *. Counts what each pattern matched. A pattern matches by
// the names of the path or by the English ones that they stand for, each of them if there are several.
PMON_API bool pmon_select_want(void *select, const struct pmon_path *path);

// The same without counting.
PMON_API bool pmon_select_matches(const struct pmon_select *select, const struct pmon_path *path);

// Does the set select a series? Unlike its path, a series mostly shows which counter an ambiguous name is.
PMON_API bool pmon_select_shows(const struct pmon_select *select, const struct pmon_series *series);

// Could any pattern match a counter of this object, whatever the machine and the instance? Does any
// name the object without wildcards? An empty set could match everything, and names nothing.
PMON_API bool pmon_select_could(const struct pmon_select *select, struct pmon_span object,
				struct pmon_span counter);
PMON_API bool pmon_select_names(const struct pmon_select *select, struct pmon_span object);

// Number of patterns, the text of pattern i, and how many series it has matched so far.
PMON_API size_t pmon_select_count(const struct pmon_select *select);
PMON_API const char *pmon_select_pattern(const struct pmon_select *select, size_t i);
PMON_API uint64_t pmon_select_hits(const struct pmon_select *select, size_t i);

// ---- Merge ----------------------------------------------------------------------------------

// Put n sources together by the times of their samples, the first of equals first, but one that begins
// after those that continue. Series of the same path, type and time base become one series; the same path
// twice in one source stays two. What two sources both have is given once, and a source that repeats a
// whole sample of another goes on in its stream. Takes the sources over, also on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_merge_open(struct pmon_source *const *sources,
							 size_t n,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// Values of one counter and one moment that are different in two logs: one of the logs is wrong, or they are of
// different machines. Both values are given; in pmon_source_info it is one place of damage.
struct pmon_clash {
	uint64_t n; // values; what follows is the first of them
	size_t log; // the logs that have it, by their numbers
	size_t other;
	pmon_time time;
	char path[256]; // of the counter, cut off if it is longer
};
typedef void (*pmon_clash_fn)(void *ctx, const struct pmon_clash *clash);

// Have what pmon_merge_open() gave report different values for one moment: clash is called once, after the
// last sample, if there are any. ctx must outlive the merge.
PMON_API void pmon_merge_on_clash(struct pmon_source *merge, pmon_clash_fn clash, void *ctx);

// Logs that are opened when they are needed, so that hundreds can be read in one go.
struct pmon_logs {
	size_t n;
	// Open log i. Asked more than once for each: first to learn its counters and when it begins.
	enum pmon_status (*open)(void *ctx, size_t i, struct pmon_source **source,
				 struct pmon_err *err);
	// Log i cannot be opened, or not be read on, and has ended there. NULL: the merge fails too.
	void (*failed)(void *ctx, size_t i, const struct pmon_err *err);
	// Called once, after the last sample, if there are any. NULL: not reported.
	pmon_clash_fn clash;
	void *ctx;        // must outlive the merge
	unsigned threads; // that may open logs at the same time; 0 and 1: the caller's alone
};

// The same of logs. Only those that have begun and not ended are open at a time, and the first.
// PMON_E_NOTFOUND when none of them can be opened.
PMON_API PMON_NODISCARD enum pmon_status pmon_merge_logs(const struct pmon_logs *logs,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// ---- Window ---------------------------------------------------------------------------------

// The samples of source with from <= time <= to; PMON_TIME_NONE means without a bound. The sample just before
// the window, of each stream that has one, comes first, marked lead_in. Takes the source over, also on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_window_open(struct pmon_source *source,
							  pmon_time from, pmon_time to,
							  const struct pmon_allocator *allocator,
							  struct pmon_source **out,
							  struct pmon_err *err);

// ---- Identity -------------------------------------------------------------------------------

// `\Process(rundll32#1)` names a place, not a process: when the first of two processes of a name ends,
// Windows gives its place to the other one. This step watches `ID Process`, `ID Thread` and
// `Elapsed Time` of each instance, and sees that no number is made of two processes:
//
//	pmon_identity_select(select, NULL, &reading, &err);  // reads `ID Process` too
//	options.want = pmon_select_want, options.want_ctx = reading;
//	pmon_log_open("server.blg", &options, &source, &err);
//	identity.shown = select;                             // but does not show it
//	pmon_identity_open(source, &identity, &source, &err);
//
// docs/identity.md has the rules.
struct pmon_identity_options {
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	// Series that it does not match are read and not given. NULL or empty: all are given. Must
	// outlive the source.
	const struct pmon_select *shown;
	// Likewise, asked from time to time: once true of a series of the source it must stay so. NULL: none.
	bool (*hides)(void *ctx, const struct pmon_series *series);
	void *hides_ctx;
	// Give one series for each counter of each process, through all places that the process has
	// had (struct pmon_series.process_id). Otherwise series stay as they are, and where another
	// process has the place the raw value is PMON_RAW_CHANGED.
	bool by_process;
	// With by_process: a process that no sample has had for so many samples is forgotten, and its
	// series are given to others (struct pmon_series.life), so that memory is bounded while a
	// machine is sampled. 0: none is. For sources that are not read a second time.
	uint32_t forget_after;
	// For samples that pmon took. A process that began after the previous sample counts from 0 at
	// its start. One that had another place in the previous sample (it was renamed, or numbered
	// anew) goes on from its raw values there. Both are given as a sample of PMON_RAW_STARTED
	// values before the sample (struct pmon_sample.starts).
	bool from_start;
	// Say which process the values of a series belong to, with its first usable value and wherever
	// that changes (struct pmon_sample.owners): for callers that join several logs. Only for
	// series whose values need two samples, and not with by_process.
	bool tells_owners;
};

// Tell processes apart. Takes the source over, also on failure. PMON_E_NOMEM.
PMON_API PMON_NODISCARD enum pmon_status pmon_identity_open(
	struct pmon_source *source, const struct pmon_identity_options *options,
	struct pmon_source **out, struct pmon_err *err);

// A process, or a thread of one, that has an instance name.
struct pmon_identity_who {
	int64_t process_id; // -1: not known
	int64_t thread_id;  // -1: not known, or it is a process
	pmon_time start;    // PMON_TIME_NONE: not known
};

// The last change of process under the instance name of a path, in the samples that the source,
// from pmon_identity_open(), has returned so far: the process before it, and the one since. False
// when the process never changed.
PMON_API bool pmon_identity_change(const struct pmon_source *source, const struct pmon_path *path,
				   struct pmon_identity_who *before,
				   struct pmon_identity_who *after);

// A copy of the patterns with those of the counters that tell processes apart: for \Process(x*)\Foo
// also \Process(x*)\ID Process. *out is NULL where nothing else has to be read: the patterns match no
// process, or these counters too, or the set is empty and matches everything.
PMON_API PMON_NODISCARD enum pmon_status pmon_identity_select(
	const struct pmon_select *select, const struct pmon_allocator *allocator,
	struct pmon_select **out, struct pmon_err *err);

// Has the source, from pmon_identity_open(), had instances of Process or Thread that no counter
// identifies? Then those with the same name cannot be distinguished.
PMON_API bool pmon_identity_is_unknown(const struct pmon_source *source);

// ---- Thin out and resample ------------------------------------------------------------------

// Thin out before pmon_identity_open(), which compares each sample with the one before it: the sample
// that is left out may be the one that says that another process has the place.

// Every n-th sample of each stream, beginning with the first. Raw values keep their meaning: a rate
// over n intervals is computed from its end points. Takes the source over, also on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_every_open(struct pmon_source *source, uint64_t n,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// One sample for each step of time that holds any: raw values are those at the end of the step, and
// values, for who takes them, are the averages of the step by the counter's own type. Steps are cut
// on the log's clock, at multiples of step_100ns since midnight (or since 1601 for longer ones).
struct pmon_resampler;
PMON_API PMON_NODISCARD enum pmon_status pmon_resampler_new(const struct pmon_schema *schema,
							    int64_t step_100ns,
							    const struct pmon_calc_options *options,
							    const struct pmon_allocator *allocator,
							    struct pmon_resampler **out,
							    struct pmon_err *err);
PMON_API void pmon_resampler_free(struct pmon_resampler *resampler); // NULL is fine

// Add a sample; NULL after the last. When that completes a step, *out is its sample and *values its
// values, in its order, both valid until the next call; else *out is NULL.
PMON_API PMON_NODISCARD enum pmon_status pmon_resampler_add(struct pmon_resampler *resampler,
							    const struct pmon_sample *sample,
							    const struct pmon_sample **out,
							    const struct pmon_value **values,
							    struct pmon_err *err);

// A source of the samples of steps, with their raw values alone: values that are computed from it are those
// of the ends of the steps. Takes the source over, also on failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_steps_open(struct pmon_source *source,
							 int64_t step_100ns,
							 const struct pmon_allocator *allocator,
							 struct pmon_source **out,
							 struct pmon_err *err);

// ---- Names of machines ----------------------------------------------------------------------

// The name of a machine from here on: what *name is set to, which must outlive the source; it is `machine` before.
// id is NULL if the source does not have it, machine {NULL, 0} for paths without one. Called for each machine at
// least once, by whoever reads. A failure is that of the source.
typedef enum pmon_status (*pmon_machine_name_fn)(void *ctx, struct pmon_span machine,
						 const char *id, struct pmon_span *name,
						 struct pmon_err *err);

struct pmon_rename_options {
	const struct pmon_allocator *allocator; // NULL: libc. Must outlive the source
	pmon_machine_name_fn name;
	void *ctx;
	pmon_want_fn want; // which series, by their new names; NULL: all
	void *want_ctx;
};

// The same source with other names of its machines, in paths and facts. Takes the source over, also on failure.
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

// What to keep of each series beside its struct pmon_stats: what pmon_statistics_total() and
// pmon_statistics_percentile() need. Percentiles take about 1 KiB for each power of two that a series has
// values in, at most 130 KiB a series.
#define PMON_KEEP_TOTALS      1u
#define PMON_KEEP_PERCENTILES 2u

// Before the first sample.
PMON_API void pmon_statistics_keep(struct pmon_statistics *statistics, unsigned what);

// Add a sample. *values (values may be NULL) gets sample->n displayed values in the order of the
// sample, valid until the next call; of a lead_in sample they are all no_data.
PMON_API PMON_NODISCARD enum pmon_status pmon_statistics_add(struct pmon_statistics *statistics,
							     const struct pmon_sample *sample,
							     const struct pmon_value **values,
							     struct pmon_err *err);

// How a source is read into statistics. Zeros are the defaults.
struct pmon_statistics_options {
	struct pmon_calc_options calc;
	unsigned keep; // PMON_KEEP_*
	// Threads that may read at the same time. 0 and 1: the caller's alone. With more the allocators,
	// and what the source was opened with to ask for series, are used by several threads: the
	// former must allow that, the latter is called by one of them at a time and more than once for
	// a series. Results, notices and statuses do not depend on it.
	unsigned threads;
	uint64_t part_bytes; // of the input, that a thread is worth the trouble for; 0: 4 MiB
	// Called now and then by the thread of the caller; may be NULL.
	void (*progress)(void *ctx, const struct pmon_source_info *info);
	void *progress_ctx;
};

// The statistics of a source from its position to its end. options may be NULL. On failure *out is
// NULL; statuses are those of pmon_source_next() but PMON_END.
PMON_API PMON_NODISCARD enum pmon_status pmon_statistics_read(
	struct pmon_source *source, const struct pmon_statistics_options *options,
	const struct pmon_allocator *allocator, struct pmon_statistics **out, struct pmon_err *err);

// What is read of merged logs. Zeros are the defaults, except for the window: PMON_TIME_NONE means
// without a bound.
struct pmon_fleet_options {
	struct pmon_statistics_options read; // threads read as many logs at the same time
	pmon_time from;
	pmon_time to;
	const struct pmon_identity_options
		*identity;      // tell processes apart by these; NULL: do not.
				// by_process is not possible here
	uint64_t samples;       // filled in: how many there were, without lead_in
	bool unknown_processes; // ... and pmon_identity_is_unknown() of the logs
};

// The statistics of logs that were merged by pmon_merge_logs() and not read yet, in that window: what
// reading the merge gives, to the last bit. Each log is read by one thread, into its own
// statistics; those of consecutive logs are combined, and where logs have the same series at the
// same time, these logs are read again in the order of time. The source is then at its end.
// PMON_E_ARG when it is not such a merge.
PMON_API PMON_NODISCARD enum pmon_status pmon_fleet_read(struct pmon_source *merge,
							 struct pmon_fleet_options *options,
							 const struct pmon_allocator *allocator,
							 struct pmon_statistics **out,
							 struct pmon_err *err);

// Begin a new window: everything counted is forgotten, and the first pair of each series begins at
// its newest raw value.
PMON_API void pmon_statistics_restart(struct pmon_statistics *statistics);

// The statistics of series i so far; NULL when it had no value yet.
PMON_API const struct pmon_stats *pmon_statistics_at(const struct pmon_statistics *statistics,
						     size_t i);

// The integral of series i over time, by its type: pmon_stats_total(), and of a level its values times
// the seconds that each stands for. A value stands for the time since the sample before it. Displayed
// values of a text log are taken for what their counter's type says: those of timers and rates give
// seconds and counts as well. no_data for averages that are displayed values, for elapsed times, and
// without PMON_KEEP_TOTALS for levels and displayed values.
PMON_API struct pmon_value pmon_statistics_total(const struct pmon_statistics *statistics,
						 size_t i);

// A percentile of the displayed values of series i, p in thousandths of a percent: the smallest value
// that stands, with those below it, for at least that share of the time; for averages per operation, of
// the operations. Each displayed value of a text log counts alike. The error is at most 0.5 % of
// the value, see src/query/quantile.h. no_data when nothing has any weight, or nothing is kept.
PMON_API struct pmon_value pmon_statistics_percentile(const struct pmon_statistics *statistics,
						      size_t i, uint32_t p);

// ---- Choose ---------------------------------------------------------------------------------

// A first selection for an unknown log: all processors, available memory, the slowest disk, the
// busiest network, the busiest processor, of all machines of the log. If it has none of these, its
// first series with values. Fills in at most max numbers of series, the most useful first, and
// returns how many.
PMON_API size_t pmon_choose(const struct pmon_schema *schema,
			    const struct pmon_statistics *statistics, uint32_t *series, size_t max);

// What a series of this path could be chosen for, before there are statistics. False: it could not, unless
// nothing else can.
struct pmon_choice {
	size_t question;   // those of one question are chosen from; 0 is the most useful
	size_t order;      // where a machine has several: the smallest is chosen
	const char *label; // "Disk read"
	bool least;        // what matters is the minimum: of what is left
};
PMON_API bool pmon_choose_could(const struct pmon_path *path, struct pmon_choice *out);

// Patterns of what may be chosen of a machine that is sampled and need not be read whole. NULL after
// the last.
PMON_API const char *pmon_choose_pattern(size_t i);

// ---- Envelope -------------------------------------------------------------------------------

// Each series of a time window reduced to the columns of a picture, with every extreme kept, even
// if it is one sample in ten million. It is made by reading the samples once:
//
//	struct pmon_envelope_options options = {.from = from, .to = to, .columns = 1200};
//
//	pmon_envelope_new(pmon_source_schema(source), &options, NULL, &envelope, NULL);
//	while (pmon_source_next(source, &sample, &err) == PMON_OK)
//		if (pmon_statistics_add(statistics, sample, &values, &err) == PMON_OK)
//			pmon_envelope_add(envelope, sample, values, &err);
//	columns = pmon_envelope_at(envelope, series->id);           // 1200 of them, or NULL
//
// Column i holds what lies in from + i * (to - from) / columns and before where the next begins; the
// last one holds the end of the window too. The value of a pair of samples is at the newer one.

struct pmon_envelope;

// One column of one series. Where count is 0 there is no value in it.
struct pmon_envelope_column {
	double first; // displayed values, in the order in which they came
	double minimum;
	double maximum;
	double last;
	pmon_time time;  // of the sample of the first value
	uint32_t count;  // values; UINT32_MAX stands for that many and more
	uint8_t missing; // enum pmon_vstat: why a sample in this column has no value, the newest
			 // such reason; PMON_V_OK when none is missing. That it is the first of a
			 // run, or that a series was absent, is nothing missing
	bool joined;     // nothing was missing or absent between its first value and the one that
			 // came before: a line leads from there to here
};

#define PMON_ENVELOPE_COLUMNS 65536 // at most
#define PMON_ENVELOPE_SERIES  64    // unless the options say otherwise

struct pmon_envelope_options {
	pmon_time from; // from <= to
	pmon_time to;
	size_t columns;    // 1..PMON_ENVELOPE_COLUMNS
	size_t max_series; // those that have values first; 0 for PMON_ENVELOPE_SERIES
	pmon_want_fn want; // asked once for each series; NULL: all are wanted
	void *want_ctx;
	// The end is not known yet: a sample at `to` or later doubles the window, and pairs of columns
	// become one. from < to, and an even number of columns.
	bool grows;
};

// schema must outlive the envelope; options are copied. PMON_E_ARG when they make no sense.
PMON_API PMON_NODISCARD enum pmon_status pmon_envelope_new(
	const struct pmon_schema *schema, const struct pmon_envelope_options *options,
	const struct pmon_allocator *allocator, struct pmon_envelope **out, struct pmon_err *err);
PMON_API void pmon_envelope_free(struct pmon_envelope *envelope); // NULL is fine

// Add a sample with its sample->n displayed values. What is outside of the window, and lead_in, is
// ignored.
PMON_API PMON_NODISCARD enum pmon_status pmon_envelope_add(struct pmon_envelope *envelope,
							   const struct pmon_sample *sample,
							   const struct pmon_value *values,
							   struct pmon_err *err);

// The columns of series i; NULL when it is not wanted, has no value, or came after max_series others.
PMON_API const struct pmon_envelope_column *pmon_envelope_at(const struct pmon_envelope *envelope,
							     size_t i);

// Where the window ends, which may have grown.
PMON_API pmon_time pmon_envelope_end(const struct pmon_envelope *envelope);

// How many series were left out because there were max_series others.
PMON_API size_t pmon_envelope_omitted(const struct pmon_envelope *envelope);

#ifdef __cplusplus
}
#endif

#endif
