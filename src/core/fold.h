// fold.h - comparison of type names
// SPDX-License-Identifier: MIT

#ifndef PMON_CORE_FOLD_H
#define PMON_CORE_FOLD_H

#include <pmon/base.h>

static inline char
pmon_ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// Does the text equal the name, ignoring ASCII case?
static inline bool
pmon_ascii_same(const char *name, struct pmon_span text)
{
	for (size_t i = 0; i < text.len; i++)
		if (name[i] == '\0' || pmon_ascii_lower(name[i]) != pmon_ascii_lower(text.ptr[i]))
			return false;
	return name[text.len] == '\0';
}

#endif
