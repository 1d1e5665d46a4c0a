// sentences.h - incidents and events in plain words
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_SENTENCES_H
#define PMON_SHELL_OUTPUT_SENTENCES_H

#include "analyze/incidents.h"
#include "base/text.h"

// "Reads of disk 1 D: take 64 ms (usually 4 ms, limit 50 ms)"
void incident_put_headline(struct pmon_text *t, const struct incidents *incidents,
			   const struct incident *incident);

// "1f3a92c0"
void incident_put_id(struct pmon_text *t, const struct incident *incident);

// One evidence of an incident: "Queue of disk 1 D: 20 (usually 0)"
void evidence_put(struct pmon_text *t, const struct incidents *incidents, const struct evidence *e);

// A value of a series with its unit: "64 ms"
void evidence_put_amount(struct pmon_text *t, const struct evidence *e, double value);

// "cause backupd (1020): 1 % -> 561 %"; nothing where no process rose.
void incident_put_who(struct pmon_text *t, const struct incident *incident);

// Other evidence of an incident: "Queue of disk 1 D: 20 (usually 0)"; nothing where a sentence before it says the
// same of another counter. False: there is no such evidence.
bool incident_put_evidence(struct pmon_text *t, const struct incidents *incidents,
			   const struct incident *incident, size_t i);

// "the machine restarted", "no samples for 50 min"
void event_put(struct pmon_text *t, const struct event *event);

#endif
