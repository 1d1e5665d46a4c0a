// explain_text.h - explanations as text
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_EXPLAIN_TEXT_H
#define PMON_SHELL_OUTPUT_EXPLAIN_TEXT_H

#include <stdio.h>

#include <pmon/pmon.h>

// title may be NULL.
void explain_print(FILE *out, const char *title, const struct pmon_explanation *why);

#endif
