// parser.h - what the reader of rules and the reader of their keys share
// SPDX-License-Identifier: MIT

#ifndef PMON_RULES_PARSER_H
#define PMON_RULES_PARSER_H

#include "rules/rules.h"

#define RULES_NO_OPERATOR "a condition is a counter, >, >=, < or <=, and a limit"

struct key;

struct rules_parser {
	struct rules *rules;
	struct rules_error *why;
	size_t cap;              // of rules->list
	char *room;              // for a copy of the next text
	size_t first;            // rule of the text that is being read
	struct rules_rule whole; // what holds for all rules of the text
	const struct key *key;   // that is being read
	unsigned line;           // from 1 on
	const char *start;       // of the line
	unsigned keys;           // bits of those that the rule has, of those that stand once
};

// What is wrong, and where in the line. Returns false.
bool rules_fault_at(struct rules_parser *p, unsigned line, unsigned column, const char *text);
bool rules_fault(struct rules_parser *p, const char *at, const char *text);

// The newest rule of this text; NULL before its first.
struct rules_rule *rules_newest(const struct rules_parser *p);

// Read the value of a key, without spaces around it. The name is in the line too, or a literal whose key has
// only faults in its value.
bool rules_read_value(struct rules_parser *p, struct pmon_span name, struct pmon_span value);

// The last operator of a condition, as names of counters may have some too; NULL if there is none.
const char *rules_operator_in(struct pmon_span s);

#endif
