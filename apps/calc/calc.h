// calc.h - pmon calc: values and average of raw values given by hand
// SPDX-License-Identifier: MIT

#ifndef PMON_APPS_CALC_CALC_H
#define PMON_APPS_CALC_CALC_H

struct args;

// Runs the verb. Returns an exit status.
int calc_run(const struct args *args);

#endif
