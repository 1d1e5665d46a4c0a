// alerts.h - pmon rules --alerts: convert rules to alerting rules for Prometheus
// SPDX-License-Identifier: MIT

#ifndef PMON_VERBS_RULES_ALERTS_H
#define PMON_VERBS_RULES_ALERTS_H

#include "format/openmetrics/openmetrics.h"

struct args;

// Print the selected rules, for the counters of the registry. processes: Process and Thread have
// recording rules. Returns an exit status.
int rules_put_alerts(const struct args *args, const struct om_registry *registry, bool processes);

#endif
