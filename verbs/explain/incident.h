// incident.h - explain one incident: its evidence, usual levels, limits and formulas
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_EXPLAIN_INCIDENT_H
#define PMON_VERBS_EXPLAIN_INCIDENT_H

#include "shell/args/args.h"

// Explain the incident with this ID. Returns an exit status.
int explain_incident(const struct args *args, const char *id);

#endif
