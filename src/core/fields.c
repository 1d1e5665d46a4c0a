// fields.c - the fields of a type word
// SPDX-License-Identifier: MIT
//
// bits   0-7    ordinal (1, 2, 3 on the old bases, else 0)
//        8-9    size        12-15 reserved
//       10-11   type        16-19 subtype, by type
//       20-21   timer       22 delta counter, 23 delta base, 24 inverse, 25 multi
//       28-30   display     31 histogram
// Source: winperf.h; Windows NT Resource Kit, table 12.3.

#include <pmon/counter.h>

#define RESERVED_BITS 0x0C00F000u

void
pmon_type_decode(uint32_t word, struct pmon_type_fields *out)
{
	*out = (struct pmon_type_fields){
		.ordinal = (uint8_t)(word & 0xFF),
		.size = (uint8_t)(word >> 8 & 3),
		.type = (uint8_t)(word >> 10 & 3),
		.subtype = (uint8_t)(word >> 16 & 15),
		.timer = (uint8_t)(word >> 20 & 3),
		.delta_counter = (word & 0x00400000u) != 0,
		.delta_base = (word & 0x00800000u) != 0,
		.inverse = (word & 0x01000000u) != 0,
		.multi = (word & 0x02000000u) != 0,
		.display = (uint8_t)(word >> 28 & 7),
		.histogram = (word & 0x80000000u) != 0,
		.reserved = word & RESERVED_BITS,
	};
}

const char *
pmon_type_size_name(const struct pmon_type_fields *fields)
{
	static const char *const names[] = {"PERF_SIZE_DWORD", "PERF_SIZE_LARGE", "PERF_SIZE_ZERO",
					    "PERF_SIZE_VARIABLE_LEN"};

	return names[fields->size & 3];
}

const char *
pmon_type_type_name(const struct pmon_type_fields *fields)
{
	static const char *const names[] = {"PERF_TYPE_NUMBER", "PERF_TYPE_COUNTER",
					    "PERF_TYPE_TEXT", "PERF_TYPE_ZERO"};

	return names[fields->type & 3];
}

const char *
pmon_type_subtype_name(const struct pmon_type_fields *fields)
{
	static const char *const numbers[] = {"PERF_NUMBER_HEX", "PERF_NUMBER_DECIMAL",
					      "PERF_NUMBER_DEC_1000"};
	static const char *const counters[] = {"PERF_COUNTER_VALUE",     "PERF_COUNTER_RATE",
					       "PERF_COUNTER_FRACTION",  "PERF_COUNTER_BASE",
					       "PERF_COUNTER_ELAPSED",   "PERF_COUNTER_QUEUELEN",
					       "PERF_COUNTER_HISTOGRAM", "PERF_COUNTER_PRECISION"};
	static const char *const texts[] = {"PERF_TEXT_UNICODE", "PERF_TEXT_ASCII"};

	if (fields->type == 0 && fields->subtype < 3)
		return numbers[fields->subtype];
	if (fields->type == 1 && fields->subtype < 8)
		return counters[fields->subtype];
	if (fields->type == 2 && fields->subtype < 2)
		return texts[fields->subtype];
	return "undefined";
}

const char *
pmon_type_timer_name(const struct pmon_type_fields *fields)
{
	static const char *const names[] = {"PERF_TIMER_TICK", "PERF_TIMER_100NS",
					    "PERF_OBJECT_TIMER", "undefined"};

	return names[fields->timer & 3];
}

const char *
pmon_type_display_name(const struct pmon_type_fields *fields)
{
	static const char *const names[] = {"PERF_DISPLAY_NO_SUFFIX", "PERF_DISPLAY_PER_SEC",
					    "PERF_DISPLAY_PERCENT", "PERF_DISPLAY_SECONDS",
					    "PERF_DISPLAY_NOSHOW"};

	return fields->display < 5 ? names[fields->display] : "undefined";
}
