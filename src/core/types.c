// types.c - the table of counter types
// SPDX-License-Identifier: MIT
//
// Words and bases are from winperf.h. Formulas are from "Calculations for Raw Counter Data"; what
// its tables imply by a "%" suffix (times 100) is written out. Where sources differ, the row says
// what was chosen and why. docs/reference/counters.md is the long form of this table. .NET's names
// are those of System.Diagnostics.PerformanceCounterType, which PowerShell prints.

#include <pmon/counter.h>

#define SDK "Platform SDK, \"Calculations for Raw Counter Data\""
#define KB  "KB269481, \"Changes to LogicalDisk and PhysicalDisk Precision Counter Types\""
#define RK  "Windows NT Resource Kit, tables 12.3 and 12.4"
#define AVG "NT Debugging blog on averages in Performance Monitor (KB2877211)"
#define HDR "winperf.h"

// The clocks and the bases that a type divides by.
#define TICKS    .second = PMON_SECOND_PERFTIME
#define SYS100NS .second = PMON_SECOND_100NS
#define OBJECT   .second = PMON_SECOND_OBJECT
#define STAMP    .second = PMON_SECOND_TIMESTAMP, .base_name = "PERF_PRECISION_TIMESTAMP"

// What types with the same formula have in common.
#define AS_COUNT                                                                                   \
	.formula = PMON_FORMULA_COUNT, .unit = "", .formula_text = "N1",                           \
	.average_text = "sum(N) / x", .numerator = "the count"
#define AS_DELTA                                                                                   \
	.formula = PMON_FORMULA_DELTA, .unit = "", .formula_text = "N1 - N0",                      \
	.average_text = "(Nx - N0) / x", .numerator = "the count"
#define AS_RATE                                                                                    \
	.formula = PMON_FORMULA_RATE, .formula_text = "(N1 - N0) / ((D1 - D0) / F)",               \
	.average_text = "(Nx - N0) / ((Dx - D0) / F)", .numerator = "the count"
#define AS_QUEUE                                                                                   \
	.formula = PMON_FORMULA_RATIO, .unit = "", .formula_text = "(N1 - N0) / (D1 - D0)",        \
	.average_text = "(Nx - N0) / (Dx - D0)",                                                   \
	.numerator = "space-time product of the queue length"
#define AS_TIMER                                                                                   \
	.formula = PMON_FORMULA_PERCENT, .unit = "%",                                              \
	.formula_text = "100 * ((N1 - N0) / (D1 - D0))",                                           \
	.average_text = "100 * ((Nx - N0) / (Dx - D0))", .numerator = "busy time"
#define AS_TIMER_INV                                                                               \
	.formula = PMON_FORMULA_PERCENT_INV, .unit = "%",                                          \
	.formula_text = "100 * (1 - (N1 - N0) / (D1 - D0))",                                       \
	.average_text = "100 * (1 - (Nx - N0) / (Dx - D0))", .numerator = "idle time"
#define AS_MULTI                                                                                   \
	.formula = PMON_FORMULA_MULTI, .unit = "%", .base_name = "PERF_COUNTER_MULTI_BASE",        \
	.formula_text = "100 * ((N1 - N0) / (D1 - D0)) / B1",                                      \
	.average_text = "100 * ((Nx - N0) / (Dx - D0)) / Bx",                                      \
	.numerator = "busy time, summed over the units"
#define AS_MULTI_INV                                                                               \
	.formula = PMON_FORMULA_MULTI_INV, .unit = "%", .base_name = "PERF_COUNTER_MULTI_BASE",    \
	.formula_text = "100 * (B1 - (N1 - N0) / (D1 - D0))",                                      \
	.average_text = "100 * (Bx - (Nx - N0) / (Dx - D0))",                                      \
	.numerator = "idle time, summed over the units"
#define AS_FRACTION                                                                                \
	.formula = PMON_FORMULA_FRACTION, .second = PMON_SECOND_BASE, .unit = "%",                 \
	.formula_text = "100 * (N1 / B1)", .average_text = "sum(100 * (N / B)) / x",               \
	.numerator = "the part"
#define NO_FORMULA                                                                                 \
	.formula = PMON_FORMULA_NONE, .unit = "", .formula_text = "", .average_text = "",          \
	.numerator = ""

#define ONE_SAMPLE_NOTE                                                                            \
	"The Platform SDK writes N0, the first sample, in the value of types that use one "        \
	"sample; it means the displayed sample, here N1. "
#define COUNT_NOTE                                                                                 \
	ONE_SAMPLE_NOTE                                                                            \
	"It averages the values, sum(N) / x, while the Resource Kit says that a raw count should " \
	"not be averaged. pmon follows the Platform SDK: the average covers only the sampled "     \
	"moments, not the time between them."
#define HEX_NOTE                                                                                   \
	COUNT_NOTE " Whole numbers are shown in hexadecimal; an average with a fraction is not."
#define DELTA_NOTE                                                                                 \
	"In the Platform SDK the x of the average is the number of samples; here it is the "       \
	"number of intervals, which is one less, so that the average is the mean of the changes."
#define PERCENT_NOTE                                                                               \
	"The Platform SDK leaves the factor 100 to the \"%\" that follows the number; the "        \
	"displayed number is the same."
#define FRACTION_NOTE                                                                              \
	ONE_SAMPLE_NOTE                                                                            \
	PERCENT_NOTE                                                                               \
	" No source defines the result for a base of 0; pmon gives 0 with the status base_zero."
#define NO_OPERATIONS_NOTE                                                                         \
	" If there were no operations in the interval, the value is 0, as the NT Debugging blog "  \
	"says; the status is base_zero, and the 0 has no weight in the average."
#define STAMP_NOTE                                                                                 \
	"KB269481 calls the time stamp that follows B0 and B1; here it is D0 and D1, because it "  \
	"is a clock and not a count."
#define INVERSE_NOTE                                                                               \
	PERCENT_NOTE                                                                               \
	" No source says what to show if more idle time than elapsed time was counted; pmon "      \
	"gives no value and the status below_zero, or 0 with the clamp policy."
#define MULTI_NOTE                                                                                 \
	"Sources differ. winperf.h and the Resource Kit divide by the number of units; the "       \
	"tables of the Platform SDK do not. The SDK sample code also multiplies by the clock "     \
	"frequency, which is meaningless for ticks over ticks. pmon follows winperf.h."
#define MULTI_INV_NOTE                                                                             \
	"Sources differ. winperf.h and the Platform SDK give 100 * (B - dN / dD); the Resource "   \
	"Kit gives 100 * (1 - (dN / dD) / B), which is this number divided by B. pmon follows "    \
	"winperf.h."
#define QUEUE_NOTE                                                                                 \
	"The Resource Kit gives (C1 + T1 * B1) / dT, and says that its own Performance Monitor "   \
	"did not support the type; all later sources give the formula above."

static const struct pmon_counter_type table[] = {
	{PMON_PERF_COUNTER_RAWCOUNT_HEX, AS_COUNT, .name = "PERF_COUNTER_RAWCOUNT_HEX",
	 .dotnet = "NumberOfItemsHEX32",
	 .meaning = "Instantaneous 32-bit value, shown in hexadecimal.", .source = SDK,
	 .note = HEX_NOTE},
	{PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX, AS_COUNT, .name = "PERF_COUNTER_LARGE_RAWCOUNT_HEX",
	 .dotnet = "NumberOfItemsHEX64",
	 .meaning = "Instantaneous 64-bit value, shown in hexadecimal.", .source = SDK,
	 .note = HEX_NOTE},
	{PMON_PERF_COUNTER_TEXT, NO_FORMULA, .name = "PERF_COUNTER_TEXT",
	 .meaning = "Unicode text, not a number.", .source = SDK,
	 .note = "According to the Resource Kit, the first DWORD of the data is its size; "
		 "according to winperf.h, the size is in the counter's definition. pmon follows "
		 "winperf.h."},
	{PMON_PERF_COUNTER_RAWCOUNT, AS_COUNT, .name = "PERF_COUNTER_RAWCOUNT",
	 .dotnet = "NumberOfItems32", .meaning = "Instantaneous 32-bit value.", .source = SDK,
	 .note = COUNT_NOTE
	 " The Resource Kit also says \"Display B1\"; the type has no base, so it means C1."},
	{PMON_PERF_COUNTER_LARGE_RAWCOUNT, AS_COUNT, .name = "PERF_COUNTER_LARGE_RAWCOUNT",
	 .dotnet = "NumberOfItems64", .meaning = "Instantaneous 64-bit value.", .source = SDK,
	 .note = COUNT_NOTE},
	{PMON_PERF_DOUBLE_RAW, .formula = PMON_FORMULA_DOUBLE, .name = "PERF_DOUBLE_RAW",
	 .unit = "", .formula_text = "N1", .average_text = "sum(N) / x", .numerator = "the number",
	 .meaning = "Instantaneous value, stored as a floating-point number.",
	 .source = "Windows Management Instrumentation, CounterType qualifier",
	 .note = "Not in winperf.h; treated as a 64-bit IEEE number because of its name."},
	{PMON_PERF_COUNTER_DELTA, AS_DELTA, .name = "PERF_COUNTER_DELTA",
	 .dotnet = "CounterDelta32",
	 .meaning = "Change of a 32-bit value between two samples; never negative.", .source = SDK,
	 .note = DELTA_NOTE},
	{PMON_PERF_COUNTER_LARGE_DELTA, AS_DELTA, .name = "PERF_COUNTER_LARGE_DELTA",
	 .dotnet = "CounterDelta64",
	 .meaning = "Change of a 64-bit value between two samples; never negative.", .source = SDK,
	 .note = DELTA_NOTE},
	{PMON_PERF_SAMPLE_COUNTER, AS_RATE, TICKS, .name = "PERF_SAMPLE_COUNTER",
	 .dotnet = "SampleCounter", .unit = "",
	 .meaning = "Rate of a count taken at each sampling interrupt.", .source = SDK,
	 .note = "The Resource Kit divides by a base that the type does not have; the Platform SDK "
		 "divides by time, in accordance with the rate field of the type. The type has no "
		 "suffix."},
	{PMON_PERF_COUNTER_QUEUELEN_TYPE, AS_QUEUE, TICKS, .name = "PERF_COUNTER_QUEUELEN_TYPE",
	 .dotnet = "CountPerTimeInterval32",
	 .meaning = "Average length of a queue, 32-bit space-time product.", .source = SDK,
	 .note = QUEUE_NOTE},
	{PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE, AS_QUEUE, TICKS,
	 .name = "PERF_COUNTER_LARGE_QUEUELEN_TYPE", .dotnet = "CountPerTimeInterval64",
	 .meaning = "Average length of a queue (the disks of Windows NT 4.0).",
	 .source = SDK "; " KB, .note = QUEUE_NOTE},
	{PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, AS_QUEUE, SYS100NS,
	 .name = "PERF_COUNTER_100NS_QUEUELEN_TYPE",
	 .meaning = "Average length of a queue on the 100 ns clock (disks since Windows 2000).",
	 .source = KB,
	 .note = "The clock is PerfTime100nSec according to the body of KB269481 and the type "
		 "itself; a footnote there names PerfTime."},
	{PMON_PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, AS_QUEUE, OBJECT,
	 .name = "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE", .alias = "PERF_COUNTER_OBJ_QUEUELEN_TYPE",
	 .meaning = "Average length of a queue on the object's own clock.", .source = HDR},
	{PMON_PERF_COUNTER_COUNTER, AS_RATE, TICKS, .name = "PERF_COUNTER_COUNTER",
	 .dotnet = "RateOfCountsPerSecond32", .unit = "/s",
	 .meaning = "Rate of a 32-bit count, the most common type.", .source = SDK},
	{PMON_PERF_COUNTER_BULK_COUNT, AS_RATE, TICKS, .name = "PERF_COUNTER_BULK_COUNT",
	 .dotnet = "RateOfCountsPerSecond64", .unit = "/s",
	 .meaning = "Rate of a 64-bit count, such as bytes.", .source = SDK},
	{PMON_PERF_RAW_FRACTION, AS_FRACTION, .base_32bit = true, .name = "PERF_RAW_FRACTION",
	 .dotnet = "RawFraction", .base_name = "PERF_RAW_BASE",
	 .meaning = "Current value as a share of a total.", .source = SDK "; " RK,
	 .note = FRACTION_NOTE},
	{PMON_PERF_LARGE_RAW_FRACTION, AS_FRACTION, .name = "PERF_LARGE_RAW_FRACTION",
	 .base_name = "PERF_LARGE_RAW_BASE",
	 .meaning = "Current value as a share of a total, 64-bit.", .source = HDR "; " SDK,
	 .note = FRACTION_NOTE},
	{PMON_PERF_COUNTER_TIMER, AS_TIMER, TICKS, .name = "PERF_COUNTER_TIMER",
	 .dotnet = "CounterTimer",
	 .meaning = "Busy time as a percentage of elapsed time, on the performance clock.",
	 .source = SDK "; " KB, .note = PERCENT_NOTE},
	{PMON_PERF_PRECISION_SYSTEM_TIMER, AS_TIMER, STAMP, .name = "PERF_PRECISION_SYSTEM_TIMER",
	 .alias = "PERF_PRECISION_TIMER",
	 .meaning = "Busy time as a percentage of elapsed time; each value has its own time stamp.",
	 .source = HDR "; " KB, .note = STAMP_NOTE},
	{PMON_PERF_100NSEC_TIMER, AS_TIMER, SYS100NS, .name = "PERF_100NSEC_TIMER",
	 .dotnet = "Timer100Ns",
	 .meaning = "Busy time as a percentage of elapsed time, in units of 100 ns.", .source = SDK,
	 .note = PERCENT_NOTE},
	{PMON_PERF_PRECISION_100NS_TIMER, AS_TIMER, STAMP, .name = "PERF_PRECISION_100NS_TIMER",
	 .meaning = "Busy time as a percentage of elapsed time, in units of 100 ns; each value has "
		    "its own time stamp (disks since Windows 2000).",
	 .source = KB, .note = STAMP_NOTE},
	{PMON_PERF_OBJ_TIME_TIMER, AS_TIMER, OBJECT, .name = "PERF_OBJ_TIME_TIMER",
	 .meaning = "Busy time as a percentage of elapsed time, on the object's own clock.",
	 .source = HDR},
	{PMON_PERF_PRECISION_OBJECT_TIMER, AS_TIMER, STAMP, .name = "PERF_PRECISION_OBJECT_TIMER",
	 .meaning = "Busy time as a percentage of elapsed time, in the object's units; each value "
		    "has its own time stamp.",
	 .source = HDR "; " KB, .note = STAMP_NOTE},
	{PMON_PERF_SAMPLE_FRACTION, .formula = PMON_FORMULA_PERCENT, .second = PMON_SECOND_BASE,
	 .base_32bit = true, .name = "PERF_SAMPLE_FRACTION", .dotnet = "SampleFraction",
	 .base_name = "PERF_SAMPLE_BASE", .unit = "%",
	 .formula_text = "100 * ((N1 - N0) / (B1 - B0))",
	 .average_text = "100 * ((Nx - N0) / (Bx - B0))", .numerator = "hits",
	 .meaning = "Percentage of sampling interrupts at which a condition was true.",
	 .source = SDK, .note = PERCENT_NOTE},
	{PMON_PERF_COUNTER_TIMER_INV, AS_TIMER_INV, TICKS, .name = "PERF_COUNTER_TIMER_INV",
	 .dotnet = "CounterTimerInverse",
	 .meaning = "Busy time as a percentage of elapsed time, computed from idle time.",
	 .source = SDK, .note = INVERSE_NOTE},
	{PMON_PERF_100NSEC_TIMER_INV, AS_TIMER_INV, SYS100NS, .name = "PERF_100NSEC_TIMER_INV",
	 .dotnet = "Timer100NsInverse",
	 .meaning = "Busy time as a percentage of elapsed time, computed from idle time in units "
		    "of 100 ns.",
	 .source = SDK, .note = INVERSE_NOTE},
	{PMON_PERF_COUNTER_MULTI_TIMER, AS_MULTI, TICKS, .name = "PERF_COUNTER_MULTI_TIMER",
	 .dotnet = "CounterMultiTimer",
	 .meaning = "Busy time of several units, added up, as a percentage of elapsed time; can "
		    "exceed 100 %.",
	 .source = HDR "; " RK, .note = MULTI_NOTE},
	{PMON_PERF_100NSEC_MULTI_TIMER, AS_MULTI, SYS100NS, .name = "PERF_100NSEC_MULTI_TIMER",
	 .dotnet = "CounterMultiTimer100Ns",
	 .meaning = "Busy time of several units, added up, as a percentage of elapsed time, in "
		    "units of 100 ns; can exceed 100 %.",
	 .source = HDR "; " RK, .note = MULTI_NOTE},
	{PMON_PERF_COUNTER_MULTI_TIMER_INV, AS_MULTI_INV, TICKS,
	 .name = "PERF_COUNTER_MULTI_TIMER_INV", .dotnet = "CounterMultiTimerInverse",
	 .meaning = "Busy time of several units, added up, as a percentage of elapsed time, "
		    "computed from idle time.",
	 .source = HDR "; " SDK, .note = MULTI_INV_NOTE},
	{PMON_PERF_100NSEC_MULTI_TIMER_INV, AS_MULTI_INV, SYS100NS,
	 .name = "PERF_100NSEC_MULTI_TIMER_INV", .dotnet = "CounterMultiTimer100NsInverse",
	 .meaning = "Busy time of several units, added up, as a percentage of elapsed time, "
		    "computed from idle time in units of 100 ns.",
	 .source = HDR "; " SDK, .note = MULTI_INV_NOTE},
	{PMON_PERF_AVERAGE_TIMER, .formula = PMON_FORMULA_AVERAGE_TIME, .second = PMON_SECOND_BASE,
	 .base_32bit = true, .name = "PERF_AVERAGE_TIMER", .dotnet = "AverageTimer32",
	 .base_name = "PERF_AVERAGE_BASE", .unit = "s",
	 .formula_text = "((N1 - N0) / F) / (B1 - B0)",
	 .average_text = "((Nx - N0) / F) / (Bx - B0)", .numerator = "total time in ticks",
	 .meaning = "Average time per operation.", .source = SDK "; " AVG,
	 .note = "The type is nominally 32 bits wide; according to the Resource Kit it is 64, and "
		 "real counters of this type have 64." NO_OPERATIONS_NOTE},
	{PMON_PERF_ELAPSED_TIME, .formula = PMON_FORMULA_ELAPSED, OBJECT,
	 .name = "PERF_ELAPSED_TIME", .dotnet = "ElapsedTime", .unit = "s",
	 .formula_text = "(D1 - N1) / F", .average_text = "(Dx - Nx) / F",
	 .numerator = "start time", .meaning = "Time since something started.", .source = SDK,
	 .note = "The Platform SDK averages by (Dx - N0) / F, with the start time of the first "
		 "sample. pmon uses (Dx - Nx) / F, the newest value: it is the same as long as the "
		 "start time does not change, and also correct after a restart, when N0 is the "
		 "start time of something that has ended. The Platform SDK writes the value as (D0 "
		 "- N0) / F for the displayed sample; the Resource Kit writes T1 - C1 without the "
		 "division, and names the units in words."},
	{PMON_PERF_COUNTER_NODATA, NO_FORMULA, .name = "PERF_COUNTER_NODATA",
	 .meaning = "A label without data.", .source = SDK,
	 .note = "The Platform SDK gives 0 as the value and as the average. pmon gives no number, "
		 "with the status not_displayed: the Resource Kit and the type itself say \"do not "
		 "show\", and a 0 would look like a measurement."},
	{PMON_PERF_AVERAGE_BULK, .formula = PMON_FORMULA_RATIO, .second = PMON_SECOND_BASE,
	 .base_32bit = true, .name = "PERF_AVERAGE_BULK", .dotnet = "AverageCount64",
	 .base_name = "PERF_AVERAGE_BASE", .unit = "", .formula_text = "(N1 - N0) / (B1 - B0)",
	 .average_text = "(Nx - N0) / (Bx - B0)", .numerator = "total amount",
	 .meaning = "Amount per operation, such as bytes per read.", .source = SDK "; " AVG,
	 .note = "The type says \"do not show\", the Resource Kit \"no suffix\"; every tool shows "
		 "counters of this type." NO_OPERATIONS_NOTE},
	{PMON_PERF_SAMPLE_BASE, NO_FORMULA, .name = "PERF_SAMPLE_BASE", .dotnet = "SampleBase",
	 .meaning = "Base of PERF_SAMPLE_FRACTION.", .source = SDK},
	{PMON_PERF_AVERAGE_BASE, NO_FORMULA, .name = "PERF_AVERAGE_BASE", .dotnet = "AverageBase",
	 .meaning = "Base of PERF_AVERAGE_TIMER and PERF_AVERAGE_BULK.", .source = SDK},
	{PMON_PERF_RAW_BASE, NO_FORMULA, .name = "PERF_RAW_BASE", .dotnet = "RawBase",
	 .meaning = "Base of PERF_RAW_FRACTION.", .source = SDK},
	{PMON_PERF_LARGE_RAW_BASE, NO_FORMULA, .name = "PERF_LARGE_RAW_BASE",
	 .meaning = "Base of PERF_LARGE_RAW_FRACTION; SQL Server puts it after PERF_AVERAGE_BULK "
		    "too.",
	 .source = HDR, .note = "PERF_PRECISION_TIMESTAMP has the same value."},
	{PMON_PERF_PRECISION_TIMESTAMP, NO_FORMULA, .name = "PERF_PRECISION_TIMESTAMP",
	 .meaning = "Time stamp of the precision timers.", .source = KB,
	 .note = "PERF_LARGE_RAW_BASE has the same value."},
	{0x40030503u, NO_FORMULA, .name = "PERF_LARGE_RAW_BASE",
	 .meaning = "Base of PERF_LARGE_RAW_FRACTION.",
	 .source = "Windows Management Instrumentation, CounterType qualifier",
	 .note = "winperf.h has 0x40030500."},
	{PMON_PERF_COUNTER_MULTI_BASE, NO_FORMULA, .name = "PERF_COUNTER_MULTI_BASE",
	 .dotnet = "CounterMultiBase", .meaning = "Number of units of the MULTI types.",
	 .source = SDK},
	{PMON_PERF_COUNTER_HISTOGRAM_TYPE, NO_FORMULA, .name = "PERF_COUNTER_HISTOGRAM_TYPE",
	 .meaning = "Marks the beginning or end of a histogram.", .source = HDR},
};

#define N_TYPES (sizeof(table) / sizeof(table[0]))

size_t
pmon_type_count(void)
{
	return N_TYPES;
}

const struct pmon_counter_type *
pmon_type_at(size_t i)
{
	return i < N_TYPES ? &table[i] : NULL;
}

const struct pmon_counter_type *
pmon_type_by_word(uint32_t word)
{
	for (size_t i = 0; i < N_TYPES; i++)
		if (table[i].word == word)
			return &table[i];
	return NULL;
}

const char *
pmon_type_mean_flaw(const struct pmon_counter_type *type)
{
	switch (type->formula) {
	case PMON_FORMULA_NONE:
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_DOUBLE:
	case PMON_FORMULA_FRACTION:
	case PMON_FORMULA_DELTA:
		return NULL;
	case PMON_FORMULA_ELAPSED:
		return "the average of an elapsed time is its newest value";
	default:
		return type->second == PMON_SECOND_BASE
			       ? "it weights all intervals equally, regardless of the number of "
				 "operations"
			       : "it weights all intervals equally, regardless of their length";
	}
}

bool
pmon_type_follows_system_clock(const struct pmon_counter_type *type)
{
	return type != NULL &&
	       (type->second == PMON_SECOND_100NS || type->second == PMON_SECOND_OBJECT ||
		type->second == PMON_SECOND_TIMESTAMP);
}

bool
pmon_type_is_displayed(uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	return type != NULL && type->formula != PMON_FORMULA_NONE;
}
