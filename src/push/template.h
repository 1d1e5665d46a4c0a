// template.h - statements from templates, which are in .sql files
// SPDX-License-Identifier: MIT

#ifndef PMON_PUSH_TEMPLATE_H
#define PMON_PUSH_TEMPLATE_H

#include "base/text.h"

// A placeholder in a template, "{from}", and its value: a text, or a number if text is NULL.
struct pmon_push_name {
	const char *name;
	const char *text;
	int64_t number;
};

// Write the template with the names of both lists replaced, each of which ends with a NULL name and may be NULL. Other
// braces stay: the server has them.
void pmon_push_fill(struct pmon_text *sql, struct pmon_span template,
		    const struct pmon_push_name *names, const struct pmon_push_name *more);

#endif
