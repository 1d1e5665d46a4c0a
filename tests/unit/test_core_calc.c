// test_core_calc.c - the displayed value of a pair: each type, each odd case, each stated vector
// SPDX-License-Identifier: MIT

#include <float.h>
#include <math.h>

#include <pmon/counter.h>

#include "t.h"

static struct pmon_calc
calc_of(uint32_t type, int64_t time_base)
{
	struct pmon_counter counter = {.type = type, .time_base = time_base};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, NULL);
	return calc;
}

static void
check_value(struct pmon_value got, double want, enum pmon_vstat status, const char *label)
{
	T_EQ_STR_AT(pmon_vstat_name(got.status), pmon_vstat_name(status), label);
	T_EQ_DBL_AT(got.value, want, label);
}

// ---- A pair of every type ----------------------------------------------------------------------

struct pair {
	const char *source;
	uint32_t type;
	int64_t older[3]; // first, second, multi
	int64_t newer[3];
	int64_t time_base;
	double want;
};

// The formula stands beside each row in the words of its source: SDK is "Calculations for Raw
// Counter Data" (which leaves times 100 to the "%"), RK the Windows NT Resource Kit, AVG the NT
// Debugging blog on averages, HDR the comments of winperf.h. Raw values are random; most are so
// large that a subtraction of doubles would lose digits. Values: Python, exact integers to each
// difference, then floats in the order that include/pmon/counter.h states, as in
// repr(100 * (1 - (n1 - n0) / (d1 - d0))); raw values were drawn until every other order, such as
// 100 * (d - n) / d or n * f / d, gave another last digit. The older number of units is another
// one, so that taking it is found out.
// clang-format off
static const struct pair pairs[] = {
	{"SDK: (N0) of the newest", PMON_PERF_COUNTER_RAWCOUNT_HEX,
	 {735, 0, 0}, {3323566263, 0, 0}, 0, 3323566263.0},
	{"SDK: (N0) of the newest", PMON_PERF_COUNTER_LARGE_RAWCOUNT_HEX,
	 {656, 0, 0}, {9008629246808533, 0, 0}, 0, 9008629246808532.0},
	{"SDK: (N0) of the newest", PMON_PERF_COUNTER_RAWCOUNT,
	 {509, 0, 0}, {2169043114, 0, 0}, 0, 2169043114.0},
	{"SDK: (N0) of the newest", PMON_PERF_COUNTER_LARGE_RAWCOUNT,
	 {150, 0, 0}, {9008075906165079, 0, 0}, 0, 9008075906165080.0},
	{"SDK: (N1-N0)", PMON_PERF_COUNTER_DELTA,
	 {1244162469, 77, 0}, {1257461301, 7, 0}, 0, 13298832.0},
	{"SDK: (N1-N0)", PMON_PERF_COUNTER_LARGE_DELTA,
	 {1707969663795662843, 77, 0}, {1707969680448702278, 7, 0}, 0, 16653039435.0},
	{"SDK: (N1-N0)/((D1-D0)/TB)", PMON_PERF_SAMPLE_COUNTER,
	 {1716619289, 3855435906596709739, 0},
	 {1724834905, 3855435919051727048, 0}, 10000000, 6596.2300944081335},
	{"SDK: (N1-N0)/(D1-D0)", PMON_PERF_COUNTER_QUEUELEN_TYPE,
	 {495901557, 3232430858492559023, 0},
	 {502482290, 3232430883897635724, 0}, 0, 0.0002590322035808287},
	{"KB269481: (X1-X0)/(Y1-Y0)", PMON_PERF_COUNTER_LARGE_QUEUELEN_TYPE,
	 {3857898894706624301, 197734042298618623, 0},
	 {3857898903221442408, 197734053113862189, 0}, 0, 0.7872978592704215},
	{"KB269481: (X1-X0)/(Y1-Y0)", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE,
	 {525733427468372141, 2506537989032383165, 0},
	 {525733442849893911, 2506538016482928267, 0}, 0, 0.5603357497217543},
	{"HDR: delta over delta time", PMON_PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE,
	 {2502009153447407541, 3573307803047596981, 0},
	 {2502009155405951752, 3573307856994612101, 0}, 0, 0.036304959721004115},
	{"SDK: (N1-N0)/((D1-D0)/TB)", PMON_PERF_COUNTER_COUNTER,
	 {479232989, 2816814752635949269, 0},
	 {494462632, 2816814769764491151, 0}, 14318180, 12730.84254993679},
	{"SDK: (N1-N0)/((D1-D0)/TB)", PMON_PERF_COUNTER_BULK_COUNT,
	 {4478520922458577781, 3199465554727068953, 0},
	 {4478520932844996871, 3199465618244973068, 0}, 2435947, 398324.9569636438},
	{"RK: (C/B) * 100", PMON_PERF_RAW_FRACTION,
	 {0, 0, 0}, {114157213, 612477201, 0}, 0, 18.638606108703136},
	{"RK: (C/B) * 100", PMON_PERF_LARGE_RAW_FRACTION,
	 {0, 0, 0}, {510369348672045717, 836338992936046732, 0}, 0, 61.02422020051296},
	{"KB269481: 100*(X1-X0)/(Y1-Y0)", PMON_PERF_COUNTER_TIMER,
	 {2080023287125664765, 4168403903977390599, 0},
	 {2080023302261397293, 4168403929627553467, 0}, 0, 59.00832913183045},
	{"HDR: delta over delta time, %", PMON_PERF_PRECISION_SYSTEM_TIMER,
	 {870144855373423371, 2976435194051208619, 0},
	 {870144868221689720, 2976435237746369696, 0}, 0, 29.404323115684754},
	{"RK: (dC / dT) * 100", PMON_PERF_100NSEC_TIMER,
	 {2765230140448874351, 1981816071567041063, 0},
	 {2765230171360968421, 1981816110101975380, 0}, 0, 80.21836449935994},
	{"KB269481: 100*(X1-X0)/(B1-B0)", PMON_PERF_PRECISION_100NS_TIMER,
	 {2025446170924070385, 1578200515003747951, 0},
	 {2025446188279535017, 1578200549681078714, 0}, 0, 50.04844447404218},
	{"HDR: delta over delta time, %", PMON_PERF_OBJ_TIME_TIMER,
	 {3529651645198124155, 4244313143329272305, 0},
	 {3529651682964447803, 4244313195381056299, 0}, 0, 72.55529157723647},
	{"HDR: delta over delta time, %", PMON_PERF_PRECISION_OBJECT_TIMER,
	 {2948787216638025371, 475107150967708361, 0},
	 {2948787259928678436, 475107209035532134, 0}, 0, 74.55187787686476},
	{"RK: (dC / dB) * 100", PMON_PERF_SAMPLE_FRACTION,
	 {892183205, 153782345, 0}, {892227377, 153857280, 0}, 0, 58.94708747581237},
	{"SDK: (1-((N1-N0)/(D1-D0))), %", PMON_PERF_COUNTER_TIMER_INV,
	 {2393126953768416321, 1220359351418760687, 0},
	 {2393126992005072063, 1220359394492369656, 0}, 0, 11.229505357865754},
	{"RK: (1 - (dC / dT)) * 100", PMON_PERF_100NSEC_TIMER_INV,
	 {936234599813693319, 2904742678607488453, 0},
	 {936234627389664005, 2904742718823666970, 0}, 0, 31.430653774467377},
	{"RK: 100 * (dC / dT) / B1", PMON_PERF_COUNTER_MULTI_TIMER,
	 {3938011120559414261, 4038547068881179295, 8},
	 {3938011219903823711, 4038547105786291993, 5}, 0, 53.837748857698934},
	{"RK: 100 * (dC / dT) / B1", PMON_PERF_100NSEC_MULTI_TIMER,
	 {1222773498682977945, 1888023956664114513, 8},
	 {1222773526699827914, 1888023967980755896, 5}, 0, 49.51442573957899},
	{"SDK: (B-((N1-N0)/(D1-D0))), %", PMON_PERF_COUNTER_MULTI_TIMER_INV,
	 {3826278725261360371, 146871130819262661, 5},
	 {3826278728316610982, 146871171845493264, 2}, 0, 192.55293365709161},
	{"SDK: (B-((N1-N0)/(D1-D0))), %", PMON_PERF_100NSEC_MULTI_TIMER_INV,
	 {2935002575254574139, 1073388825281673269, 6},
	 {2935002605496612930, 1073388861906870568, 3}, 0, 217.4283252480234},
	{"AVG: ((N1-N0)/F)/(D1-D0)", PMON_PERF_AVERAGE_TIMER,
	 {1200405409, 1544182585, 0}, {1212793989, 1544603096, 0}, 3579545, 8.230312820365478e-06},
	{"SDK: (N1-N0)/(D1-D0)", PMON_PERF_AVERAGE_BULK,
	 {4607578932484041261, 1606303194, 0},
	 {4607578947528426690, 1607288625, 0}, 0, 15266.807548169278},
	{"SDK: (D0-N0)/TB of the newest", PMON_PERF_ELAPSED_TIME,
	 {0, 0, 0}, {144865194181275888, 144865200525247720, 0}, 3579545, 1772.2844193884978},
};
// clang-format on

static struct pmon_raw
raw_of(const int64_t v[3])
{
	return (struct pmon_raw){.first = v[0], .second = v[1], .multi = (uint32_t)v[2]};
}

static void
test_every_type(void **state)
{
	size_t displayed = 0;

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++) {
		const struct pair *p = &pairs[i];
		const char *name = pmon_type_by_word(p->type)->name;
		struct pmon_calc calc = calc_of(p->type, p->time_base);
		struct pmon_raw older = raw_of(p->older);
		struct pmon_raw newer = raw_of(p->newer);

		check_value(pmon_calc_value(&calc, &older, &newer), p->want, PMON_V_OK, name);
		if (pmon_calc_needs_two(&calc))
			check_value(pmon_calc_value(&calc, NULL, &newer), 0, PMON_V_FIRST, name);
		else
			check_value(pmon_calc_value(&calc, NULL, &newer), p->want, PMON_V_OK, name);
	}
	for (size_t i = 0; i < pmon_type_count(); i++)
		displayed += pmon_type_at(i)->formula != PMON_FORMULA_NONE;
	T_EQ_U64(T_LEN(pairs) + 1, displayed); // PERF_DOUBLE_RAW has its own test
}

// Only VALID and NEW raw values are used; the newer one's status decides for types of one sample.
// Source: the documentation of PdhCalculateCounterFromRawValue.
static void
test_raw_statuses_of_every_type(void **state)
{
	static const uint32_t bad[] = {PMON_RAW_NO_MACHINE, PMON_RAW_NO_INSTANCE,
				       PMON_RAW_NO_OBJECT,  PMON_RAW_NO_COUNTER,
				       PMON_RAW_INVALID,    2,
				       0x800007D3u};

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++) {
		const char *name = pmon_type_by_word(pairs[i].type)->name;
		struct pmon_calc calc = calc_of(pairs[i].type, pairs[i].time_base);
		struct pmon_raw older = raw_of(pairs[i].older);
		struct pmon_raw newer = raw_of(pairs[i].newer);

		newer.status = PMON_RAW_NEW;
		check_value(pmon_calc_value(&calc, &older, &newer), pairs[i].want, PMON_V_OK, name);
		for (size_t k = 0; k < T_LEN(bad); k++) {
			newer.status = bad[k];
			older.status = PMON_RAW_VALID;
			check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_BAD_RAW,
				    name);
			newer.status = PMON_RAW_VALID;
			older.status = bad[k];
			if (pmon_calc_needs_two(&calc))
				check_value(pmon_calc_value(&calc, &older, &newer), 0,
					    PMON_V_BAD_RAW, name);
			else
				check_value(pmon_calc_value(&calc, &older, &newer), pairs[i].want,
					    PMON_V_OK, name);
		}
	}
}

// Rule 4: a time base that is needed and not above 0. Which formulas have it: "Calculations
// for Raw Counter Data" (TB).
static void
test_time_base_of_every_type(void **state)
{
	static const int64_t bad[] = {0, -1, INT64_MIN};

	(void)state;
	for (size_t i = 0; i < T_LEN(pairs); i++) {
		const char *name = pmon_type_by_word(pairs[i].type)->name;
		struct pmon_raw older = raw_of(pairs[i].older);
		struct pmon_raw newer = raw_of(pairs[i].newer);

		for (size_t k = 0; k < T_LEN(bad); k++) {
			struct pmon_calc calc = calc_of(pairs[i].type, bad[k]);
			struct pmon_value got = pmon_calc_value(&calc, &older, &newer);

			if (pairs[i].time_base != 0)
				check_value(got, 0, PMON_V_BAD_TIME_BASE, name);
			else
				check_value(got, pairs[i].want, PMON_V_OK, name);
		}
	}
}

// Rule 1: bases, labels and texts are not computed.
static void
test_types_that_are_not_displayed(void **state)
{
	struct pmon_raw older = {.first = 1, .second = 1};
	struct pmon_raw newer = {.first = 2, .second = 2};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		struct pmon_calc calc = calc_of(type->word, 1);

		if (type->formula != PMON_FORMULA_NONE)
			continue;
		check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_NOT_DISPLAYED,
			    type->name);
		check_value(pmon_calc_value(&calc, NULL, &newer), 0, PMON_V_NOT_DISPLAYED,
			    type->name);
	}
}

// ---- Odd cases ---------------------------------------------------------------------------------

struct edge {
	const char *source;
	uint32_t type;
	int64_t time_base;
	uint8_t size_bytes;
	enum pmon_policy policy;
	int64_t older[3]; // first, second, multi
	int64_t newer[3];
	double want;
	enum pmon_vstat status;
	enum pmon_policy decided; // the policy that the value names
};

#define RATE    PMON_PERF_COUNTER_COUNTER
#define BULK    PMON_PERF_COUNTER_BULK_COUNT
#define TIMER   PMON_PERF_100NSEC_TIMER
#define INVERSE PMON_PERF_100NSEC_TIMER_INV
#define AVERAGE PMON_PERF_AVERAGE_TIMER
#define STRICT  .policy = PMON_POLICY_STRICT
#define CLAMP   .policy = PMON_POLICY_CLAMP
#define BY(p)   .decided = PMON_POLICY_##p
#define MAX32   INT64_C(0xFFFFFFFF)

// Rule numbers are those of docs/counters.md, "How a value is computed"; sources are named there.
static const struct edge edges[] = {
	// Rule 5: 32-bit counters wrap. KB177655: from FFFFFF80 to C0 are 140 (hex) in a second.
	{"KB177655", RATE, 1, 0, .older = {0xFFFFFF80, 0}, .newer = {0xC0, 1}, .want = 320,
	 .status = PMON_V_WRAPPED},
	{"KB177655, size known", RATE, 1, 4, .older = {0xFFFFFF80, 0}, .newer = {0xC0, 1},
	 .want = 320, .status = PMON_V_WRAPPED},
	{"KB177655, no wrap", RATE, 1, 0, .older = {0x100, 0}, .newer = {0x200, 1}, .want = 256},
	{"rule 5: from the last to the first", RATE, 1, 0, .older = {MAX32, 0}, .newer = {0, 1},
	 .want = 1, .status = PMON_V_WRAPPED},
	// The shorter way decides: 2^31 - 1 forward is a wrap, 2^31 forward a reset.
	{"rule 5: as far as a wrap goes", RATE, 1, 0, .older = {0x80000001, 0}, .newer = {0, 1},
	 .want = 0x7FFFFFFF, .status = PMON_V_WRAPPED},
	{"rule 5: a step back", RATE, 1, 0, .older = {0x80000000, 0}, .newer = {0, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: a small step back", RATE, 1, 0, .older = {1, 0}, .newer = {0, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: no change", RATE, 1, 0, .older = {7, 0}, .newer = {7, 1}, .want = 0},
	{"rule 5: strict refuses a wrap", RATE, 1, 0, STRICT, .older = {0xFFFFFF80, 0},
	 .newer = {0xC0, 1}, .status = PMON_V_COUNTER_BACK, BY(STRICT)},
	{"rule 5: strict, no wrap", RATE, 1, 0, STRICT, .older = {0x100, 0}, .newer = {0x200, 1},
	 .want = 256},
	{"rule 5: clamp counts a wrap through", RATE, 1, 0, CLAMP, .older = {0xFFFFFF80, 0},
	 .newer = {0xC0, 1}, .want = 320, .status = PMON_V_WRAPPED},

	// Rule 5: the width is CounterSize, else the size field; wide values are never wrapped.
	{"rule 5: DWORD type that holds 8 bytes", RATE, 1, 8, .older = {0xFFFFFF80, 0},
	 .newer = {0xC0, 1}, .status = PMON_V_COUNTER_BACK},
	{"rule 5: LARGE type that holds 4 bytes", BULK, 1, 4, .older = {0xFFFFFF80, 0},
	 .newer = {0xC0, 1}, .want = 320, .status = PMON_V_WRAPPED},
	{"rule 5: older wide", RATE, 1, 0, .older = {MAX32 + 1, 0}, .newer = {0xC0, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: both wide", RATE, 1, 0, .older = {MAX32 + 9, 0}, .newer = {MAX32 + 8, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: wide, forward", RATE, 1, 0, .older = {MAX32, 0}, .newer = {MAX32 + 5, 1},
	 .want = 5},
	{"rule 5: wide, size 4", RATE, 1, 4, .older = {MAX32 + 9, 0}, .newer = {MAX32 + 8, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: wide, forward, size 8", RATE, 1, 8, .older = {MAX32, 0}, .newer = {MAX32 + 5, 1},
	 .want = 5},
	{"rule 5: negative is no 32-bit value", RATE, 1, 0, .older = {1, 0}, .newer = {-1, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: wide, strict decides nothing", RATE, 1, 0, STRICT, .older = {MAX32 + 1, 0},
	 .newer = {0xC0, 1}, .status = PMON_V_COUNTER_BACK},
	{"rule 5: PERF_AVERAGE_TIMER holds 64 bits", AVERAGE, 2, 0, .older = {MAX32 - 1, 5},
	 .newer = {MAX32 + 7, 7}, .want = 2}, // (8 / 2) / 2

	// Rule 5: 64-bit counters never wrap.
	{"rule 5: 64 bits back", BULK, 1, 0, .older = {2, 0}, .newer = {1, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: 64 bits back, strict", BULK, 1, 0, STRICT, .older = {2, 0}, .newer = {1, 1},
	 .status = PMON_V_COUNTER_BACK},
	{"policies: 64 bits back, clamp", BULK, 1, 0, CLAMP, .older = {2, 0}, .newer = {1, 1},
	 .status = PMON_V_CLAMPED, BY(CLAMP)},
	{"rule 5: from end to end", BULK, 1, 0, .older = {INT64_MIN, 0}, .newer = {INT64_MAX, 1},
	 .want = 18446744073709551615.0},
	{"rule 5: from end to end, back", BULK, 1, 0, .older = {INT64_MAX, 0},
	 .newer = {INT64_MIN, 1}, .status = PMON_V_COUNTER_BACK},

	// Rule 5: winperf.h allows no negative delta, at either width.
	{"rule 5: delta back", PMON_PERF_COUNTER_DELTA, .older = {15}, .newer = {5},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: delta back, size 4", PMON_PERF_COUNTER_DELTA, 0, 4, .older = {15}, .newer = {5},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 5: delta back, strict decides nothing", PMON_PERF_COUNTER_DELTA, 0, 4, STRICT,
	 .older = {15}, .newer = {5}, .status = PMON_V_COUNTER_BACK},
	{"rule 5: delta back, clamp", PMON_PERF_COUNTER_DELTA, 0, 4, CLAMP, .older = {15},
	 .newer = {5}, .status = PMON_V_CLAMPED, BY(CLAMP)},
	{"rule 5: large delta back", PMON_PERF_COUNTER_LARGE_DELTA, .older = {15}, .newer = {5},
	 .status = PMON_V_COUNTER_BACK},
	{"SDK: a delta has no clock", PMON_PERF_COUNTER_DELTA, .older = {5, 9}, .newer = {15, 3},
	 .want = 10},

	// Rule 6: clocks never wrap, not even small ones; 32-bit bases do.
	{"rule 6: clock back", RATE, 1, 0, .older = {1, 9}, .newer = {2, 8},
	 .status = PMON_V_CLOCK_BACK},
	{"rule 6: clock back, clamp", RATE, 1, 0, CLAMP, .older = {1, 9}, .newer = {2, 8},
	 .status = PMON_V_CLOCK_BACK},
	{"rule 6: clock back, strict", RATE, 1, 0, STRICT, .older = {1, 9}, .newer = {2, 8},
	 .status = PMON_V_CLOCK_BACK},
	{"rule 6: both back", BULK, 1, 0, .older = {2, 9}, .newer = {1, 8},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 6: precision time stamp back", PMON_PERF_PRECISION_100NS_TIMER, 0, 0,
	 .older = {1, 9}, .newer = {2, 8}, .status = PMON_V_CLOCK_BACK},
	{"rule 6: base wraps", AVERAGE, 1, 0, .older = {0, MAX32}, .newer = {10, 1}, .want = 5,
	 .status = PMON_V_WRAPPED}, // 10 / 2
	{"rule 6: counter and base wrap", PMON_PERF_SAMPLE_FRACTION, 0, 0,
	 .older = {MAX32 - 1, MAX32 - 7}, .newer = {1, 4}, .want = 25,
	 .status = PMON_V_WRAPPED}, // 100 * 3 / 12
	{"rule 6: strict refuses the wrap of a base", AVERAGE, 1, 0, STRICT, .older = {0, MAX32},
	 .newer = {10, 1}, .status = PMON_V_BASE_BACK, BY(STRICT)},
	{"rule 6: wide base back", AVERAGE, 1, 0, .older = {0, MAX32 + 1}, .newer = {10, 1},
	 .status = PMON_V_BASE_BACK},
	{"rule 6: wide base back, strict decides nothing", AVERAGE, 1, 0, STRICT,
	 .older = {0, MAX32 + 1}, .newer = {10, 1}, .status = PMON_V_BASE_BACK},
	{"rule 6: wide base back, clamp", PMON_PERF_AVERAGE_BULK, 0, 0, CLAMP,
	 .older = {0, MAX32 + 1}, .newer = {10, 1}, .status = PMON_V_BASE_BACK},
	{"rule 6: the base's width is not the counter's", PMON_PERF_AVERAGE_BULK, 0, 8,
	 .older = {0, MAX32}, .newer = {10, 1}, .want = 5, .status = PMON_V_WRAPPED},

	// Rule 7: zero denominators.
	{"NT Debugging: no operation is 0", AVERAGE, 14318180, 0, .older = {2147727, 1},
	 .newer = {2147727, 1}, .status = PMON_V_BASE_ZERO},
	{"NT Debugging: no operation is 0, whatever dN", AVERAGE, 14318180, 0, .older = {5, 1},
	 .newer = {2147727, 1}, .status = PMON_V_BASE_ZERO},
	{"rule 7: AVERAGE_BULK", PMON_PERF_AVERAGE_BULK, 0, 0, .older = {5, 1}, .newer = {6, 1},
	 .status = PMON_V_BASE_ZERO},
	{"rule 7: SAMPLE_FRACTION", PMON_PERF_SAMPLE_FRACTION, 0, 0, .older = {5, 1},
	 .newer = {6, 1}, .status = PMON_V_BASE_ZERO},
	{"rule 7: RAW_FRACTION", PMON_PERF_RAW_FRACTION, .newer = {6, 0},
	 .status = PMON_V_BASE_ZERO},
	{"rule 7: LARGE_RAW_FRACTION", PMON_PERF_LARGE_RAW_FRACTION, .newer = {6, 0},
	 .status = PMON_V_BASE_ZERO},
	{"winperf.h: the base is to be above 0", PMON_PERF_LARGE_RAW_FRACTION, .newer = {6, -3},
	 .status = PMON_V_BASE_BACK},
	{"rule 7: no time, rate", RATE, 1, 0, .older = {5, 1}, .newer = {6, 1},
	 .status = PMON_V_NO_DATA},
	{"rule 7: no time, queue", PMON_PERF_COUNTER_100NS_QUEUELEN_TYPE, .older = {5, 1},
	 .newer = {6, 1}, .status = PMON_V_NO_DATA},
	{"rule 7: no time, timer", TIMER, .older = {5, 1}, .newer = {5, 1},
	 .status = PMON_V_NO_DATA},
	{"rule 7: no time, precision timer", PMON_PERF_PRECISION_100NS_TIMER, .older = {5, 1},
	 .newer = {6, 1}, .status = PMON_V_NO_DATA},
	{"rule 7: no time, inverse", INVERSE, .older = {5, 1}, .newer = {6, 1},
	 .status = PMON_V_NO_DATA},
	{"rule 7: no units", PMON_PERF_COUNTER_MULTI_TIMER, .older = {5, 1, 2}, .newer = {6, 2, 0},
	 .status = PMON_V_NO_DATA},
	{"rule 7: no units, inverse", PMON_PERF_100NSEC_MULTI_TIMER_INV, .older = {5, 1, 2},
	 .newer = {6, 2, 0}, .status = PMON_V_NO_DATA},
	{"rule 7: units of the newer count", PMON_PERF_COUNTER_MULTI_TIMER, .older = {5, 1, 0},
	 .newer = {9, 2, 4}, .want = 100}, // 100 * ((4 / 1) / 4)
	{"SDK: nothing used is 0 %", TIMER, .older = {5, 1}, .newer = {5, 2}, .want = 0},
	{"SDK: nothing idle is 100 %", INVERSE, .older = {5, 1}, .newer = {5, 2}, .want = 100},

	// Rule 8: inverse results below zero.
	{"rule 8", INVERSE, .older = {0, 0}, .newer = {11, 10}, .status = PMON_V_BELOW_ZERO},
	{"rule 8: strict", INVERSE, 0, 0, STRICT, .older = {0, 0}, .newer = {11, 10},
	 .status = PMON_V_BELOW_ZERO},
	{"rule 8: clamp", INVERSE, 0, 0, CLAMP, .older = {0, 0}, .newer = {11, 10},
	 .status = PMON_V_CLAMPED, BY(CLAMP)},
	{"rule 8: just zero", INVERSE, .older = {0, 0}, .newer = {10, 10}, .want = 0},
	{"rule 8: MULTI", PMON_PERF_100NSEC_MULTI_TIMER_INV, .older = {0, 0, 2},
	 .newer = {21, 10, 2}, .status = PMON_V_BELOW_ZERO},
	{"rule 8: MULTI, clamp", PMON_PERF_COUNTER_MULTI_TIMER_INV, 0, 0, CLAMP, .older = {0, 0, 2},
	 .newer = {21, 10, 2}, .status = PMON_V_CLAMPED, BY(CLAMP)},

	// Rule 9: elapsed time.
	{"rule 9: start 0", PMON_PERF_ELAPSED_TIME, 10, 0, .newer = {0, 500}, .want = 0},
	{"rule 9: started now", PMON_PERF_ELAPSED_TIME, 10, 0, .newer = {500, 500}, .want = 0},
	{"rule 9", PMON_PERF_ELAPSED_TIME, 10, 0, .newer = {475, 500}, .want = 2.5},
	{"rule 9: start in the future", PMON_PERF_ELAPSED_TIME, 10, 0, .newer = {501, 500},
	 .status = PMON_V_BELOW_ZERO},
	{"rule 9: start in the future, clamp", PMON_PERF_ELAPSED_TIME, 10, 0, CLAMP,
	 .newer = {501, 500}, .status = PMON_V_CLAMPED, BY(CLAMP)},
	{"rule 9: start in the future, both small", PMON_PERF_ELAPSED_TIME, 10, 4, .newer = {2, 1},
	 .status = PMON_V_BELOW_ZERO},

	// Rule 4 before rules 5 and 6; rule 5 before rule 6 before rule 7.
	{"rule 4 before 5", BULK, 0, 0, .older = {2, 9}, .newer = {1, 8},
	 .status = PMON_V_BAD_TIME_BASE},
	{"rule 5 before 7", BULK, 1, 0, .older = {2, 9}, .newer = {1, 9},
	 .status = PMON_V_COUNTER_BACK},
	{"rule 4 before 9", PMON_PERF_ELAPSED_TIME, 0, 0, .newer = {0, 1},
	 .status = PMON_V_BAD_TIME_BASE},

	// Raw counts have a sign; 32-bit ones come zero-extended.
	{"PDH: a raw value is a LONGLONG", PMON_PERF_COUNTER_LARGE_RAWCOUNT, .newer = {-5},
	 .want = -5},
	{"PDH: a 32-bit count", PMON_PERF_COUNTER_RAWCOUNT, .newer = {MAX32}, .want = 4294967295.0},
	{".NET CounterSampleTests: one sample", PMON_PERF_COUNTER_RAWCOUNT, .newer = {5},
	 .want = 5},
};

static void
test_odd_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < T_LEN(edges); i++) {
		const struct edge *e = &edges[i];
		struct pmon_counter counter = {
			.type = e->type, .time_base = e->time_base, .size_bytes = e->size_bytes};
		struct pmon_calc_options options = {.policy = e->policy};
		struct pmon_raw older = raw_of(e->older);
		struct pmon_raw newer = raw_of(e->newer);
		struct pmon_calc calc;
		struct pmon_value got;

		pmon_calc_init(&calc, &counter, &options);
		got = pmon_calc_value(&calc, &older, &newer);
		check_value(got, e->want, e->status, e->source);
		T_EQ_STR_AT(pmon_policy_name(got.policy), pmon_policy_name(e->decided), e->source);
	}
}

// Rule 2 before rule 3: a bad value is reported as such even when it is the first.
static void
test_first_and_bad(void **state)
{
	struct pmon_calc calc = calc_of(RATE, 0); // the bad time base comes after both
	struct pmon_raw raw = {.first = 1, .second = 1};

	(void)state;
	check_value(pmon_calc_value(&calc, NULL, &raw), 0, PMON_V_FIRST, "first");
	raw.status = PMON_RAW_NO_INSTANCE;
	check_value(pmon_calc_value(&calc, NULL, &raw), 0, PMON_V_BAD_RAW, "first and bad");
}

// ---- PERF_DOUBLE_RAW ---------------------------------------------------------------------------

static struct pmon_value
value_of_double(double number)
{
	struct pmon_calc calc = calc_of(PMON_PERF_DOUBLE_RAW, 0);
	struct pmon_raw raw = {0};

	memcpy(&raw.first, &number, sizeof(raw.first));
	return pmon_calc_value(&calc, NULL, &raw);
}

// Rule 10: never NaN or infinite. From 2^80 on there is no room in the exact sums (src/core/sum.h).
static void
test_double_raw(void **state)
{
	struct pmon_calc calc = calc_of(PMON_PERF_DOUBLE_RAW, 0);
	// Python: struct.unpack('<q', struct.pack('<d', 37.5))
	struct pmon_raw raw = {.first = INT64_C(4630474473122824192)};

	(void)state;
	check_value(pmon_calc_value(&calc, NULL, &raw), 37.5, PMON_V_OK, "37.5");
	check_value(value_of_double(-0.1), -0.1, PMON_V_OK, "-0.1");
	check_value(value_of_double(0), 0, PMON_V_OK, "0");
	check_value(value_of_double(DBL_TRUE_MIN), DBL_TRUE_MIN, PMON_V_OK, "smallest");
	check_value(value_of_double(0x1.fffffffffffffp79), 0x1.fffffffffffffp79, PMON_V_OK,
		    "below 2^80");
	check_value(value_of_double(0x1p80), 0, PMON_V_NOT_FINITE, "2^80");
	check_value(value_of_double(-0x1p80), 0, PMON_V_NOT_FINITE, "-2^80");
	check_value(value_of_double(DBL_MAX), 0, PMON_V_NOT_FINITE, "largest");
	check_value(value_of_double((double)INFINITY), 0, PMON_V_NOT_FINITE, "inf");
	check_value(value_of_double(-(double)INFINITY), 0, PMON_V_NOT_FINITE, "-inf");
	check_value(value_of_double((double)NAN), 0, PMON_V_NOT_FINITE, "nan");
}

// ---- Options -----------------------------------------------------------------------------------

static struct pmon_value
value_with(uint32_t type, const struct pmon_raw *newer, int32_t scale,
	   const struct pmon_calc_options *options)
{
	struct pmon_counter counter = {.type = type, .time_base = 1, .default_scale = scale};
	struct pmon_raw zero = {.multi = 1};
	struct pmon_calc calc;

	pmon_calc_init(&calc, &counter, options);
	return pmon_calc_value(&calc, &zero, newer);
}

// Every percentage is capped but those of the MULTI types, and nothing else is: the documentation
// of PDH_FMT_NOCAP100; winperf.h, "can exceed 100%".
static void
test_cap_100(void **state)
{
	const struct pmon_calc_options cap = {.cap_100 = true};
	// 155 %: two threads at 75 % and 80 %, "Collecting Performance Data"
	const struct pmon_raw raw = {.first = 155, .second = 100, .multi = 1};
	const struct pmon_raw just = {.first = 100, .second = 100, .multi = 1};

	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		double plain = value_with(type->word, &raw, 0, NULL).value;
		double capped = value_with(type->word, &raw, 0, &cap).value;

		if (type->formula == PMON_FORMULA_PERCENT ||
		    type->formula == PMON_FORMULA_FRACTION) {
			T_EQ_DBL_AT(plain, 155, type->name);
			T_EQ_DBL_AT(capped, 100, type->name);
			T_EQ_DBL_AT(value_with(type->word, &just, 0, &cap).value, 100, type->name);
		} else {
			T_EQ_DBL_AT(capped, plain, type->name);
		}
	}
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_MULTI_TIMER, &raw, 0, &cap).value, 155);
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, 0, &cap).value, 155);
	T_EQ_DBL(value_with(BULK, &(struct pmon_raw){.first = 1000, .second = 1}, 0, &cap).value,
		 1000); // telegraf PR 2483: rates above 100 are not capped
	T_EQ_DBL(value_with(PMON_PERF_100NSEC_MULTI_TIMER_INV,
			    &(struct pmon_raw){.first = 0, .second = 100, .multi = 3}, 0, &cap)
			 .value,
		 300);
}

// PdhSetCounterScaleFactor takes -7..7; beyond is kept and not applied.
static void
test_default_scale(void **state)
{
	const struct pmon_calc_options scale = {.default_scale = true};
	const struct pmon_raw raw = {.first = 12345};
	// 12345 with the point moved
	static const double want[] = {0.0012345, 0.012345, 0.12345,  1.2345,    12.345,
				      123.45,    1234.5,   12345,    123450,    1234500,
				      12345000,  1.2345e8, 1.2345e9, 1.2345e10, 1.2345e11};

	(void)state;
	for (int32_t s = -7; s <= 7; s++) {
		T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, s, &scale).value,
			 want[s + 7]);
		T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, s, NULL).value, 12345);
	}
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, 8, &scale).value, 12345);
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, -8, &scale).value, 12345);
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, 10, &scale).value, 12345);
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, INT32_MAX, &scale).value, 12345);
	T_EQ_DBL(value_with(PMON_PERF_COUNTER_RAWCOUNT, &raw, INT32_MIN, &scale).value, 12345);
}

// Cap, then scale, then times 1000: docs/counters.md, "Options".
static void
test_order_of_options(void **state)
{
	const struct pmon_calc_options thousand = {.times_1000 = true};
	const struct pmon_calc_options cap_scale = {.cap_100 = true, .default_scale = true};
	const struct pmon_calc_options cap_1000 = {.cap_100 = true, .times_1000 = true};
	const struct pmon_calc_options all = {
		.cap_100 = true, .default_scale = true, .times_1000 = true};
	const struct pmon_raw raw = {.first = 155, .second = 100};
	const struct pmon_raw half = {.first = 50, .second = 100};

	(void)state;
	T_EQ_DBL(value_with(TIMER, &raw, 0, &thousand).value, 155000);
	T_EQ_DBL(value_with(TIMER, &raw, 1, &cap_scale).value, 1000); // not 100: the cap is first
	T_EQ_DBL(value_with(TIMER, &half, 1, &cap_scale).value, 500);
	T_EQ_DBL(value_with(TIMER, &raw, -1, &cap_scale).value, 10); // not 15.5
	T_EQ_DBL(value_with(TIMER, &half, 0, &cap_1000).value, 50000);
	T_EQ_DBL(value_with(TIMER, &raw, -1, &all).value, 10000);
	// Scale before times 1000 shows in the last digit: Python, v = 100 * (3 / 1000):
	// (v / 1e7 * 1000).hex(); v * 1000 / 1e7 ends in 9.
	T_EQ_DBL(value_with(PMON_PERF_RAW_FRACTION, &(struct pmon_raw){.first = 3, .second = 1000},
			    -7, &all)
			 .value,
		 0x1.f75104d551d68p-16);
}

static void
test_options_and_statuses(void **state)
{
	const struct pmon_calc_options all = {.policy = PMON_POLICY_CLAMP,
					      .cap_100 = true,
					      .default_scale = true,
					      .times_1000 = true};
	struct pmon_counter counter = {.type = RATE, .time_base = 1, .default_scale = 2};
	struct pmon_raw older = {.first = 0xFFFFFF80, .second = 0};
	struct pmon_raw newer = {.first = 0xC0, .second = 1};
	struct pmon_calc calc;

	(void)state;
	pmon_calc_init(&calc, &counter, &all);
	// A wrapped value is scaled and stays wrapped (KB177655: 320).
	check_value(pmon_calc_value(&calc, &older, &newer), 320.0 * 100 * 1000, PMON_V_WRAPPED, "");
	// 0 stays 0.
	counter.type = INVERSE;
	pmon_calc_init(&calc, &counter, &all);
	newer.first = INT64_C(0x100000000);
	check_value(pmon_calc_value(&calc, &older, &newer), 0, PMON_V_CLAMPED, "");
}

// The PDH codes: pdhmsg.h, by the meanings that the documentation of PDH gives them.
static void
test_names_and_codes(void **state)
{
	static const struct {
		enum pmon_vstat status;
		const char *name;
		uint32_t pdh;
		bool number;
	} want[] = {
		{PMON_V_OK, "ok", 0, true},
		{PMON_V_WRAPPED, "wrapped", 0, true},
		{PMON_V_BASE_ZERO, "base_zero", 0, true},
		{PMON_V_CLAMPED, "clamped", 0, true},
		{PMON_V_FIRST, "first_sample", 0xC0000BBAu, false},
		{PMON_V_NO_DATA, "no_data", 0x800007D5u, false},
		{PMON_V_COUNTER_BACK, "counter_went_back", 0x800007D8u, false},
		{PMON_V_CLOCK_BACK, "clock_went_back", 0x800007D6u, false},
		{PMON_V_BASE_BACK, "base_went_back", 0x800007D6u, false},
		{PMON_V_BELOW_ZERO, "below_zero", 0x800007D8u, false},
		{PMON_V_BAD_TIME_BASE, "bad_time_base", 0x800007D7u, false},
		{PMON_V_BAD_RAW, "bad_raw_status", 0xC0000BC6u, false},
		{PMON_V_NOT_FINITE, "not_finite", 0xC0000BC6u, false},
		{PMON_V_NOT_DISPLAYED, "not_displayed", 0xC0000BBDu, false},
		{PMON_V_UNKNOWN_TYPE, "unknown_type", 0xC0000BBEu, false},
	};

	(void)state;
	T_EQ_U64(T_LEN(want), PMON_V_COUNT);
	for (size_t i = 0; i < T_LEN(want); i++) {
		T_EQ_U64(want[i].status, i);
		T_EQ_STR(pmon_vstat_name(want[i].status), want[i].name);
		T_EQ_U64_AT(pmon_vstat_pdh(want[i].status), want[i].pdh, want[i].name);
		T_EQ_BOOL_AT(pmon_vstat_has_value(want[i].status), want[i].number, want[i].name);
		assert_true(pmon_vstat_text(want[i].status)[0] != '\0');
	}
	T_EQ_STR(pmon_vstat_name((enum pmon_vstat)PMON_V_COUNT), "undefined");
	T_EQ_STR(pmon_vstat_text((enum pmon_vstat)PMON_V_COUNT), "undefined");
	T_EQ_STR(pmon_policy_name(PMON_POLICY_DEFAULT), "default");
	T_EQ_STR(pmon_policy_name(PMON_POLICY_STRICT), "strict");
	T_EQ_STR(pmon_policy_name(PMON_POLICY_CLAMP), "clamp");
}

// The words of PDH_CSTATUS_... and PDH_... in pdhmsg.h, in lower case.
static void
test_names_of_raw_statuses(void **state)
{
	static const struct {
		uint32_t status;
		const char *name;
	} rows[] = {
		{0, "valid_data"},
		{1, "new_data"},
		{0x800007D0u, "no_machine"},
		{0x800007D1u, "no_instance"},
		{0x800007D3u, "item_not_validated"},
		{0x800007D5u, "no_data"},
		{0xC0000BB8u, "no_object"},
		{0xC0000BB9u, "no_counter"},
		{0xC0000BBAu, "invalid_data"},
	};
	uint32_t back;

	(void)state;
	for (size_t i = 0; i < T_LEN(rows); i++) {
		T_EQ_STR(pmon_raw_status_name(rows[i].status), rows[i].name);
		assert_true(pmon_raw_status_by_name(t_span(rows[i].name), &back));
		T_EQ_U64(back, rows[i].status);
	}
	assert_null(pmon_raw_status_name(2));
	assert_false(pmon_raw_status_by_name(t_span("valid"), &back));
	T_EQ_U64(back, PMON_RAW_INVALID);
}

// ---- 32-bit raw values in signed numbers --------------------------------------------------------

static void
check_extended(uint32_t word, uint8_t size, int64_t first, int64_t second, int64_t want_first,
	       int64_t want_second)
{
	struct pmon_counter counter = {.type = word, .size_bytes = size};
	struct pmon_raw raw = {.first = first, .second = second};
	char label[64];

	snprintf(label, sizeof(label), "0x%08X size %u", (unsigned)word, size);
	pmon_raw_zero_extend(&counter, &raw);
	T_EQ_I64_AT(raw.first, want_first, label);
	T_EQ_I64_AT(raw.second, want_second, label);
}

// winperf.h: PERF_SIZE_DWORD is bits 8 and 9 of the word being 0, and a DWORD is unsigned. The bases
// that are DWORDs are PERF_RAW_BASE, PERF_SAMPLE_BASE and PERF_AVERAGE_BASE.
static void
test_zero_extend(void **state)
{
	(void)state;
	for (size_t i = 0; i < pmon_type_count(); i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);
		bool dword = (type->word & 0x300u) == 0 && type->word != PMON_PERF_DOUBLE_RAW;
		bool base = type->base_name != NULL && type->second == PMON_SECOND_BASE &&
			    strcmp(type->base_name, "PERF_LARGE_RAW_BASE") != 0;

		check_extended(type->word, 0, -1, -1, dword ? 4294967295 : -1,
			       base ? 4294967295 : -1);
		check_extended(type->word, 0, INT32_MIN, 0, dword ? 2147483648 : INT32_MIN, 0);
		check_extended(type->word, 0, INT64_C(-2147483649), 0, INT64_C(-2147483649), 0);
		check_extended(type->word, 0, 4294967295, 4294967295, 4294967295, 4294967295);
		check_extended(type->word, 0, 0, -2, 0, base ? 4294967294 : -2);
	}
}

static void
test_zero_extend_by_size(void **state)
{
	(void)state;
	// The definition of the counter knows its width better than the word.
	check_extended(PMON_PERF_AVERAGE_TIMER, 8, -5, 1, -5, 1);
	check_extended(PMON_PERF_COUNTER_LARGE_RAWCOUNT, 4, -5, 0, 4294967291, 0);
	check_extended(PMON_PERF_DOUBLE_RAW, 4, -5, 0, -5, 0);
	check_extended(0x12345678u, 4, -5, -5, -5, -5); // unknown: nothing is computed with it
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type),
		cmocka_unit_test(test_raw_statuses_of_every_type),
		cmocka_unit_test(test_time_base_of_every_type),
		cmocka_unit_test(test_types_that_are_not_displayed),
		cmocka_unit_test(test_odd_cases),
		cmocka_unit_test(test_first_and_bad),
		cmocka_unit_test(test_double_raw),
		cmocka_unit_test(test_cap_100),
		cmocka_unit_test(test_default_scale),
		cmocka_unit_test(test_order_of_options),
		cmocka_unit_test(test_options_and_statuses),
		cmocka_unit_test(test_names_and_codes),
		cmocka_unit_test(test_names_of_raw_statuses),
		cmocka_unit_test(test_zero_extend),
		cmocka_unit_test(test_zero_extend_by_size),
	};

	return cmocka_run_group_tests_name("core_calc", tests, NULL, NULL);
}
