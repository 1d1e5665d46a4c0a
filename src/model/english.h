// english.h - English names of counters, and types of counters by name
// SPDX-License-Identifier: MIT
//
// Windows translates the names of its objects and counters. The table (share/names) has 13
// languages; it is static and looked up by hash, ignoring case and diacritics: "Informaçoes" is
// "Informações".

#ifndef PMON_MODEL_ENGLISH_H
#define PMON_MODEL_ENGLISH_H

#include <pmon/model.h>

// The most counters of one object that share a translation: French "Taille virtuelle (octets)" is
// both "Virtual Bytes Peak" and "Virtual Bytes".
#define PMON_ENGLISH_MOST 4

// The English names of a path; texts are static or belong to the path.
struct pmon_english {
	struct pmon_span object;
	struct pmon_span counters[PMON_ENGLISH_MOST]; // in the order in which Windows lists them
	size_t n;                                     // at least 1
};

// Names that the user adds to the table. A file has lines of "English object" or "English
// object\counter", a tab, and the name in the other language; lines that begin with # are comments.
struct pmon_names;

// Parse such a file. Creates *names if it is NULL. PMON_E_FORMAT, with the line, if one is
// malformed; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_names_parse(struct pmon_span text,
						 const struct pmon_allocator *allocator,
						 struct pmon_names **names, struct pmon_err *err);
// Add a machine's name for a Windows title: an object or a counter of any object. Creates *names if
// it is NULL. False if out of memory.
PMON_NODISCARD bool pmon_names_add_title(struct pmon_names **names,
					 const struct pmon_allocator *allocator,
					 struct pmon_span english, struct pmon_span name);
void pmon_names_free(struct pmon_names *names); // NULL is fine

// Find the English names of a path's object and counter. Returns false if they are English already,
// or in no language of the table. A counter that is not in the table keeps its name. names may be
// NULL.
bool pmon_english_of(const struct pmon_names *names, const struct pmon_path *path,
		     struct pmon_english *out);

// The path with one of these names.
static inline struct pmon_path
pmon_english_path(const struct pmon_path *path, const struct pmon_english *english, size_t i)
{
	struct pmon_path out = *path;

	out.object = english->object;
	out.counter = english->counters[i];
	return out;
}

// The English name of an object; the name itself if it is English already, or in no language of the
// table.
struct pmon_span pmon_english_object(struct pmon_span object);

// The type of the counter with this English name. *inferred is set if no log or document confirms
// it: it follows from the name and the structure of the class. False if it is unknown.
bool pmon_english_type(const struct pmon_path *path, uint32_t *word_out, bool *inferred);

#endif
