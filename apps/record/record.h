// record.h - pmon record: this machine into files
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_RECORD_RECORD_H
#define PMON_APPS_RECORD_RECORD_H

struct args;

// Runs the verb. Returns an exit status.
int record_run(const struct args *args);

#endif
