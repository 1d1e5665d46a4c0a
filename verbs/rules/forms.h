// forms.h - the forms of PAL's code that can be converted: shares of memory, ratios, limits per processor, answers
// SPDX-License-Identifier: MIT
//
// PAL's thresholds are PowerShell. Most of its files were written by one editor, so they repeat the same few texts with
// other names. Only these texts are recognized, each as a whole: PowerShell is neither interpreted nor guessed.

#ifndef PMON_VERBS_RULES_FORMS_H
#define PMON_VERBS_RULES_FORMS_H

#include <stdbool.h>

#include "base/text.h"

// How the limit is computed from the number.
enum form_limit {
	FORM_PLAIN,        // it is the number
	FORM_MEMORY_MB,    // a share of the memory of the machine, in MiB
	FORM_MEMORY_FLOOR, // the same, at least 64 MiB
	FORM_MEMORY,       // in bytes
	FORM_PROCESSORS,   // times the number of processors
	FORM_ANSWER,       // a share of the answer to a question
	FORM_FALL,         // a trend: it falls by such a share in an hour
	FORM_CHOICE,       // by the answer to a question: number if it is yes, other if it is no
	FORM_SYSTEM,       // number times 2 GB if the answer begins with 32, else times 8 TB
};

// The spans are in the code.
struct form {
	enum form_limit limit;
	struct pmon_span collection; // of the values, without $
	struct pmon_span operator;
	struct pmon_span number;
	struct pmon_span other;
	struct pmon_span processors; // the collection that is counted
	struct pmon_span question;
};

// What a generated counter is computed from. Value and `of` are collections.
struct form_ratio {
	struct pmon_span value;
	struct pmon_span of;
	double percent;    // by which a limit is multiplied to be one in percent
	double times;      // by which the value is multiplied
	bool is_rest;      // 100 % less the ratio
	bool is_with_work; // 0 unless both are more than 1
};

// Remove spaces and comments of code in place, as the functions below need it.
void form_squeeze(char *code);
bool form_of(const char *squeezed, struct form *out);
bool form_ratio_of(const char *squeezed, struct form_ratio *out);

#endif
