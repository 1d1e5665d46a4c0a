// names.h - tables of names that the user adds, as files
// SPDX-License-Identifier: MIT

#ifndef PMON_QUERY_NAMES_H
#define PMON_QUERY_NAMES_H

#include "model/english.h"

// The content of a file of names.
struct pmon_names_bytes {
	const struct pmon_allocator *allocator;
	uint8_t *bytes;
	size_t size; // allocated
	size_t len;
};

PMON_NODISCARD enum pmon_status pmon_names_read(const char *path,
						const struct pmon_allocator *allocator,
						struct pmon_names_bytes *out, struct pmon_err *err);
void pmon_names_bytes_free(struct pmon_names_bytes *bytes);

// Whether these are names in another language, as text. Registry values are UTF-16 and contain zero
// bytes.
bool pmon_names_is_text(const struct pmon_names_bytes *bytes);

// Add a table of names in another language (english.h) to *names, which may be NULL. Does nothing
// for the other kind of file, the registry value "Counter 009", which maps indexes to names.
// PMON_E_IO etc.; PMON_E_FORMAT, with the line.
PMON_NODISCARD enum pmon_status pmon_names_open(const char *path,
						const struct pmon_allocator *allocator,
						struct pmon_names **names, struct pmon_err *err);

#endif
