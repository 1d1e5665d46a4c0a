// parser.h - shared by the parsers of rules and of their keys
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_PARSER_H
#define PMON_RULES_PARSER_H

#include "rules/rules.h"

#define RULES_NO_OPERATOR "a condition must be a counter, then >, >=, < or <=, then a limit"

struct key;

struct rules_parser {
	struct rules *rules;
	struct rules_error *why;
	size_t cap;              // of rules->list
	char *room;              // space for a copy of the next text
	size_t first;            // index of the first rule of the current text
	struct rules_rule whole; // settings for all rules of the text
	const struct key *key;   // being read
	unsigned line;           // from 1
	const char *start;       // of the line
	unsigned keys;           // bit set of the rule's keys that may occur once
};

// What is wrong, and where in the line. Returns false.
bool rules_fault_at(struct rules_parser *p, unsigned line, unsigned column, const char *text);
bool rules_fault(struct rules_parser *p, const char *at, const char *text);

// The current rule of this text; NULL before the first.
struct rules_rule *rules_newest(const struct rules_parser *p);

// Read the value of a key, without surrounding spaces. The name is part of the line; or it is a
// literal, and then only the value can have faults.
bool rules_read_value(struct rules_parser *p, struct pmon_span name, struct pmon_span value);

// The last operator of a condition, since counter names may contain operators too; NULL if there is none.
const char *rules_operator_in(struct pmon_span s);

#endif
