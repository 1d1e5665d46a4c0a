// incident_cards.h - what was wrong, when, and who: the gravest incidents with their charts
// SPDX-License-Identifier: MIT
//
// The chart is that of pmon chart --incident. Its series are chosen by their statistics in the time of the chart, so
// the logs are read twice after the incidents are known: once for these, with the other charts of the report, and once
// for the values.

#ifndef PMON_VERBS_REPORT_INCIDENT_CARDS_H
#define PMON_VERBS_REPORT_INCIDENT_CARDS_H

#include "shell/input/picked.h"
#include "verbs/report/report.h"

// Take the gravest incidents, while their usual levels are still known. Returns an exit status, as the others do.
int report_cards_take(struct report *r);

// The first of the two readings. `picked` gets the series that may be drawn.
int report_cards_begin(struct report *r, struct picked *picked);
int report_cards_add(struct report *r, const struct pmon_sample *sample, pmon_time on_axis);

// After it: choose the series. Then read the logs once more for the values.
int report_cards_fill(struct report *r);

void report_cards_free(struct report *r);

// Is there a card of the incident with this number?
bool report_has_card(const struct report *r, size_t incident);

// The cards. Returns NULL, or an error message.
const char *report_cards(const struct report *r, struct html *html);

#endif
