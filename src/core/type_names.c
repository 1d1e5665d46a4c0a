// type_names.c - find a counter type by the names that people and programs use
// SPDX-License-Identifier: MIT

#include <string.h>

#include <pmon/counter.h>

#include "base/num.h"
#include "core/fold.h"

#define WORD_DIGITS 8 // of a hexadecimal type word

// The common prefix of all names, which may be omitted.
static const char prefix[] = "PERF_";

static struct pmon_span
without_prefix(struct pmon_span name)
{
	size_t n = sizeof(prefix) - 1;

	if (name.len < n || !pmon_ascii_same(prefix, (struct pmon_span){name.ptr, n}))
		return name;
	return (struct pmon_span){name.ptr + n, name.len - n};
}

static bool
is_name(const char *name, struct pmon_span bare)
{
	return name != NULL && pmon_ascii_same(name + sizeof(prefix) - 1, bare);
}

static bool
is_dotnet_name(const char *name, struct pmon_span text)
{
	return name != NULL && pmon_ascii_same(name, text);
}

// "[System.Diagnostics.PerformanceCounterType]::Timer100Ns" and "PerformanceCounterType.Timer100Ns"
// without the class.
static struct pmon_span
without_class(struct pmon_span text)
{
	size_t start = text.len;

	if (start == 0)
		return text;
	while (start > 0 && text.ptr[start - 1] != '.' && text.ptr[start - 1] != ':')
		start--;
	return (struct pmon_span){text.ptr + start, text.len - start};
}

const struct pmon_counter_type *
pmon_type_by_name(struct pmon_span name)
{
	struct pmon_span member = without_class(name);
	struct pmon_span bare = without_prefix(name);
	size_t n = pmon_type_count();

	for (size_t i = 0; i < n; i++) {
		const struct pmon_counter_type *type = pmon_type_at(i);

		if (is_name(type->name, bare) || is_name(type->alias, bare) ||
		    is_dotnet_name(type->dotnet, member))
			return type;
	}
	return NULL;
}

static bool
parse_hex(struct pmon_span text, uint32_t *word)
{
	char buf[2 + WORD_DIGITS] = "0x";
	uint64_t number;

	if (text.len == 0 || text.len > WORD_DIGITS)
		return false;
	memcpy(buf + 2, text.ptr, text.len);
	if (!pmon_num_parse_u64((struct pmon_span){buf, text.len + 2}, &number))
		return false;
	*word = (uint32_t)number;
	return true;
}

static bool
parse_number(struct pmon_span text, uint32_t *word)
{
	uint64_t number;

	if (!pmon_num_parse_u64(text, &number) || number > UINT32_MAX)
		return false;
	*word = (uint32_t)number;
	return true;
}

enum pmon_type_form
pmon_type_parse(struct pmon_span text, uint32_t *word)
{
	const struct pmon_counter_type *type = pmon_type_by_name(text);
	uint32_t hex;
	bool is_hex;

	*word = 0;
	if (type != NULL) {
		*word = type->word;
		return PMON_TYPE_FORM_NAME;
	}
	is_hex = parse_hex(text, &hex);
	if (parse_number(text, word)) {
		if (!is_hex)
			return text.len > 2 && (text.ptr[1] == 'x' || text.ptr[1] == 'X')
				       ? PMON_TYPE_FORM_WORD
				       : PMON_TYPE_FORM_DECIMAL;
		if (pmon_type_by_word(*word) != NULL || pmon_type_by_word(hex) == NULL)
			return PMON_TYPE_FORM_DECIMAL;
	}
	if (!is_hex)
		return PMON_TYPE_FORM_NONE;
	*word = hex;
	return PMON_TYPE_FORM_HEX;
}
