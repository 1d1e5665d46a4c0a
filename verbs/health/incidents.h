// incidents.h - incidents as a table, what the limits crossed in them mean, and what is beyond a limit now
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_INCIDENTS_H
#define PMON_VERBS_HEALTH_INCIDENTS_H

#include "shell/input/judged.h"
#include "shell/output/table.h"

// Print each incident with its evidence, then the events. *any: there was one. Returns an exit status.
int health_incidents(FILE *stream, const struct judged *j, enum out_format format, bool *any);

// Print what each rule that is a part of an incident means, what to do, and its sources, once per rule; with lists_all
// of every rule that was crossed.
void health_texts(FILE *stream, const struct judged *j, enum out_format format, bool lists_all);

// Print what is beyond a limit on this machine now, after an empty line unless *is_first.
void health_now(FILE *stream, const struct judged *j, enum out_format format, bool *is_first);

#endif
