// model.h - the data model: schema, series, sample, source
// SPDX-License-Identifier: MIT
//
// A *source* yields samples: a log file, several merged files, or this machine. A *sample* holds
// the raw values of one point in time. A *series* is one counter path of the source; the *schema*
// lists them. The schema may grow with any sample, as instances come and go, but never shrinks. A
// series keeps its number for the life of the source.
//
//	const struct pmon_schema *schema = pmon_source_schema(source);
//	const struct pmon_sample *sample;
//
//	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
//		for (size_t i = 0; i < sample->n; i++)
//			printf("%s: %lld\n", pmon_schema_at(schema, sample->series[i])->name.ptr,
//			       (long long)sample->raw[i].first);
//
// A sample is valid until the next call on its source; schema, series and info are valid until
// pmon_source_close(). Only one thread at a time may use a source.

#ifndef PMON_MODEL_H
#define PMON_MODEL_H

#include <pmon/counter.h>
#include <pmon/path.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmon_texts;

// One counter path and how to compute with its raw values.
struct pmon_series {
	struct pmon_path path;
	struct pmon_span name; // the path as text, NUL-terminated too
	struct pmon_counter counter;
	bool wildcard;  // one of several instances that the log follows as they come and go
	bool formatted; // the log has displayed values only: counter.type is PERF_DOUBLE_RAW, and
			// known_type is the actual type of this counter, if known
	bool type_known;
	bool type_inferred; // known_type was inferred from the name and its class only
	uint32_t known_type;
	// The unit that the counter's name implies, or NULL. If unit_is_whole, it is the unit of
	// the values, whatever the type: "ms" for "Log Flush Wait Time"; else the unit of what is
	// counted: "KB" for "Available KBytes".
	const char *named_unit;
	bool unit_is_whole;
	// The path with English names, if the log is in another language; else NULL. Use
	// pmon_series_english() instead.
	const struct pmon_path *english;
	// The path as in the log, if `path` was translated to English (pmon_log_options.english);
	// else NULL.
	const struct pmon_path *logged;
	// Several counters have this name, and the log does not show which one this is.
	bool ambiguous;
	uint32_t id;     // its number in the schema
	uint32_t source; // which of several merged sources it came from first, else 0
	uint64_t order;  // ascending in the order in which the log lists its counters; instances
			 // that came later follow their counter, not at the end
	const struct pmon_texts *texts; // of PERF_COUNTER_TEXT, for pmon_series_text(); else NULL
	// For a series of one process (query.h, Identity): process and thread ID; -1 if there is
	// none. Otherwise both are 0 and of_process is false.
	bool of_process;
	int64_t process_id;
	int64_t thread_id;
	// Incremented when this number and struct are reused for another series; callers must then
	// drop what they cached for it. Only happens with pmon_identity_options.forget_after.
	uint32_t life;
};

// The text of a PERF_COUNTER_TEXT raw value, if its source has texts (pmon_log_options.texts);
// merged sources have none. {NULL, 0} for every other value. Valid as long as the source.
PMON_API struct pmon_span pmon_series_text(const struct pmon_series *series,
					   const struct pmon_raw *raw);

// The counter type of a series: the type of its raw values or, for displayed values, the known type
// of the counter of this name. NULL if unknown.
PMON_API const struct pmon_counter_type *pmon_series_type(const struct pmon_series *series);

// The unit of a series' displayed values: that of its type ("%", "/s", "s" or "") or, if the type
// has none or the counter is known to be a time, that of its name: "MB", "ns", "ms/s".
PMON_API const char *pmon_series_unit(const struct pmon_series *series);

// The path of a series with English object and counter names. Returns its own path if that is
// English already, if pmon does not know its language, or if its name is ambiguous.
PMON_API const struct pmon_path *pmon_series_english(const struct pmon_series *series);

// Does the pattern match the series, by its names in the log or by its English names?
PMON_API bool pmon_series_match(const struct pmon_path *pattern, const struct pmon_series *series);

// The kind of average that pmon_stats_average() returns for a series.
enum pmon_average_kind {
	PMON_AVERAGE_TRUE,     // the type's own average function over raw values, or equal to it
	PMON_AVERAGE_MEAN,     // the mean of displayed values, which is not the type's own average
	PMON_AVERAGE_UNKNOWN,  // the mean of displayed values of a counter of unknown type
	PMON_AVERAGE_INFERRED, // the mean of displayed values of a counter whose type is inferred
	PMON_AVERAGE_DERIVED, // a displayed latency, weighted by the displayed rate of its operations
};
PMON_API enum pmon_average_kind pmon_series_average_kind(const struct pmon_series *series);

// The kind of average that pmon_stats_average() returns after pmon_stats_gather() of several series
// like this one. It differs for fractions: their group average cannot be computed from displayed
// values.
PMON_API enum pmon_average_kind pmon_series_group_kind(const struct pmon_series *series);

// The name in JSON and CSV: "true", "mean", "unknown", "inferred", "derived"; and the mark that
// follows such an average in text: "", "~", "?", "?".
PMON_API const char *pmon_average_kind_name(enum pmon_average_kind kind);
PMON_API const char *pmon_average_kind_mark(enum pmon_average_kind kind);

// Explain a value or an average of a series. For a log of displayed values, the explanation names
// the counter's own type and says how reliable the mean of displayed values is. series may be NULL
// for raw values that belong to no series.
PMON_API void pmon_series_explain_value(const struct pmon_series *series,
					const struct pmon_calc *calc, const struct pmon_raw *older,
					const struct pmon_raw *newer, struct pmon_explanation *out);
PMON_API void pmon_series_explain_average(const struct pmon_series *series,
					  const struct pmon_stats *stats,
					  struct pmon_explanation *out);

// What a Windows counter measures, in pmon's words, and the document that this is based on.
struct pmon_counter_help {
	const char *text; // static
	const char *source;
	const void *reserved[2];
};

// Look up a counter's help by its English name, ignoring machine and instance. False for counters
// not in the table, which covers the common ones of Windows, SQL Server, .NET and IIS.
PMON_API bool pmon_counter_help(const struct pmon_path *path, struct pmon_counter_help *out);

struct pmon_schema;
struct pmon_clocks;

// Number of series so far, and series i (NULL when i is out of range).
PMON_API size_t pmon_schema_count(const struct pmon_schema *schema);
PMON_API const struct pmon_series *pmon_schema_at(const struct pmon_schema *schema, size_t i);

// All series in display order: by source, then by order. out must have room for pmon_schema_count()
// pointers.
PMON_API void pmon_schema_in_order(const struct pmon_schema *schema,
				   const struct pmon_series **out);

// The raw values of one point in time.
struct pmon_sample {
	pmon_time time;         // of the sample; each raw value also has a time of its own
	int32_t utc_offset_min; // local time minus UTC where it was recorded, in minutes
	uint32_t stream;        // its log or machine; series never change streams
	uint64_t ordinal;       // number of the sample in its stream, from 0. A series that is
				// missing in a sample was absent: its next value starts a new run
	bool preceding;         // precedes the requested window: only to pair with, not to show
	bool starts; // a preceding sample that was not delivered: what processes count from in the next sample,
		// PMON_RAW_STARTED (query.h, Identity)
	size_t n;
	const uint32_t *series;     // n distinct series numbers
	const struct pmon_raw *raw; // n raw values
	// The processes that values of the sample belong to, as PMON_RAW_OWNER values, if the
	// source reports them (query.h, Identity) and they are new or changed; else NULL.
	const struct pmon_sample *owners;
	// The performance clock of the recording machine, in 100 ns; 0 if the log has none. Unlike
	// `time`, it is never adjusted.
	int64_t perf_100ns;
	// The usual interval between samples of its stream; 0 if unknown.
	int64_t usual_100ns;
	// For a preceding sample: the state of all series' clocks up to then, which its raw values
	// do not contain. Used only by the identity step. NULL: unknown.
	const struct pmon_clocks *clocks;
};

// Facts about the recording machine that only Windows logs have, kept so that they can be written
// again. No value depends on them.
struct pmon_host {
	uint32_t cpu_mhz;         // 0 if unknown
	pmon_time boot;           // PMON_TIME_NONE if unknown
	int64_t perf_freq;        // performance clock ticks per second; 0 if unknown
	const uint8_t *zone_info; // the time zone as a TIME_ZONE_INFORMATION, 172 bytes, or NULL
};

// A machine's name and its unique id of 32 hexadecimal digits. pmon generates ids when it samples,
// and its own formats store them; other logs have none.
struct pmon_machine {
	const char *name; // as in the paths of its counters
	const char *id;
};

// Facts about a source. Texts are UTF-8, NUL-terminated, "" if unknown.
struct pmon_source_info {
	const char *format; // "BLG"
	bool live;          // cannot be read a second time
	// What recorded the samples: "Windows 10 build 14393 x64", "pmon 0.3.0 on Linux 6.1.0
	// x86_64".
	const char *writer;
	// The program that converted this log from another one: "pmon 0.3.0".
	const char *converter;
	// pmon took every sample: the source is this machine, or a log that pmon recorded,
	// converted or not. For merged sources, this holds for all of them. Only then must a
	// process that is missing from the preceding sample have started after it.
	bool sampled_by_pmon;
	const char *machine; // name of the first machine, without backslashes
	// The machines whose ids are known, no name twice. Complete when the source is opened.
	const struct pmon_machine *machines;
	size_t n_machines;
	const char *zone;       // name of the time zone that the log was written in
	int32_t utc_offset_min; // local time minus UTC at the start, in minutes
	pmon_time log_start;    // from its header; PMON_TIME_NONE if unknown
	pmon_time log_end;
	const struct pmon_host *host; // NULL if unknown
	uint64_t size_bytes;          // of the file; 0 if there is no file
	// The log lists its series at its beginning: series are rarely added after the first
	// sample, and then only log_end of the above changes too.
	bool lists_series;
	// counted while reading, complete after the last sample
	uint64_t bytes_read;      // position, for progress
	uint64_t records_unknown; // well-formed records of unknown kinds that were skipped
	uint64_t losses;          // places where something was damaged or missing
	uint64_t bytes_lost;      // estimate, including bytes missing from the file
	// Accounts for every byte of the file, in formats that support it; otherwise bytes_used is
	// 0. After the last sample the three add up to the uncompressed size of the file.
	uint64_t bytes_used;
	uint64_t bytes_unused;  // declared unused by the format, such as fill
	uint64_t bytes_damaged; // reported as a loss
};

// The id of the machine with this name, ignoring case; NULL if unknown.
PMON_API const char *pmon_machine_id(const struct pmon_source_info *info, struct pmon_span name);

// A notice from reading or writing: damage, or a harmless anomaly.
struct pmon_notice {
	bool is_loss;     // data was lost; else for information
	uint64_t offset;  // byte of the input
	uint64_t length;  // bytes affected; 0 if unknown
	const char *text; // one line, UTF-8, valid during the call
};
typedef void (*pmon_notice_fn)(void *ctx, const struct pmon_notice *notice);

// Should this series be read? Called once for each series, when it first appears.
typedef bool (*pmon_want_fn)(void *ctx, const struct pmon_path *path);

struct pmon_source;

// Read the next sample. PMON_OK with *sample set; PMON_END after the last; another status if
// reading cannot continue. Damage that can be skipped causes a notice, not a failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_source_next(struct pmon_source *source,
							  const struct pmon_sample **sample,
							  struct pmon_err *err);

// Start again from the first sample. The schema keeps all series found so far; notices are not
// repeated.
PMON_API PMON_NODISCARD enum pmon_status pmon_source_rewind(struct pmon_source *source,
							    struct pmon_err *err);

PMON_API const struct pmon_schema *pmon_source_schema(const struct pmon_source *source);
PMON_API const struct pmon_source_info *pmon_source_info(const struct pmon_source *source);

// Close and free. NULL is allowed.
PMON_API void pmon_source_close(struct pmon_source *source);

#ifdef __cplusplus
}
#endif

#endif
