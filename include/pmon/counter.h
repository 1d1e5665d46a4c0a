// counter.h - what a raw counter sample is worth: types, values, averages, statistics, explanations
// SPDX-License-Identifier: MIT
//
// A typed counter delivers raw values. Its 32-bit type word (winperf.h) says how two raw values (or
// one) become the displayed value, and how many raw values become an average. This header is that
// arithmetic and nothing else: no memory is allocated, nothing is read or written.
//
//	struct pmon_counter disk = {.type = PMON_PERF_AVERAGE_TIMER, .time_base = 14318180};
//	struct pmon_raw idle = {.first = 0, .second = 0}, busy = {.first = 2147727, .second = 1};
//	struct pmon_calc calc;
//	struct pmon_stats stats;
//
//	pmon_calc_init(&calc, &disk, NULL);
//	pmon_calc_value(&calc, &idle, &busy).value          // 0.15 seconds a read
//
//	pmon_stats_init(&stats, &calc);
//	pmon_stats_add(&stats, &idle);
//	pmon_stats_add(&stats, &busy);                      // ... and every later sample
//	pmon_stats_average(&stats).value                    // 0.15, however many idle intervals follow
//
// Every number comes with a status; where there is no number the status says why. The formulas and
// the rules for odd cases are in docs/reference/counters.md, each with the text that it comes from.
// All functions are pure: any thread, any time, same answer.

#ifndef PMON_COUNTER_H
#define PMON_COUNTER_H

#include <pmon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Counter types --------------------------------------------------------------------------

// The type words, as winperf.h defines them (it may be included beside this header).
#define PMON_PERF_COUNTER_RAWCOUNT_HEX           0x00000000u
#define PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX     0x00000100u
#define PMON_PERF_COUNTER_TEXT                   0x00000B00u
#define PMON_PERF_COUNTER_RAWCOUNT               0x00010000u
#define PMON_PERF_COUNTER_LARGE_RAWCOUNT         0x00010100u
#define PMON_PERF_DOUBLE_RAW                     0x00012000u // WMI's list, not winperf.h
#define PMON_PERF_COUNTER_DELTA                  0x00400400u
#define PMON_PERF_COUNTER_LARGE_DELTA            0x00400500u
#define PMON_PERF_SAMPLE_COUNTER                 0x00410400u
#define PMON_PERF_COUNTER_QUEUELEN_TYPE          0x00450400u
#define PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE    0x00450500u
#define PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE    0x00550500u
#define PMON_PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE 0x00650500u
#define PMON_PERF_COUNTER_COUNTER                0x10410400u
#define PMON_PERF_COUNTER_BULK_COUNT             0x10410500u
#define PMON_PERF_RAW_FRACTION                   0x20020400u
#define PMON_PERF_LARGE_RAW_FRACTION             0x20020500u
#define PMON_PERF_COUNTER_TIMER                  0x20410500u
#define PMON_PERF_PRECISION_SYSTEM_TIMER         0x20470500u
#define PMON_PERF_100NSEC_TIMER                  0x20510500u
#define PMON_PERF_PRECISION_100NS_TIMER          0x20570500u
#define PMON_PERF_OBJ_TIME_TIMER                 0x20610500u
#define PMON_PERF_PRECISION_OBJECT_TIMER         0x20670500u
#define PMON_PERF_SAMPLE_FRACTION                0x20C20400u
#define PMON_PERF_COUNTER_TIMER_INV              0x21410500u
#define PMON_PERF_100NSEC_TIMER_INV              0x21510500u
#define PMON_PERF_COUNTER_MULTI_TIMER            0x22410500u
#define PMON_PERF_100NSEC_MULTI_TIMER            0x22510500u
#define PMON_PERF_COUNTER_MULTI_TIMER_INV        0x23410500u
#define PMON_PERF_100NSEC_MULTI_TIMER_INV        0x23510500u
#define PMON_PERF_AVERAGE_TIMER                  0x30020400u
#define PMON_PERF_ELAPSED_TIME                   0x30240500u
#define PMON_PERF_COUNTER_NODATA                 0x40000200u
#define PMON_PERF_AVERAGE_BULK                   0x40020500u
#define PMON_PERF_SAMPLE_BASE                    0x40030401u
#define PMON_PERF_AVERAGE_BASE                   0x40030402u
#define PMON_PERF_RAW_BASE                       0x40030403u
#define PMON_PERF_LARGE_RAW_BASE                 0x40030500u // 0x40030503 in some documents
#define PMON_PERF_PRECISION_TIMESTAMP            0x40030500u // the same word
#define PMON_PERF_COUNTER_MULTI_BASE             0x42030500u
#define PMON_PERF_COUNTER_HISTOGRAM_TYPE         0x80000000u

// The formula by which a type's values are computed. N is the counter's own raw value, D the clock
// that goes with it, B the base counter, F the ticks of the clock in a second; 0 is older, 1 newer.
enum pmon_formula {
	PMON_FORMULA_NONE,         // not computed: bases, texts, labels
	PMON_FORMULA_COUNT,        // N1
	PMON_FORMULA_DOUBLE,       // N1, whose bits are an IEEE double
	PMON_FORMULA_FRACTION,     // 100 * (N1 / B1)
	PMON_FORMULA_ELAPSED,      // (D1 - N1) / F
	PMON_FORMULA_DELTA,        // N1 - N0
	PMON_FORMULA_RATE,         // (N1 - N0) / ((D1 - D0) / F)
	PMON_FORMULA_RATIO,        // (N1 - N0) / (D1 - D0)
	PMON_FORMULA_PERCENT,      // 100 * ((N1 - N0) / (D1 - D0))
	PMON_FORMULA_PERCENT_INV,  // 100 * (1 - (N1 - N0) / (D1 - D0))
	PMON_FORMULA_MULTI,        // 100 * ((N1 - N0) / (D1 - D0)) / B1
	PMON_FORMULA_MULTI_INV,    // 100 * (B1 - (N1 - N0) / (D1 - D0))
	PMON_FORMULA_AVERAGE_TIME, // ((N1 - N0) / F) / (B1 - B0)
};

// What the second raw value of a type is.
enum pmon_second {
	PMON_SECOND_NONE,      // not used
	PMON_SECOND_PERFTIME,  // the performance clock
	PMON_SECOND_100NS,     // the system clock in 100 ns
	PMON_SECOND_OBJECT,    // the object's own clock
	PMON_SECOND_BASE,      // the base counter that follows
	PMON_SECOND_TIMESTAMP, // the precision time stamp that follows
};

// One row of the table of counter types. All texts are static.
struct pmon_counter_type {
	uint32_t word;
	enum pmon_formula formula;
	enum pmon_second second;
	bool base_32bit;          // the base is a DWORD, so that it may wrap at 2^32
	const char *name;         // "PERF_COUNTER_COUNTER"
	const char *alias;        // a second name, or NULL
	const char *dotnet;       // .NET's and PowerShell's name, "Timer100Ns"; or NULL
	const char *base_name;    // the type of the base that must follow, or NULL
	const char *unit;         // "%", "/s", "s" or ""
	const char *formula_text; // with N, D, B, F
	const char *average_text; // the type's average function; x is the newest sample
	const char *numerator;    // what N is, in words
	const char *meaning;      // what the type is for
	const char *source;       // the text that the formula is from
	const char *note;         // where texts differ, what we chose and why; or NULL
};

// The fields of a type word (seed of all of this: winperf.h).
struct pmon_type_fields {
	uint8_t size;    // 0 DWORD, 1 LARGE, 2 ZERO, 3 VARIABLE_LEN
	uint8_t type;    // 0 NUMBER, 1 COUNTER, 2 TEXT, 3 ZERO
	uint8_t subtype; // 0..15, its meaning depends on type
	uint8_t timer;   // 0 TICK, 1 100NS, 2 OBJECT, 3 undefined
	uint8_t display; // 0 none, 1 per second, 2 percent, 3 seconds, 4 not shown
	uint8_t ordinal; // bits 0-7
	bool delta_counter;
	bool delta_base;
	bool inverse;
	bool multi;
	bool histogram;    // bit 31
	uint32_t reserved; // the bits that no field owns, in place
};

// The whole table, in ascending order of the word; pmon_type_at(i) is NULL when i >= count.
PMON_API size_t pmon_type_count(void);
PMON_API const struct pmon_counter_type *pmon_type_at(size_t i);

// The row of a word, or NULL. 0x40030500 gives PERF_LARGE_RAW_BASE; PERF_PRECISION_TIMESTAMP, the
// same word, is found by name.
PMON_API const struct pmon_counter_type *pmon_type_by_word(uint32_t word);

// The row of a name, without regard to case, or NULL. Names are those of winperf.h and WMI, with or
// without "PERF_", and those of .NET and PowerShell, with or without their class:
// "PERF_100NSEC_TIMER", "100nsec_timer", "Timer100Ns", "[...PerformanceCounterType]::Timer100Ns".
PMON_API const struct pmon_counter_type *pmon_type_by_name(struct pmon_span name);

// How a text that names a type was understood.
enum pmon_type_form {
	PMON_TYPE_FORM_NONE,    // not at all
	PMON_TYPE_FORM_NAME,    // "PERF_100NSEC_TIMER", "Timer100Ns"
	PMON_TYPE_FORM_WORD,    // "0x20510500"
	PMON_TYPE_FORM_DECIMAL, // "542180608", as .NET prints types that it has no name for
	PMON_TYPE_FORM_HEX,     // "20510500", hexadecimal without 0x
};

// The type word that a text names. Digits alone are decimal, unless only the hexadecimal number is in
// the table. The word may be unknown (pmon_type_by_word() is NULL) unless form is _NAME.
PMON_API enum pmon_type_form pmon_type_parse(struct pmon_span text, uint32_t *word);

// Take a word apart. Works for any word, known or not.
PMON_API void pmon_type_decode(uint32_t word, struct pmon_type_fields *out);

// The winperf.h names of the values of the fields, "PERF_SIZE_DWORD" and such. Never NULL.
PMON_API const char *pmon_type_size_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_type_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_subtype_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_timer_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_display_name(const struct pmon_type_fields *fields);

// Why the mean of displayed values is not the average of this type: the end of a sentence that
// begins with "the mean of displayed values is not the average of this type: ". NULL if it is the
// average: for levels, fractions of one moment and plain differences, whose average counts every
// sample alike.
PMON_API const char *pmon_type_mean_flaw(const struct pmon_counter_type *type);

// Are values of this word ever displayed? False for bases, labels, texts and unknown words.
PMON_API bool pmon_type_is_displayed(uint32_t word);

// Are values of the type shown in hexadecimal? False for NULL.
PMON_API bool pmon_type_is_hex(const struct pmon_counter_type *type);

#define PMON_HEX_SIZE 20 // "0x", 16 digits and a NUL fit in

// A number as values of HEX types are shown to people: "0x1F", below zero in 64 bits of two's
// complement. Returns the length, or 0 for a number that is not whole, as an average may be, or that
// 64 bits do not hold.
PMON_API size_t pmon_hex_text(double value, char buf[PMON_HEX_SIZE]);

// The same for all bits of a raw value.
PMON_API size_t pmon_hex_bits(int64_t bits, char buf[PMON_HEX_SIZE]);

// ---- Raw values -----------------------------------------------------------------------------

// Raw statuses (PDH_CSTATUS_*): of these only VALID and NEW are usable.
#define PMON_RAW_VALID       0x00000000u
#define PMON_RAW_NEW         0x00000001u
#define PMON_RAW_NO_MACHINE  0x800007D0u
#define PMON_RAW_NO_INSTANCE 0x800007D1u
#define PMON_RAW_NO_OBJECT   0xC0000BB8u
#define PMON_RAW_NO_COUNTER  0xC0000BB9u
#define PMON_RAW_INVALID     0xC0000BBAu

// Statuses of our own, in the range that Windows leaves to applications. CHANGED: usable, but
// the instance of this name is another process (or thread) than before, so that no difference is
// taken across. STARTED: not a sample; what the process had counted at this time: 0 when it started,
// or its previous raw value, under another name. The next raw value is paired with it.
// pmon_identity_open() (query.h) sets both.
#define PMON_RAW_CHANGED 0x20000001u
#define PMON_RAW_STARTED 0x20000002u

// A third one, without a value: it names the process that the values of the series belong to from this
// time on (struct pmon_sample.owners). `first` is the ID of the process; for a thread its own ID, with
// that of the process times 2^32. `second` is the start, in 100 ns on the clock of `Elapsed Time`.
// `multi` says which of these are known, and whether it is the first such row of the series in the log.
#define PMON_RAW_OWNER     0x20000003u
#define PMON_OWNER_PROCESS 1u
#define PMON_OWNER_THREAD  2u
#define PMON_OWNER_START   4u
#define PMON_OWNER_FIRST   8u

// The name of a raw status in lower case ("no_machine"), or NULL when it has none.
PMON_API const char *pmon_raw_status_name(uint32_t status);

// The raw status of such a name. Returns false, with *out PMON_RAW_INVALID, when there is none.
PMON_API bool pmon_raw_status_by_name(struct pmon_span name, uint32_t *out);

// One raw value of one counter, as PDH_RAW_COUNTER has it, but in UTC. 32-bit counters are
// zero-extended. What second and multi hold depends on the type (enum pmon_second).
struct pmon_raw {
	uint32_t status; // PMON_RAW_*
	uint32_t multi;  // number of units, for the MULTI types
	pmon_time time;  // when it was read
	int64_t first;
	int64_t second;
};

// What must be known of a counter to compute with its raw values.
struct pmon_counter {
	uint32_t type;         // type word
	uint8_t size_bytes;    // 4 or 8 as the counter definition says; 0 when not known
	int32_t default_scale; // power of ten that the provider proposes for charts
	int64_t time_base;     // F, ticks a second; 0 when the type has none
};

// Make the 32-bit numbers of a raw value unsigned, as struct pmon_raw requires: -1 becomes
// 4294967295 in a 32-bit counter, and in a base of 32 bits. Other values do not change. For sources
// that store them as signed numbers.
PMON_API void pmon_raw_zero_extend(const struct pmon_counter *counter, struct pmon_raw *raw);

// ---- Values ---------------------------------------------------------------------------------

// What a number is worth, or why there is none. The names in pmon_vstat_name() are the ones that
// the documentation and all output use.
enum pmon_vstat {
	PMON_V_OK = 0,    // ok
	PMON_V_WRAPPED,   // wrapped: a 32-bit counter passed 2^32 and was counted through
	PMON_V_BASE_ZERO, // base_zero: nothing happened, the value is 0
	PMON_V_CLAMPED,   // clamped: below zero or gone back, shown as 0 by the clamp policy
	// from here on there is no number
	PMON_V_FIRST,         // first_sample: the type needs two samples and this is the first
	PMON_V_NO_DATA,       // no_data: no time passed, or the number of units is 0
	PMON_V_COUNTER_BACK,  // counter_went_back: reset or restart
	PMON_V_CLOCK_BACK,    // clock_went_back
	PMON_V_BASE_BACK,     // base_went_back
	PMON_V_BELOW_ZERO,    // below_zero: more idle than elapsed, or started in the future
	PMON_V_BAD_TIME_BASE, // bad_time_base: the type needs ticks a second and has none
	PMON_V_BAD_RAW,       // bad_raw_status: the raw value itself says that it is not usable
	PMON_V_NOT_FINITE,    // not_finite: the result is not finite
	PMON_V_NOT_DISPLAYED, // not_displayed: a base, a label or a text
	PMON_V_UNKNOWN_TYPE,  // unknown_type: no such type word
	PMON_V_CHANGED,       // instance_changed: another process of the same name than before
};
#define PMON_V_COUNT 16

// Does this status come with a number?
static inline bool
pmon_vstat_has_value(enum pmon_vstat status)
{
	return status <= PMON_V_CLAMPED;
}

// "counter_went_back", and a sentence on it. Never NULL.
PMON_API const char *pmon_vstat_name(enum pmon_vstat status);
PMON_API const char *pmon_vstat_text(enum pmon_vstat status);

// The PDH status that means the same (0xC0000BBA for first_sample, ...).
PMON_API uint32_t pmon_vstat_pdh(enum pmon_vstat status);

// What to do where sources leave a choice (docs/reference/counters.md, "Policies").
enum pmon_policy {
	PMON_POLICY_DEFAULT, // 32-bit counters wrap, 64-bit ones never; below zero has no value
	PMON_POLICY_STRICT,  // any counter or base that went back has no value, 32-bit ones too
	PMON_POLICY_CLAMP,   // as default, but a counter that went back or is below zero shows as 0
};
PMON_API const char *pmon_policy_name(enum pmon_policy policy);

// PDH's formatting options; all off is the plain number. The order is cap, scale, times 1000.
struct pmon_calc_options {
	enum pmon_policy policy;
	bool cap_100;       // percentages above 100 become 100; never for the MULTI types
	bool default_scale; // times 10^default_scale, when that is within -7..7
	bool times_1000;
};

// A number with its status. value is 0 when the status has no number; never NaN or infinite.
struct pmon_value {
	double value;
	enum pmon_vstat status;
	enum pmon_policy
		policy; // the one that decided: not DEFAULT only where it made a difference
};

// A calculation made ready: the table row and the options of one counter. Plain data, copy freely.
struct pmon_calc {
	const struct pmon_counter_type *type; // NULL when the word is unknown
	struct pmon_counter counter;
	struct pmon_calc_options options;
	bool wraps_32bit; // the counter's own width is 32 bits
};

// Make a calculation ready. options may be NULL for none.
PMON_API void pmon_calc_init(struct pmon_calc *calc, const struct pmon_counter *counter,
			     const struct pmon_calc_options *options);

// Do values of this counter need two samples?
PMON_API bool pmon_calc_needs_two(const struct pmon_calc *calc);

// The displayed value of newer, with older the sample before it (NULL when there is none; types of
// one sample do not look at it). Source: "Calculations for Raw Counter Data"; KB269481 for the
// disks; docs/reference/counters.md for each type and odd case.
PMON_API struct pmon_value pmon_calc_value(const struct pmon_calc *calc,
					   const struct pmon_raw *older,
					   const struct pmon_raw *newer);

// ---- Statistics -----------------------------------------------------------------------------

// An exact sum of integers or doubles: 256-bit fixed point, so that sums do not depend on order.
struct pmon_sum {
	uint64_t word[4]; // two's complement, lowest first
};

// The running statistics of one series. Fields are for reading through the functions below, except
// the plain ones at the top, which are kept current.
struct pmon_stats {
	struct pmon_calc calc;
	uint64_t count[PMON_V_COUNT]; // raw values by the status of their displayed value
	struct pmon_value last;       // of the newest raw value; no_data when there is none
	struct pmon_value minimum; // smallest and largest displayed value; the earliest of equals
	struct pmon_value maximum;
	pmon_time minimum_time;
	pmon_time maximum_time;
	pmon_time first_raw_time; // of the first and last raw value seen, PMON_TIME_NONE before
	pmon_time last_raw_time;
	// the state of the accumulator
	struct pmon_raw head; // first usable raw value, when no gap stood before it
	struct pmon_raw tail; // newest usable raw value
	bool has_head;
	bool has_tail;
	bool tail_open;              // no gap since the tail: the next raw value pairs with it
	bool gap_seen;               // a gap stood before any usable value
	uint64_t pairs;              // pairs, or single values, that are in the sums
	struct pmon_sum numerator;   // differences of N, or values of one sample
	struct pmon_sum denominator; // differences of D or B; the B of fractions
	struct pmon_sum parts;       // N of fractions; of groups of MULTI timers D times units
	uint64_t members; // series with pairs that were gathered; 0 before pmon_stats_gather()
	bool wrapped;     // some difference in the sums was counted through
};

// Begin. calc is copied.
PMON_API void pmon_stats_init(struct pmon_stats *stats, const struct pmon_calc *calc);

// Add the next raw value of the series and return its displayed value. A raw value with a bad
// status is counted and skipped: the next pair spans it, as in PdhComputeCounterStatistics.
PMON_API struct pmon_value pmon_stats_add(struct pmon_stats *stats, const struct pmon_raw *raw);

// A raw value from before the window: the first pair begins at it, so that the first displayed value
// of a window is that of the whole series. It is not counted, and nothing is computed for it alone.
PMON_API void pmon_stats_lead(struct pmon_stats *stats, const struct pmon_raw *raw);

// The series was absent for a while (its instance was gone): the next raw value starts anew.
PMON_API void pmon_stats_gap(struct pmon_stats *stats);

// The first raw value of the window was of another process than what came before the window: as if it
// had been PMON_RAW_CHANGED. Does nothing if the window already begins with a gap.
PMON_API void pmon_stats_changed(struct pmon_stats *stats);

// Add the statistics of the window that follows directly on this one, of the same counter with the
// same options. The pair across the seam is computed here, so that the result is exactly the
// statistics of both windows taken as one. Returns PMON_E_ARG when the counters differ.
PMON_API PMON_NODISCARD enum pmon_status pmon_stats_merge(struct pmon_stats *stats,
							  const struct pmon_stats *next);

// Add the statistics of another series of the same type and options, so that both are a group. Its
// average is the sum of the members' numerators over the sum of their denominators: for times and ratios
// the true group average, for rates and levels the average per member. A group of one series has the
// average of that series (docs/reference/counters.md, "Groups"). A group has no newest value. Returns PMON_E_ARG
// when the counters differ, and adds nothing; PMON_E_UNSUPPORTED for elapsed times, which have no group
// average: all else is added.
PMON_API PMON_NODISCARD enum pmon_status pmon_stats_gather(struct pmon_stats *group,
							   const struct pmon_stats *member);

// The type's own average over all pairs whose differences are good: sums of numerators over sums of
// denominators, which is (Nx - N0) / (Dx - D0) when no pair is bad. For elapsed times
// it is the newest value. no_data when there is nothing to average.
PMON_API struct pmon_value pmon_stats_average(const struct pmon_stats *stats);

// What the counter added up to, from the sums of its differences: seconds for timers and averages of times,
// the count for rates, changes, averages of counts and shares of operations, and the length times seconds
// for queues. Options for display do not change it. no_data for types of one sample: pmon_statistics_total()
// has the total of those that are levels.
PMON_API struct pmon_value pmon_stats_total(const struct pmon_stats *stats);

// How many raw values were added, and how many of them gave no number though they were neither the
// first of a run nor the first of another process (PMON_V_CHANGED).
PMON_API uint64_t pmon_stats_samples(const struct pmon_stats *stats);
PMON_API uint64_t pmon_stats_invalid(const struct pmon_stats *stats);

// ---- Explanations ---------------------------------------------------------------------------

#define PMON_EXPLAIN_LINES 16

// One line of arithmetic: "dN", "2147727 - 0 = 2147727", "total time in ticks".
struct pmon_explain_line {
	char name[48];
	char text[160];
	const char *what; // static text, "" when there is nothing to say
};

// Why a number is what it is. The texts are static or inside the struct.
struct pmon_explanation {
	struct pmon_value value;
	const struct pmon_counter_type *type; // NULL when unknown
	uint32_t word;
	const char *formula;     // with names
	char with_operands[256]; // the formula with the numbers in place of the names
	size_t n_operands;
	struct pmon_explain_line operands[PMON_EXPLAIN_LINES]; // name, value and what it is
	size_t n_steps;
	struct pmon_explain_line steps[PMON_EXPLAIN_LINES]; // in the order they were computed
	const char *unit;
	const char *status_text;
	const char *source;
	const char *note; // or NULL
	bool is_displayed; // of a log of displayed values: the numbers are those of the log, and type
			   // is the one that the counter is known to have
};

// Explain the value that pmon_calc_value() gives for the same arguments.
PMON_API void pmon_explain_value(const struct pmon_calc *calc, const struct pmon_raw *older,
				 const struct pmon_raw *newer, struct pmon_explanation *out);

// Explain the average that pmon_stats_average() gives.
PMON_API void pmon_explain_average(const struct pmon_stats *stats, struct pmon_explanation *out);

#ifdef __cplusplus
}
#endif

#endif
