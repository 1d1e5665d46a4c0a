// matrix.h - several machines beside each other
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_FIRST_MATRIX_H
#define PMON_APPS_FIRST_MATRIX_H

#include "cli/input/judged.h"
#include "text/machines.h"

// The first questions of pmon_choose(): processor, memory, disk reads and writes, network.
#define FIRST_QUESTIONS 5
#define FIRST_MEMORY    1
extern const char *const first_questions[FIRST_QUESTIONS];

// The series that answers a question for a machine.
struct first_answer {
	const struct pmon_series *series; // NULL: there is none
	size_t order;
	double rank;
};

struct first_machine {
	struct pmon_span name;
	size_t findings[RULES_LEVELS];
	struct first_answer answers[FIRST_QUESTIONS];
};

// A line for each machine, the one with the most findings first, to be freed; of j the findings and statistics are
// used. NULL when memory is short.
struct first_machine *first_matrix(const struct judged *j, const struct pmon_schema *schema,
				   const struct machines *machines);

// The average of what answers a question, of memory the minimum. False: there is none.
bool first_answer(const struct judged *j, const struct first_machine *m, size_t question,
		  struct pmon_value *out);

#endif
