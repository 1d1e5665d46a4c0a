// matrix.h - compare several machines
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_FIRST_MATRIX_H
#define PMON_VERBS_FIRST_MATRIX_H

#include "shell/input/judged.h"
#include "shell/output/machines.h"

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
	size_t findings[RULES_LEVELS]; // incidents, if they were looked for
	struct first_answer answers[FIRST_QUESTIONS];
};

// One line for each machine, the one with the most findings first; the caller frees it. Uses the
// findings and statistics of j. NULL if out of memory.
struct first_machine *first_matrix(const struct judged *j, const struct pmon_schema *schema,
				   const struct machines *machines);

// The average of a machine's answer; for memory the minimum. False if there is none.
bool first_answer(const struct judged *j, const struct first_machine *m, size_t question,
		  struct pmon_value *out);

#endif
