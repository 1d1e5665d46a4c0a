// display.h - the displayed values of samples
// SPDX-License-Identifier: MIT
//
// Computes the same values as struct pmon_statistics (query.h), but keeps only the state that the
// next value of each series depends on.

#ifndef PMON_QUERY_DISPLAY_H
#define PMON_QUERY_DISPLAY_H

#include <pmon/model.h>

struct pmon_values_row;

struct pmon_values {
	const struct pmon_allocator *allocator;
	const struct pmon_schema *schema;
	struct pmon_calc_options options;
	struct pmon_values_row *rows; // by series
	struct pmon_calc *calcs;
	size_t n;
	size_t rows_cap;
	size_t calcs_cap;
	struct pmon_value *list; // of the newest sample
	size_t list_cap;
};

// The schema must outlive it. options and allocator may be NULL.
void pmon_values_init(struct pmon_values *v, const struct pmon_schema *schema,
		      const struct pmon_calc_options *options,
		      const struct pmon_allocator *allocator);
void pmon_values_free(struct pmon_values *v); // all zeros are fine

// Compute the values of a sample; they are valid until the next call. PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_values_add(struct pmon_values *v,
						const struct pmon_sample *sample,
						const struct pmon_value **values,
						struct pmon_err *err);

#endif
