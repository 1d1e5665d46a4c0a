// unit.c - the units of series, and their readable multiples
// SPDX-License-Identifier: MIT

#include "draw/unit.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "model/counter_unit.h"

#define KB 1024.0
#define MB (1024.0 * 1024.0)
#define GB (1024.0 * 1024.0 * 1024.0)
#define TB (1024.0 * GB)
#define PB (1024.0 * TB)
#define EB (1024.0 * PB)

// In ascending order. The unit itself has the size 1.
static const struct draw_multiple counts[] = {{1, ""},    {1e3, "k"},  {1e6, "M"},
					      {1e9, "G"}, {1e12, "T"}, {1e15, "P"}};
static const struct draw_multiple rates[] = {{1, "/s"},    {1e3, "k/s"},  {1e6, "M/s"},
					     {1e9, "G/s"}, {1e12, "T/s"}, {1e15, "P/s"},
					     {1e18, "E/s"}};
static const struct draw_multiple percents[] = {{1, "%"}};
static const struct draw_multiple times[] = {{1e-9, "ns"}, {1e-6, "\xC2\xB5s"}, {1e-3, "ms"},
					     {1, "s"},     {60, "min"},         {3600, "h"},
					     {86400, "d"}};
static const struct draw_multiple bytes[] = {{1, "B"},   {KB, "KB"}, {MB, "MB"}, {GB, "GB"},
					     {TB, "TB"}, {PB, "PB"}, {EB, "EB"}};
static const struct draw_multiple byte_rates[] = {{1, "B/s"},   {KB, "KB/s"}, {MB, "MB/s"},
						  {GB, "GB/s"}, {TB, "TB/s"}, {PB, "PB/s"},
						  {EB, "EB/s"}};
static const struct draw_multiple time_rates[] = {
	{1e-9, "ns/s"}, {1e-6, "\xC2\xB5s/s"}, {1e-3, "ms/s"}, {1, "s/s"}};
static const struct draw_multiple bit_rates[] = {
	{1, "bit/s"}, {1e3, "kbit/s"}, {1e6, "Mbit/s"}, {1e9, "Gbit/s"}, {1e12, "Tbit/s"}};
static const struct draw_multiple frequencies[] = {
	{1, "Hz"}, {1e3, "kHz"}, {1e6, "MHz"}, {1e9, "GHz"}};

#define LIST(array)                                                                                \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}
static const struct {
	const struct draw_multiple *list;
	size_t n;
} multiples[DRAW_QUANTITIES] = {
	[DRAW_COUNT] = LIST(counts),          [DRAW_RATE] = LIST(rates),
	[DRAW_PERCENT] = LIST(percents),      [DRAW_SECONDS] = LIST(times),
	[DRAW_BYTES] = LIST(bytes),           [DRAW_BYTE_RATE] = LIST(byte_rates),
	[DRAW_TIME_RATE] = LIST(time_rates),  [DRAW_BIT_RATE] = LIST(bit_rates),
	[DRAW_FREQUENCY] = LIST(frequencies),
};

const char *
draw_quantity_name(enum draw_quantity quantity)
{
	static const char *const names[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = "count",         [DRAW_RATE] = "rate",
		[DRAW_PERCENT] = "percent",     [DRAW_SECONDS] = "seconds",
		[DRAW_BYTES] = "bytes",         [DRAW_BYTE_RATE] = "byte_rate",
		[DRAW_TIME_RATE] = "time_rate", [DRAW_BIT_RATE] = "bit_rate",
		[DRAW_FREQUENCY] = "frequency",
	};

	return names[quantity];
}

const struct draw_multiple *
draw_multiple_for(enum draw_quantity quantity, double magnitude)
{
	const struct draw_multiple *best = &multiples[quantity].list[0];

	// If all values are 0, use seconds, not the smallest unit.
	if (magnitude == 0 && quantity == DRAW_SECONDS)
		return &times[3];
	for (size_t i = 1; i < multiples[quantity].n; i++)
		if (fabs(magnitude) >= multiples[quantity].list[i].size)
			best = &multiples[quantity].list[i];
	return best;
}

const struct draw_multiple *
draw_multiple_of(enum draw_quantity quantity, double size)
{
	size_t i = 0;

	while (i + 1 < multiples[quantity].n && multiples[quantity].list[i].size < size)
		i++;
	return &multiples[quantity].list[i];
}

// ---- Counters -------------------------------------------------------------------------------

static bool
is_id(struct pmon_span counter)
{
	return pmon_text_same(counter, PMON_SPAN("ID Process")) ||
	       pmon_text_same(counter, PMON_SPAN("ID Thread")) ||
	       pmon_text_same(counter, PMON_SPAN("Creating Process ID"));
}

// Displayed values of an unknown type: only the name can tell.
static const char *
unit_of_type(const struct pmon_series *series)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct pmon_span name = pmon_series_english(series)->counter;

	if (type != NULL && type->formula != PMON_FORMULA_DOUBLE)
		return type->unit;
	if (pmon_text_match(PMON_SPAN("*%*"), name))
		return "%";
	if (pmon_text_match(PMON_SPAN("* sec/*"), name))
		return "s";
	return pmon_text_match(PMON_SPAN("*/sec"), name) || pmon_text_match(PMON_SPAN("*/s"), name)
		       ? "/s"
		       : "";
}

const char *
draw_unit_name(const struct pmon_series *series)
{
	const char *of_type = unit_of_type(series);
	const char *named = series->named_unit;
	const char *rate;

	if (named == NULL || pmon_type_is_hex(pmon_series_type(series)))
		return of_type;
	if (series->unit_is_whole || of_type[0] == '\0')
		return named;
	if (of_type[0] != '/')
		return of_type;
	rate = pmon_unit_per_second(named);
	return rate != NULL ? rate : of_type;
}

// Set the quantity and factor of a named unit.
static void
set_unit(const char *name, struct draw_unit *unit)
{
	static const struct {
		const char *name;
		enum draw_quantity quantity;
		double factor;
	} units[] = {
		{"%", DRAW_PERCENT, 1},         {"/s", DRAW_RATE, 1},
		{"s", DRAW_SECONDS, 1},         {"ms", DRAW_SECONDS, 1e-3},
		{"us", DRAW_SECONDS, 1e-6},     {"ns", DRAW_SECONDS, 1e-9},
		{"100 ns", DRAW_SECONDS, 1e-7}, {"B", DRAW_BYTES, 1},
		{"KB", DRAW_BYTES, KB},         {"MB", DRAW_BYTES, MB},
		{"GB", DRAW_BYTES, GB},         {"B/s", DRAW_BYTE_RATE, 1},
		{"KB/s", DRAW_BYTE_RATE, KB},   {"MB/s", DRAW_BYTE_RATE, MB},
		{"GB/s", DRAW_BYTE_RATE, GB},   {"s/s", DRAW_TIME_RATE, 1},
		{"ms/s", DRAW_TIME_RATE, 1e-3}, {"us/s", DRAW_TIME_RATE, 1e-6},
		{"ns/s", DRAW_TIME_RATE, 1e-9}, {"bit/s", DRAW_BIT_RATE, 1},
		{"Mbit/s", DRAW_BIT_RATE, 1e6}, {"MHz", DRAW_FREQUENCY, 1e6},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, name) == 0) {
			unit->quantity = units[i].quantity;
			unit->factor = units[i].factor;
			return;
		}
}

struct draw_unit
draw_unit_of(const struct pmon_series *series)
{
	struct draw_unit unit = {.quantity = DRAW_COUNT,
				 .factor = 1,
				 .is_hex = pmon_type_is_hex(pmon_series_type(series)),
				 .is_id = is_id(pmon_series_english(series)->counter)};

	set_unit(draw_unit_name(series), &unit);
	return unit;
}

// ---- Totals ---------------------------------------------------------------------------------

static const char *
level_unit(enum draw_quantity quantity)
{
	static const char *const units[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = "count-seconds",
		[DRAW_RATE] = "operations", // a displayed rate of unknown type
		[DRAW_PERCENT] = "percent-seconds",
		[DRAW_SECONDS] = NULL, // an average, of an unknown number of operations
		[DRAW_BYTES] = "byte-seconds",
		[DRAW_BYTE_RATE] = "bytes",
		[DRAW_TIME_RATE] = "s",
		[DRAW_BIT_RATE] = "bits",
		[DRAW_FREQUENCY] = NULL,
	};

	return units[quantity];
}

const char *
draw_total_unit(const struct pmon_series *series, double *factor)
{
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct draw_unit unit = draw_unit_of(series);
	bool has_base = type != NULL && type->second == PMON_SECOND_BASE;
	bool of_bytes = unit.quantity == DRAW_BYTES || unit.quantity == DRAW_BYTE_RATE;
	bool of_time = unit.quantity == DRAW_TIME_RATE;

	*factor = of_bytes || of_time ? unit.factor : 1;
	switch (type != NULL ? type->formula : PMON_FORMULA_DOUBLE) {
	case PMON_FORMULA_RATE:
		return of_bytes ? "bytes" : of_time ? "s" : "operations";
	case PMON_FORMULA_DELTA:
		return of_bytes ? "bytes" : "count";
	case PMON_FORMULA_RATIO:
		if (has_base)
			return of_bytes ? "bytes" : "count";
		return "count-seconds";
	case PMON_FORMULA_PERCENT:
	case PMON_FORMULA_PERCENT_INV:
		return has_base ? "operations" : "s";
	case PMON_FORMULA_MULTI:
	case PMON_FORMULA_MULTI_INV:
	case PMON_FORMULA_AVERAGE_TIME:
		return "s";
	case PMON_FORMULA_COUNT:
	case PMON_FORMULA_FRACTION:
	case PMON_FORMULA_DOUBLE:
		return level_unit(unit.quantity);
	case PMON_FORMULA_ELAPSED:
	case PMON_FORMULA_NONE:
		break;
	}
	return NULL;
}

// ---- Differences ----------------------------------------------------------------------------

#define LEAST_BYTES 16777216 // for memory and other levels
#define LEAST_SIZE  4096     // for averages per operation

bool
draw_is_large(const struct pmon_series *series, double difference)
{
	static const double least[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = 5,       [DRAW_RATE] = 10,       [DRAW_PERCENT] = 2,
		[DRAW_SECONDS] = 0.001, [DRAW_BYTE_RATE] = 1e5, [DRAW_TIME_RATE] = 0.001,
		[DRAW_BIT_RATE] = 1e6,  [DRAW_FREQUENCY] = 1e6,
	};
	const struct pmon_counter_type *type = pmon_series_type(series);
	struct draw_unit unit = draw_unit_of(series);
	double change = fabs(difference) * unit.factor;

	if (unit.quantity == DRAW_BYTES)
		return change >= (type == NULL || type->formula == PMON_FORMULA_COUNT ? LEAST_BYTES
										      : LEAST_SIZE);
	return change >= least[unit.quantity];
}

// ---- Thresholds -----------------------------------------------------------------------------

static struct pmon_span
last(struct pmon_span text, size_t n)
{
	return (struct pmon_span){text.ptr + text.len - n, n};
}

static bool
find_unit(struct pmon_span name, struct draw_threshold *out)
{
	if (pmon_text_same(name, PMON_SPAN("us")))
		name = PMON_SPAN("\xC2\xB5s");
	if (pmon_text_same(name, PMON_SPAN("us/s")))
		name = PMON_SPAN("\xC2\xB5s/s");
	if (name.len > 4 && pmon_text_same(last(name, 4), PMON_SPAN("/sec")))
		name.len -= 2;                   // "MB/sec"
	if (name.len == 1 && name.ptr[0] == 'm') // "m" means minutes, "M" millions
		return false;
	for (size_t q = 0; q < DRAW_QUANTITIES; q++) {
		for (size_t i = 0; i < multiples[q].n; i++) {
			const struct draw_multiple *m = &multiples[q].list[i];

			if (!pmon_text_same(name, (struct pmon_span){m->name, strlen(m->name)}))
				continue;
			out->quantity = (enum draw_quantity)q;
			out->value *= m->size;
			out->multiple = m->size;
			return true;
		}
	}
	return false;
}

const char *
draw_unit_names(enum draw_quantity quantity)
{
	static const char *const names[DRAW_QUANTITIES] = {
		[DRAW_COUNT] = "k, M, G, T or P",
		[DRAW_RATE] = "/s, k/s, M/s, G/s, T/s or P/s",
		[DRAW_PERCENT] = "%",
		[DRAW_SECONDS] = "ns, us, ms, s, min, h or d",
		[DRAW_BYTES] = "B, KB, MB, GB, TB, PB or EB",
		[DRAW_BYTE_RATE] = "B/s, KB/s, MB/s, GB/s, TB/s, PB/s or EB/s",
		[DRAW_TIME_RATE] = "ns/s, us/s, ms/s or s/s",
		[DRAW_BIT_RATE] = "bit/s, kbit/s, Mbit/s, Gbit/s or Tbit/s",
		[DRAW_FREQUENCY] = "Hz, kHz, MHz or GHz",
	};

	return names[quantity];
}

// The length of the number at the beginning of a text: "1.5e6".
static size_t
number_length(const char *text)
{
	size_t len = strspn(text, "+-.0123456789");
	size_t sign = 0;
	size_t digits;

	if (text[len] == 'e' || text[len] == 'E')
		sign = text[len + 1] == '-' || text[len + 1] == '+' ? 2 : 1;
	digits = sign > 0 ? strspn(text + len + sign, "0123456789") : 0;
	return digits > 0 ? len + sign + digits : len;
}

bool
draw_threshold_parse(const char *text, struct draw_threshold *out)
{
	size_t len = number_length(text);
	struct pmon_span rest = {text + len, strlen(text + len)};
	struct pmon_text copy;

	*out = (struct draw_threshold){.multiple = 1, .any = rest.len == 0};
	copy = pmon_text_init(out->text, sizeof(out->text));
	pmon_text_str(&copy, text);
	if (copy.len >= sizeof(out->text) ||
	    !pmon_num_parse_double((struct pmon_span){text, len}, &out->value))
		return false;
	if (rest.len > 0 && rest.ptr[0] == ' ')
		rest = (struct pmon_span){rest.ptr + 1, rest.len - 1};
	return out->any || (rest.len > 0 && find_unit(rest, out));
}
