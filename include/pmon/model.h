// model.h - how samples flow: schema, sample, source
// SPDX-License-Identifier: MIT
//
// A *source* yields samples: a log file, several files merged, this machine. A *sample* is the raw
// values of one moment. A *series* is one counter path of the source; the *schema* lists them. The
// schema may grow at any sample, because instances come and go, and never shrinks; a series keeps
// its number for the life of the source.
//
//	const struct pmon_sample *sample;
//
//	while ((status = pmon_source_next(source, &sample, &err)) == PMON_OK)
//		for (size_t i = 0; i < sample->n; i++)
//			use(pmon_schema_at(schema, sample->series[i]), &sample->raw[i]);
//
// A sample is valid until the next call on its source; schema, series and info live until
// pmon_source_close(). A source is for one thread at a time.

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
	bool formatted; // the log holds displayed values only: counter.type is PERF_DOUBLE_RAW, and
			// known_type the type that a counter of this name has, where that is known
	bool type_known;
	bool type_inferred; // known_type follows from the name and its class; nothing was seen to say it
	uint32_t known_type;
	// The path by its English names, if those of the log are of another language; else NULL.
	// pmon_series_english() is what to ask.
	const struct pmon_path *english;
	// The path as the log has it, if `path` has English names instead (pmon_log_options.english); else
	// NULL.
	const struct pmon_path *logged;
	// The name of its counter stands for several, and the log does not show which one it is.
	bool ambiguous;
	uint32_t id;     // its number in the schema
	uint32_t source; // which of several merged sources it came from first, else 0
	uint64_t order;  // ascending in the order in which the log lists its counters; instances
			 // that came later follow their counter, not at the end
	const struct pmon_texts *texts; // of PERF_COUNTER_TEXT, for pmon_series_text(); else NULL
	// For a series of one process (query.h, Identity): its ID, and that of the thread; -1
	// where there is none. Otherwise both are 0 and of_process is false.
	bool of_process;
	int64_t process_id;
	int64_t thread_id;
	// Counts up when the number, and this struct, is given to another series: what a caller
	// cached for it belongs to the one before. Only pmon_identity_options.forget_after does that.
	uint32_t life;
};

// The text of a raw value of PERF_COUNTER_TEXT, if its source has texts (pmon_log_options.texts);
// merged sources have none. {NULL, 0} for every other value. It is valid as long as the source.
PMON_API struct pmon_span pmon_series_text(const struct pmon_series *series,
					   const struct pmon_raw *raw);

// The type that the counter of a series is of: the one its raw values have, and of displayed values
// the one that counters of this name are known to have. NULL when it is not known.
PMON_API const struct pmon_counter_type *pmon_series_type(const struct pmon_series *series);

// The path of a series by the English names of its object and counter: its own path if that is English
// already, if pmon does not know its language, or if its name is ambiguous.
PMON_API const struct pmon_path *pmon_series_english(const struct pmon_series *series);

// Does the pattern match the series by the names of the log, or by the English ones?
PMON_API bool pmon_series_match(const struct pmon_path *pattern, const struct pmon_series *series);

// What kind of average pmon_stats_average() gives for a series.
enum pmon_average_kind {
	PMON_AVERAGE_TRUE,     // the type's own average function over raw values, or equal to it
	PMON_AVERAGE_MEAN,     // the mean of displayed values, for a type whose average it is not
	PMON_AVERAGE_UNKNOWN,  // the mean of displayed values of a counter of unknown type
	PMON_AVERAGE_INFERRED, // the mean of displayed values of a counter whose type is inferred
};
PMON_API enum pmon_average_kind pmon_series_average_kind(const struct pmon_series *series);

// What kind of average pmon_stats_average() gives after pmon_stats_gather() of several series like
// this one. A group of fractions has an average of its own, for which displayed values are not
// enough.
PMON_API enum pmon_average_kind pmon_series_group_kind(const struct pmon_series *series);

// "true", "mean", "unknown", "inferred", as JSON and CSV have it; and the mark after such an average in
// text: "", "~", "?", "?".
PMON_API const char *pmon_average_kind_name(enum pmon_average_kind kind);
PMON_API const char *pmon_average_kind_mark(enum pmon_average_kind kind);

// Explain a value and an average of a series. For a log of displayed values the explanation names the
// counter's own type and says what the mean of displayed values is worth. series may be NULL: raw
// values that belong to none.
PMON_API void pmon_series_explain_value(const struct pmon_series *series,
					const struct pmon_calc *calc, const struct pmon_raw *older,
					const struct pmon_raw *newer, struct pmon_explanation *out);
PMON_API void pmon_series_explain_average(const struct pmon_series *series,
					  const struct pmon_stats *stats,
					  struct pmon_explanation *out);

// What a counter of Windows measures, in a sentence of our own, and the document that says so.
struct pmon_counter_help {
	const char *text; // static
	const char *source;
};

// The help of a counter by its English name, whatever its machine and instance. False for counters
// that are not in the table, which has the common ones of Windows, SQL Server, .NET and IIS.
PMON_API bool pmon_counter_help(const struct pmon_path *path, struct pmon_counter_help *out);

struct pmon_schema;

// Number of series so far, and series i (NULL when i is out of range).
PMON_API size_t pmon_schema_count(const struct pmon_schema *schema);
PMON_API const struct pmon_series *pmon_schema_at(const struct pmon_schema *schema, size_t i);

// All series, in the order in which a person would list them: by source, then by order. out has room
// for pmon_schema_count() pointers.
PMON_API void pmon_schema_in_order(const struct pmon_schema *schema,
				   const struct pmon_series **out);

// The raw values of one moment.
struct pmon_sample {
	pmon_time time;         // of the sample; each raw value also has a time of its own
	int32_t utc_offset_min; // local time minus UTC where it was recorded, in minutes
	uint32_t stream;        // which log or machine it is of; series never change streams
	uint64_t ordinal;       // number of the sample in its stream, from 0. A series that is
				// missing in a sample was absent: its next value starts anew
	bool lead_in; // from before the window that was asked for: to pair with, not to show
	bool starts;  // a lead_in that nobody read: what processes count from in the next sample,
		      // PMON_RAW_STARTED (query.h, Identity)
	size_t n;
	const uint32_t *series;     // n numbers of series, none twice
	const struct pmon_raw *raw; // n raw values
	// Which processes values of the sample belong to, PMON_RAW_OWNER, where the source says it (query.h,
	// Identity) and did not say it before; else NULL.
	const struct pmon_sample *owners;
};

// What only a log of Windows says about the machine that wrote it, so that it can be written again. It
// changes no number.
struct pmon_host {
	uint32_t cpu_mhz;  // 0 when not known
	pmon_time boot;    // PMON_TIME_NONE when not known
	int64_t perf_freq; // ticks a second of the performance clock; 0 when not known
	const uint8_t
		*zone_info; // the time zone as TIME_ZONE_INFORMATION has it, 172 bytes, or NULL
};

// A machine by its name and its id: 32 hexadecimal digits that no other machine has. pmon makes ids when it
// samples, and its own formats keep them; other logs have none.
struct pmon_machine {
	const char *name; // as in the paths of its counters
	const char *id;
};

// What is known of a source. Texts are UTF-8, NUL-terminated, "" when not known.
struct pmon_source_info {
	const char *format; // "BLG"
	bool live;          // cannot be read a second time
	// What recorded the samples: "Windows 10 build 14393 x64", "pmon 0.2.0 on Linux 6.1.0 x86_64".
	const char *writer;
	// The program that made this log from another one: "pmon 0.2.0". "" when none is known.
	const char *converter;
	// Every sample was taken by pmon itself: this machine, or a log that pmon recorded, converted or
	// not. For merged sources: all of them. Only then is it known that a process which is
	// missing from the preceding sample started after it.
	bool sampled_by_pmon;
	const char *machine; // name of the first machine, without backslashes
	// The machines whose ids are known, no name twice. Complete when the source is opened.
	const struct pmon_machine *machines;
	size_t n_machines;
	const char *zone;       // name of the time zone that the log was written in
	int32_t utc_offset_min; // local time minus UTC at the start, in minutes
	pmon_time log_start;    // as its header says; PMON_TIME_NONE when it does not
	pmon_time log_end;
	const struct pmon_host *host; // NULL when nothing of it is known
	uint64_t size_bytes;          // of the file; 0 when it has none
	// The log names its series at its beginning: rarely more come after its first sample, and then
	// nothing else of the above has changed but log_end.
	bool lists_series;
	// counted while reading, complete after the last sample
	uint64_t bytes_read;      // how far reading has come, for progress
	uint64_t records_unknown; // well-formed records of unknown kinds that were skipped
	uint64_t losses;          // places where something was damaged or missing
	uint64_t bytes_lost;      // about how much
};

// The id of the machine of this name, without regard to case; NULL when it is not known.
PMON_API const char *pmon_machine_id(const struct pmon_source_info *info, struct pmon_span name);

// Something that a reader wants said: damage, or an oddity that changes nothing.
struct pmon_notice {
	bool is_loss;     // data was lost; else for information
	uint64_t offset;  // byte of the input
	uint64_t length;  // bytes concerned; 0 when not known
	const char *text; // one line, UTF-8, valid during the call
};
typedef void (*pmon_notice_fn)(void *ctx, const struct pmon_notice *notice);

// Is this series wanted? Asked once for each when it first appears.
typedef bool (*pmon_want_fn)(void *ctx, const struct pmon_path *path);

struct pmon_source;

// The next sample. PMON_OK with *sample set; PMON_END after the last; another status when reading
// cannot go on. Damage that can be stepped over is a notice, not a failure.
PMON_API PMON_NODISCARD enum pmon_status pmon_source_next(struct pmon_source *source,
							  const struct pmon_sample **sample,
							  struct pmon_err *err);

// Start again from the first sample. The schema stays as it has grown; notices that were given are
// not given again.
PMON_API PMON_NODISCARD enum pmon_status pmon_source_rewind(struct pmon_source *source,
							    struct pmon_err *err);

PMON_API const struct pmon_schema *pmon_source_schema(const struct pmon_source *source);
PMON_API const struct pmon_source_info *pmon_source_info(const struct pmon_source *source);

// Close and free. NULL is fine.
PMON_API void pmon_source_close(struct pmon_source *source);

#ifdef __cplusplus
}
#endif

#endif
