// repair.h - rows of a series in the order of time, each with the interval since the one before it
// SPDX-License-Identifier: MIT
//
// Logs come in any order and may overlap, so that the interval of a row may begin at another row than the one
// before it. Each row leads to its raw value (push/facts.h), and raw values to the rows that one log
// with all of them would have given.

#ifndef PMON_PUSH_REPAIR_H
#define PMON_PUSH_REPAIR_H

#include "push/facts.h"

// A row as it is stored.
struct pmon_push_repaired {
	struct pmon_push_fact fact;
	struct pmon_raw raw;
	bool has_raw; // it could be rebuilt
	bool is_new;  // after pmon_push_repair(): the row must be stored again
};

// Repair the rows of one series of this counter, which are in order of time. The first is a start. false: a row
// leads to one that is not among them; rows may have changed.
bool pmon_push_repair(const struct pmon_calc *calc, struct pmon_push_repaired *rows, size_t n);

#endif
