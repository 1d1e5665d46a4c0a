// labels.h - labels that the user gives to machines: "site=berlin"
// SPDX-License-Identifier: MIT
//
// They distinguish machines of one name, and group them. Their names are those of Prometheus, so that they are the
// same in every engine.

#ifndef PMON_MODEL_LABELS_H
#define PMON_MODEL_LABELS_H

#include <pmon/base.h>

#define PMON_LABELS      16
#define PMON_LABEL_NAME  64  // with a NUL
#define PMON_LABEL_VALUE 255 // bytes

struct pmon_label {
	char name[PMON_LABEL_NAME];
	const char *value;
};

// Sorted by name.
struct pmon_labels {
	struct pmon_label list[PMON_LABELS];
	size_t n;
};

// Parse n texts "NAME=VALUE", which must outlive the labels. PMON_E_ARG: one is malformed, its name is reserved or
// occurs twice, or there are too many.
PMON_NODISCARD enum pmon_status pmon_labels_parse(const char *const *texts, size_t n,
						  struct pmon_labels *out, struct pmon_err *err);

#endif
