// incidents.h - the incidents of pmon health as a table
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_HEALTH_INCIDENTS_H
#define PMON_VERBS_HEALTH_INCIDENTS_H

#include "shell/input/judged.h"
#include "shell/output/table.h"

// Print each incident with its evidence, then the events. *any: there was one. Returns an exit status.
int health_incidents(const struct judged *j, enum out_format format, bool *any);

#endif
