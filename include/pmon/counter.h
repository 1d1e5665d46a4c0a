// counter.h - counter arithmetic: types, values, averages, statistics, explanations
// SPDX-License-Identifier: MIT
//
// A counter delivers raw values. Its 32-bit type word (winperf.h) defines how to compute a
// displayed value from one or two raw values, and an average from many. This header does only that
// arithmetic: it allocates no memory and does no I/O.
//
//	struct pmon_counter disk = {.type = PMON_PERF_AVERAGE_TIMER, .time_base = 14318180};
//	struct pmon_raw idle = {.first = 0, .second = 0}, busy = {.first = 2147727, .second = 1};
//	struct pmon_calc calc;
//	struct pmon_stats stats;
//
//	pmon_calc_init(&calc, &disk, NULL);
//	printf("%g\n", pmon_calc_value(&calc, &idle, &busy).value); // 0.15 seconds a read
//
//	pmon_stats_init(&stats, &calc);
//	pmon_stats_add(&stats, &idle);
//	pmon_stats_add(&stats, &busy);                      // ... and every later sample
//	printf("%g\n", pmon_stats_average(&stats).value);   // 0.15, however many idle intervals follow
//
// Every number has a status; if there is no number, the status gives the reason. The formulas and
// the rules for edge cases are in docs/reference/counters.md, with their sources. All functions are
// pure and may be called from any thread.

#ifndef PMON_COUNTER_H
#define PMON_COUNTER_H

#include <pmon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Counter types --------------------------------------------------------------------------

// The type words, as winperf.h defines them (both headers may be included).
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

// The formula for a type's values. N is the counter's own raw value, D its clock, B the base
// counter, F the clock's ticks per second; 0 is the older sample, 1 the newer.
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
	bool base_32bit;          // the base is a DWORD, so it may wrap at 2^32
	const char *name;         // "PERF_COUNTER_COUNTER"
	const char *alias;        // a second name, or NULL
	const char *dotnet;       // .NET's and PowerShell's name, "Timer100Ns"; or NULL
	const char *base_name;    // the type of the base that must follow, or NULL
	const char *unit;         // "%", "/s", "s" or ""
	const char *formula_text; // with N, D, B, F
	const char *average_text; // the type's average function; x is the newest sample
	const char *numerator;    // what N is, in words
	const char *meaning;      // what the type is for
	const char *source;       // the document that defines the formula
	const char *note;         // if documents differ, what we chose and why; or NULL
};

// The fields of a type word, from winperf.h.
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
	uint32_t reserved; // the bits outside all fields, unshifted
};

// The whole table, in ascending order of the word; pmon_type_at(i) is NULL when i >= count.
PMON_API size_t pmon_type_count(void);
PMON_API const struct pmon_counter_type *pmon_type_at(size_t i);

// The row of a word, or NULL. 0x40030500 returns PERF_LARGE_RAW_BASE; PERF_PRECISION_TIMESTAMP, the
// same word, can only be found by name.
PMON_API const struct pmon_counter_type *pmon_type_by_word(uint32_t word);

// The row of a name, ignoring case, or NULL. Accepts the names of winperf.h and WMI, with or
// without "PERF_", and those of .NET and PowerShell, with or without their class:
// "PERF_100NSEC_TIMER", "100nsec_timer", "Timer100Ns", "[...PerformanceCounterType]::Timer100Ns".
PMON_API const struct pmon_counter_type *pmon_type_by_name(struct pmon_span name);

// How the text of a type was parsed.
enum pmon_type_form {
	PMON_TYPE_FORM_NONE,    // invalid
	PMON_TYPE_FORM_NAME,    // "PERF_100NSEC_TIMER", "Timer100Ns"
	PMON_TYPE_FORM_WORD,    // "0x20510500"
	PMON_TYPE_FORM_DECIMAL, // "542180608", as .NET prints unnamed types
	PMON_TYPE_FORM_HEX,     // "20510500", hexadecimal without 0x
};

// Parse a type. Digits alone are decimal, unless only the hexadecimal number is in the table.
// Unless the form is _NAME, the word may be unknown (pmon_type_by_word() returns NULL).
PMON_API enum pmon_type_form pmon_type_parse(struct pmon_span text, uint32_t *word);

// Decode the fields of a word, known or not.
PMON_API void pmon_type_decode(uint32_t word, struct pmon_type_fields *out);

// The winperf.h names of the values of the fields, "PERF_SIZE_DWORD" and such. Never NULL.
PMON_API const char *pmon_type_size_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_type_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_subtype_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_timer_name(const struct pmon_type_fields *fields);
PMON_API const char *pmon_type_display_name(const struct pmon_type_fields *fields);

// Why the mean of displayed values is not the average of this type: the end of a sentence that
// begins with "the mean of displayed values is not the average of this type: ". NULL if it is the
// average, as for levels, single-sample fractions and plain differences, which weight all samples
// equally.
PMON_API const char *pmon_type_mean_flaw(const struct pmon_counter_type *type);

// Are values of this word ever displayed? False for bases, labels, texts and unknown words.
PMON_API bool pmon_type_is_displayed(uint32_t word);

// May the clock of the second raw value be the system clock, which users and time services can set?
// True for all clocks except the performance clock. False for NULL.
PMON_API bool pmon_type_follows_system_clock(const struct pmon_counter_type *type);

// Are values of the type shown in hexadecimal? False for NULL.
PMON_API bool pmon_type_is_hex(const struct pmon_counter_type *type);

#define PMON_HEX_SIZE 20 // room for "0x", 16 digits and a NUL

// Format a value of a HEX type: "0x1F"; negative numbers in 64-bit two's complement. Returns the
// length, or 0 if the number is not an integer (an average may not be) or does not fit in 64 bits.
PMON_API size_t pmon_hex_text(double value, char buf[PMON_HEX_SIZE]);

// Format all bits of a raw value in the same way.
PMON_API size_t pmon_hex_bits(int64_t bits, char buf[PMON_HEX_SIZE]);

// ---- Raw values -----------------------------------------------------------------------------

// Raw statuses (PDH_CSTATUS_*): only VALID and NEW are usable.
#define PMON_RAW_VALID       0x00000000u
#define PMON_RAW_NEW         0x00000001u
#define PMON_RAW_NO_MACHINE  0x800007D0u
#define PMON_RAW_NO_INSTANCE 0x800007D1u
#define PMON_RAW_NO_OBJECT   0xC0000BB8u
#define PMON_RAW_NO_COUNTER  0xC0000BB9u
#define PMON_RAW_INVALID     0xC0000BBAu

// pmon's own statuses, in the range that Windows reserves for applications. CHANGED: usable, but
// the instance of this name is now another process (or thread), so no difference is computed across
// the change. STARTED: not a sample, but the process's raw value at this time: 0 if it started
// then, or its previous raw value under another name. The next raw value is paired with it.
// pmon_identity_open() (query.h) sets both.
#define PMON_RAW_CHANGED 0x20000001u
#define PMON_RAW_STARTED 0x20000002u

// Not a value: identifies the process that the values of the series belong to from this time on
// (struct pmon_sample.owners). `first` is the process ID; for a thread, process ID times 2^32 plus
// thread ID. `second` is the start time, in 100 ns on the clock of `Elapsed Time`, or in UTC
// (struct pmon_identity_options.owners_in_utc). `multi` holds the bits below: which of these are
// known, and whether this is the first such row of the series in the log.
#define PMON_RAW_OWNER     0x20000003u
#define PMON_OWNER_PROCESS 1u
#define PMON_OWNER_THREAD  2u
#define PMON_OWNER_START   4u
#define PMON_OWNER_FIRST   8u

// Not usable: a displayed value that no counter of its type can have, stored in `first`.
#define PMON_RAW_IMPOSSIBLE 0x20000004u

// Usable, but the clock of the second raw value was set since the preceding raw value, or the
// machine was paused: the performance clock disagrees about the elapsed time. Only for types that
// follow the system clock (pmon_type_follows_system_clock()). No difference is computed across the
// step. pmon_identity_open() sets this too.
#define PMON_RAW_STEPPED 0x20000005u

// The name of a raw status in lower case ("no_machine"), or NULL.
PMON_API const char *pmon_raw_status_name(uint32_t status);

// Look up a raw status by name. If there is none, returns false and sets *out to PMON_RAW_INVALID.
PMON_API bool pmon_raw_status_by_name(struct pmon_span name, uint32_t *out);

// One raw value of one counter, like PDH_RAW_COUNTER, but in UTC. 32-bit counters are
// zero-extended. The meaning of second and multi depends on the type (enum pmon_second).
struct pmon_raw {
	uint32_t status; // PMON_RAW_*
	uint32_t multi;  // number of units, for the MULTI types
	pmon_time time;  // when it was read
	int64_t first;
	int64_t second;
};

// The properties of a counter that its calculations depend on.
struct pmon_counter {
	uint32_t type;         // type word
	uint8_t size_bytes;    // 4 or 8, from the counter definition; 0 if unknown
	int32_t default_scale; // power of ten that the provider suggests for charts
	int64_t time_base;     // F, ticks per second; 0 if the type has none
};

// Make the 32-bit numbers of a raw value unsigned, as struct pmon_raw requires: in a 32-bit counter
// or base, -1 becomes 4294967295. Other values do not change. For sources that store signed
// numbers.
PMON_API void pmon_raw_zero_extend(const struct pmon_counter *counter, struct pmon_raw *raw);

// ---- Values ---------------------------------------------------------------------------------

// The quality of a value, or why there is none. The documentation and all output use the names from
// pmon_vstat_name().
enum pmon_vstat {
	PMON_V_OK = 0,    // ok
	PMON_V_WRAPPED,   // wrapped: a 32-bit counter passed 2^32; the value allows for it
	PMON_V_BASE_ZERO, // base_zero: nothing happened, the value is 0
	PMON_V_CLAMPED,   // clamped: below zero or decreased, shown as 0 by the clamp policy
	// the statuses below have no number
	PMON_V_FIRST,         // first_sample: the type needs two samples and this is the first
	PMON_V_NO_DATA,       // no_data: no time passed, or the number of units is 0
	PMON_V_COUNTER_BACK,  // counter_went_back: reset or restart
	PMON_V_CLOCK_BACK,    // clock_went_back
	PMON_V_BASE_BACK,     // base_went_back
	PMON_V_BELOW_ZERO,    // below_zero: more idle than elapsed, or started in the future
	PMON_V_BAD_TIME_BASE, // bad_time_base: the type needs ticks per second and has none
	PMON_V_BAD_RAW,       // bad_raw_status: the status of the raw value is not usable
	PMON_V_NOT_FINITE,    // not_finite: the result is not finite
	PMON_V_NOT_DISPLAYED, // not_displayed: a base, a label or a text
	PMON_V_UNKNOWN_TYPE,  // unknown_type: no such type word
	PMON_V_CHANGED,       // instance_changed: now another process of the same name
	PMON_V_STEPPED,       // clock_stepped: the system clock was set since the preceding sample
};
#define PMON_V_COUNT 17
#define PMON_V_ROOM  20 // includes room for future statuses

// Does this status come with a number?
static inline bool
pmon_vstat_has_value(enum pmon_vstat status)
{
	return status <= PMON_V_CLAMPED;
}

// The name ("counter_went_back") and the description. Never NULL.
PMON_API const char *pmon_vstat_name(enum pmon_vstat status);
PMON_API const char *pmon_vstat_text(enum pmon_vstat status);

// The equivalent PDH status (0xC0000BBA for first_sample, ...).
PMON_API uint32_t pmon_vstat_pdh(enum pmon_vstat status);

// What to do where the specifications leave a choice (docs/reference/counters.md, "Policies").
enum pmon_policy {
	PMON_POLICY_DEFAULT, // 32-bit counters wrap, 64-bit ones never; below zero has no value
	PMON_POLICY_STRICT,  // any counter or base that decreased has no value, even if 32-bit
	PMON_POLICY_CLAMP,   // like default, but a decreased or negative counter shows as 0
};
PMON_API const char *pmon_policy_name(enum pmon_policy policy);

// PDH's formatting options, all off by default. They apply in the order cap, scale, times 1000.
struct pmon_calc_options {
	size_t size; // of this struct, set by the caller: base.h
	enum pmon_policy policy;
	bool cap_100;       // percentages above 100 become 100; never for the MULTI types
	bool default_scale; // times 10^default_scale, if that is within -7..7
	bool times_1000;
	unsigned char reserved[1];
};

// A number with its status. value is 0 if the status has no number; never NaN or infinite.
struct pmon_value {
	double value;
	enum pmon_vstat status;
	enum pmon_policy policy; // not DEFAULT only if the policy made a difference
};

// A prepared calculation: the table row and options of one counter. Plain data, may be copied.
struct pmon_calc {
	const struct pmon_counter_type *type; // NULL if the word is unknown
	struct pmon_counter counter;
	bool wraps_32bit; // the counter's own width is 32 bits
	struct pmon_calc_options options;
};

// Prepare a calculation. options may be NULL. PMON_E_ARG: the options are from an unsupported
// version; the calculation can still be used, without options.
PMON_API enum pmon_status pmon_calc_init(struct pmon_calc *calc, const struct pmon_counter *counter,
					 const struct pmon_calc_options *options);

// Do values of this counter need two samples?
PMON_API bool pmon_calc_needs_two(const struct pmon_calc *calc);

// The displayed value of newer; older is the preceding sample (NULL if there is none; single-sample
// types ignore it). Source: "Calculations for Raw Counter Data"; KB269481 for disks;
// docs/reference/counters.md for each type and edge case.
PMON_API struct pmon_value pmon_calc_value(const struct pmon_calc *calc,
					   const struct pmon_raw *older,
					   const struct pmon_raw *newer);

// ---- Statistics -----------------------------------------------------------------------------

// An exact sum of integers or doubles: 256-bit fixed point, so that the order of addition does not
// matter.
struct pmon_sum {
	uint64_t word[4]; // two's complement, least significant first
};

// The running statistics of one series. Callers may read the fields at the top directly; use the
// functions below for the rest.
struct pmon_stats {
	struct pmon_calc calc;
	uint64_t count[PMON_V_ROOM]; // raw values by the status of their displayed value
	struct pmon_value last;      // of the newest raw value; no_data if there is none
	struct pmon_value minimum;   // smallest and largest displayed value; the earliest if tied
	struct pmon_value maximum;
	pmon_time minimum_time;
	pmon_time maximum_time;
	pmon_time first_raw_time; // of the first and last raw value seen, PMON_TIME_NONE before
	pmon_time last_raw_time;
	// internal state
	struct pmon_raw head; // first usable raw value, if no gap precedes it
	struct pmon_raw tail; // newest usable raw value
	bool has_head;
	bool has_tail;
	bool tail_open;              // no gap since the tail: the next raw value pairs with it
	bool gap_seen;               // a gap precedes all usable values
	bool wrapped;                // some difference in the sums wrapped
	uint64_t pairs;              // pairs, or single values, in the sums
	struct pmon_sum numerator;   // differences of N, or values of one sample
	struct pmon_sum denominator; // differences of D or B; the B of fractions
	struct pmon_sum parts;       // N of fractions; of groups of MULTI timers D times units
	uint64_t members; // series with pairs that were gathered; 0 before pmon_stats_gather()
	uint64_t reserved;
};

// Begin. calc is copied.
PMON_API void pmon_stats_init(struct pmon_stats *stats, const struct pmon_calc *calc);

// Add the next raw value of the series and return its displayed value. A raw value with a bad
// status is counted but skipped: the next pair spans it, as in PdhComputeCounterStatistics.
PMON_API struct pmon_value pmon_stats_add(struct pmon_stats *stats, const struct pmon_raw *raw);

// Set the raw value that precedes the window. The first pair begins with it, so that the window's
// first displayed value is the same as in the whole series. It is not counted and has no value
// itself.
PMON_API void pmon_stats_lead(struct pmon_stats *stats, const struct pmon_raw *raw);

// The series was absent for a while (its instance did not exist): the next raw value starts a new
// run.
PMON_API void pmon_stats_gap(struct pmon_stats *stats);

// The first raw value of the window belongs to another process than the raw value before the
// window: treat it as PMON_RAW_CHANGED. Does nothing if the window already begins with a gap.
PMON_API void pmon_stats_changed(struct pmon_stats *stats);

// Append the statistics of the window that directly follows this one, for the same counter and
// options. The pair across the boundary is computed here, so the result is exactly that of one
// window over both. Returns PMON_E_ARG if the counters differ.
PMON_API PMON_NODISCARD enum pmon_status pmon_stats_merge(struct pmon_stats *stats,
							  const struct pmon_stats *next);

// Add another series of the same type and options to a group. The group's average is the sum of the
// members' numerators over the sum of their denominators. For times and ratios this is the true
// group average; for rates and levels it is the average per member. A group of one series has that
// series' average (docs/reference/counters.md, "Groups"). A group has no newest value. Returns
// PMON_E_ARG and adds nothing if the counters differ; PMON_E_UNSUPPORTED for elapsed times, which
// have no group average: everything else is added.
PMON_API PMON_NODISCARD enum pmon_status pmon_stats_gather(struct pmon_stats *group,
							   const struct pmon_stats *member);

// The type's own average over all valid pairs: the sum of numerators over the sum of denominators,
// which is (Nx - N0) / (Dx - D0) if every pair is valid. For elapsed times it is the newest value.
// no_data if there is nothing to average.
PMON_API struct pmon_value pmon_stats_average(const struct pmon_stats *stats);

// The counter's total over the window, from the sums of its differences: seconds for timers and
// averages of times; the count for rates, changes, averages of counts and shares of operations;
// length times seconds for queues. Display options do not affect it. no_data for single-sample
// types: for levels use pmon_statistics_total().
PMON_API struct pmon_value pmon_stats_total(const struct pmon_stats *stats);

// How many raw values were added, and how many of them have no number although they are neither the
// first of a run nor the first of another process (PMON_V_CHANGED).
PMON_API uint64_t pmon_stats_samples(const struct pmon_stats *stats);
PMON_API uint64_t pmon_stats_invalid(const struct pmon_stats *stats);

// ---- Explanations ---------------------------------------------------------------------------

#define PMON_EXPLAIN_LINES 16

// One line of arithmetic: "dN", "2147727 - 0 = 2147727", "total time in ticks".
struct pmon_explain_line {
	char name[48];
	char text[160];
	const char *what; // static text, may be ""
};

// How a number was computed. The texts are static or inside the struct.
struct pmon_explanation {
	struct pmon_value value;
	const struct pmon_counter_type *type; // NULL if unknown
	uint32_t word;
	const char *formula;     // with names
	char with_operands[256]; // the formula with numbers instead of names
	size_t n_operands;
	struct pmon_explain_line operands[PMON_EXPLAIN_LINES]; // name, value and what it is
	size_t n_steps;
	struct pmon_explain_line steps[PMON_EXPLAIN_LINES]; // in order of computation
	const char *unit;
	const char *status_text;
	const char *source;
	const char *note;  // or NULL
	bool is_displayed; // from a log of displayed values: the numbers are those in the log, and
			   // type is the known type of the counter
	const void *reserved[4];
};

// Explain the value that pmon_calc_value() returns for the same arguments.
PMON_API void pmon_explain_value(const struct pmon_calc *calc, const struct pmon_raw *older,
				 const struct pmon_raw *newer, struct pmon_explanation *out);

// Explain the average that pmon_stats_average() returns.
PMON_API void pmon_explain_average(const struct pmon_stats *stats, struct pmon_explanation *out);

#ifdef __cplusplus
}
#endif

#endif
