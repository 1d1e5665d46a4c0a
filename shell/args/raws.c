// raws.c - raw values given on the command line
// SPDX-License-Identifier: MIT

#include "shell/args/raws.h"

#include <string.h>

#include "base/num.h"
#include "shell/args/type.h"
#include "shell/args/verb.h"
#include "shell/output/say.h"

// Does the formula of this type divide by ticks per second?
static bool
needs_time_base(uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	return type != NULL &&
	       (type->formula == PMON_FORMULA_RATE || type->formula == PMON_FORMULA_ELAPSED ||
		type->formula == PMON_FORMULA_AVERAGE_TIME);
}

int
raws_counter(const struct args *args, struct pmon_counter *counter)
{
	const char *type = args->counter.type;
	const char *ticks = args->counter.time_base;
	const char *size = args->counter.size;
	int status;

	*counter = (struct pmon_counter){.type = 0};
	if (type == NULL)
		return say(EXIT_USAGE,
			   "%s: no counter type given; use -t TYPE (pmon types lists them)",
			   args->verb->name);
	status = type_from_text(type, &counter->type);
	if (status != EXIT_DONE)
		return status;
	if (ticks != NULL &&
	    !pmon_num_parse_i64((struct pmon_span){ticks, strlen(ticks)}, &counter->time_base))
		return say(EXIT_USAGE, "-F must be a whole number of ticks per second, not \"%s\"",
			   ticks);
	if (ticks == NULL && needs_time_base(counter->type))
		return say(EXIT_USAGE, "%s: %s requires the frequency of its clock; use -F TICKS",
			   args->verb->name, pmon_type_by_word(counter->type)->name);
	if (size != NULL && strcmp(size, "4") != 0 && strcmp(size, "8") != 0)
		return say(EXIT_USAGE, "--size must be 4 or 8, not \"%s\"", size);
	if (size != NULL)
		counter->size_bytes = (uint8_t)(size[0] - '0');
	return EXIT_DONE;
}

static struct pmon_span
part(const char **text)
{
	size_t len = strcspn(*text, ":");
	struct pmon_span span = {*text, len};

	*text += len;
	if (**text == ':')
		(*text)++;
	return span;
}

// Parse a 64-bit integer, signed or unsigned: only the bits matter.
static bool
parse_bits(struct pmon_span text, int64_t *out)
{
	uint64_t bits;

	if (pmon_num_parse_i64(text, out))
		return true;
	if (!pmon_num_parse_u64(text, &bits))
		return false;
	*out = (int64_t)bits;
	return true;
}

// The number of parts of a raw value of this type.
static size_t
numbers_of(uint32_t word)
{
	const struct pmon_counter_type *type = pmon_type_by_word(word);

	if (type == NULL || type->second == PMON_SECOND_NONE)
		return 1;
	return type->formula == PMON_FORMULA_MULTI || type->formula == PMON_FORMULA_MULTI_INV ? 3
											      : 2;
}

int
raws_parse(const char *text, const struct pmon_counter *counter, struct pmon_raw *raw)
{
	static const char *const forms[] = {"FIRST", "FIRST:SECOND", "FIRST:SECOND:MULTI"};
	size_t need = numbers_of(counter->type);
	const char *rest = text;
	struct pmon_span first = part(&rest);
	struct pmon_span second = part(&rest);
	struct pmon_span multi = part(&rest);
	uint64_t units = 0;

	*raw = (struct pmon_raw){.status = PMON_RAW_NEW};
	if (*rest == '\0' && parse_bits(first, &raw->first) &&
	    ((second.len == 0 && need < 2) || parse_bits(second, &raw->second)) &&
	    ((multi.len == 0 && need < 3) ||
	     (pmon_num_parse_u64(multi, &units) && units <= UINT32_MAX))) {
		raw->multi = (uint32_t)units;
		pmon_raw_zero_extend(counter, raw);
		return EXIT_DONE;
	}
	return say(EXIT_USAGE, "\"%s\" is not a valid raw value for this type; expected %s", text,
		   forms[need - 1]);
}
