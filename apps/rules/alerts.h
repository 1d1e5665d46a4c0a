// alerts.h - pmon rules --alerts: rules of thresholds as alerting rules for Prometheus
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_RULES_ALERTS_H
#define PMON_APPS_RULES_ALERTS_H

#include "format/openmetrics/openmetrics.h"

struct args;

// Print the rules that the options name, for the counters of the registry. processes: those of Process and Thread
// have recording rules. Returns an exit status.
int rules_put_alerts(const struct args *args, const struct om_registry *registry, bool processes);

#endif
