// explain_text.h - explanations for people
// SPDX-License-Identifier: MIT

#ifndef PMON_CLI_OUTPUT_EXPLAIN_TEXT_H
#define PMON_CLI_OUTPUT_EXPLAIN_TEXT_H

#include <stdio.h>

#include <pmon/pmon.h>

// title may be NULL.
void explain_print(FILE *out, const char *title, const struct pmon_explanation *why);

#endif
