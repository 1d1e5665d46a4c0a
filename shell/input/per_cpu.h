// per_cpu.h - --per-cpu: show process time as a share of all processors
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_INPUT_PER_CPU_H
#define PMON_SHELL_INPUT_PER_CPU_H

#include "rules/processors.h"
#include "shell/input/request.h"

// Check that it can be used with these options. Returns an exit status.
int per_cpu_check(const struct args *args);

// The divisor of a series' displayed values: for the time of processes and threads the machine's
// number of processors, according to the counters in the schema, which is noted once per machine;
// for all others 1. 0, after a message, if it is unknown.
size_t per_cpu_divisor(struct rules_processors *processors, const struct request *request,
		       const struct pmon_schema *schema, const struct pmon_series *series);

#endif
