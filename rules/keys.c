// keys.c - parse the keys of rules and their values
// SPDX-License-Identifier: MIT

#include "rules/parser.h"

#include <stddef.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "rules/words.h"

// A key of the current rule. value is its text without surrounding spaces.
struct key {
	const char *name;
	bool once;
	bool (*read)(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value);
	size_t list; // of add_pattern() and add_line(): where in struct rules_rule
};

bool
rules_fault_at(struct rules_parser *p, unsigned line, unsigned column, const char *text)
{
	*p->why = (struct rules_error){line, column, text};
	return false;
}

bool
rules_fault(struct rules_parser *p, const char *at, const char *text)
{
	return rules_fault_at(p, p->line, (unsigned)(at - p->start) + 1, text);
}

// ---- Values of keys -------------------------------------------------------------------------

static bool
read_pattern(struct rules_parser *p, struct rules_patterns *patterns, struct pmon_span value)
{
	struct pmon_path_error why;

	if (patterns->n == RULES_LINES)
		return rules_fault(p, value.ptr, "more than 8 of these");
	patterns->list[patterns->n] = rules_take_pattern(p->rules, value, &why);
	if (patterns->list[patterns->n] != NULL)
		patterns->n++;
	else if (why.text != NULL)
		return rules_fault(p, value.ptr + why.at, why.text);
	else
		return rules_fault_at(p, 0, 0, "not enough memory");
	return true;
}

static bool
read_line(struct rules_parser *p, struct rules_lines *lines, struct pmon_span value)
{
	if (lines->n == RULES_LINES)
		return rules_fault(p, value.ptr, "more than 8 of these");
	lines->list[lines->n++] = value;
	return true;
}

static bool
read_pack(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	(void)p;
	rule->pack = value;
	return true;
}

// Keys that take a list of patterns, or lines of text.
static bool
add_pattern(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	void *list = (char *)rule + p->key->list;

	return read_pattern(p, list, value);
}

static bool
add_line(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	void *list = (char *)rule + p->key->list;

	return read_line(p, list, value);
}

static bool
read_source(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct rules_source *source = rules_open_source(rule);

	return source != NULL ? read_line(p, &source->texts, value)
			      : rules_fault(p, value.ptr, "more than 8 of these");
}

// Only accept links that are safe to give to a browser.
static bool
read_link(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct rules_source *source;

	if (value.len < 9 || memcmp(value.ptr, "https://", 8) != 0 ||
	    memchr(value.ptr, ' ', value.len) != NULL)
		return rules_fault(p, value.ptr,
				   "a link must begin with https:// and must not contain spaces");
	source = rules_open_source(rule);
	if (source == NULL)
		return rules_fault(p, value.ptr, "more than 8 of these");
	source->link = value;
	return true;
}

// "20ms"
static bool
read_level(struct rules_parser *p, struct rules_limit *limit, struct pmon_span value)
{
	char number[sizeof(limit->threshold.text)];

	if (value.len > 0 && value.len < sizeof(number)) {
		memcpy(number, value.ptr, value.len);
		number[value.len] = '\0';
		limit->given = draw_threshold_parse(number, &limit->threshold);
	}
	return limit->given || rules_fault(p, value.ptr,
					   "a limit must be a number with an optional unit, such "
					   "as 20ms, 5%, 100MB or 2");
}

static bool
read_limit(struct rules_parser *p, struct rules_limit *limit, struct pmon_span value)
{
	bool below = value.ptr[0] == '<';

	if (!below && value.ptr[0] != '>')
		return rules_fault(p, value.ptr, "a limit must begin with >, >=, < or <=");
	limit->or_equal = value.len > 1 && value.ptr[1] == '=';
	if (!read_level(p, limit, rest_of(value, limit->or_equal ? 2 : 1)))
		return false;
	limit->threshold.below = below;
	return true;
}

static bool
read_clear(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_level(p, &rule->clear, value);
}

const char *
rules_operator_in(struct pmon_span s)
{
	for (size_t i = s.len; i-- > 0;) {
		if (s.ptr[i] == '<' || s.ptr[i] == '>')
			return s.ptr + i;
		if (s.ptr[i] == '\\')
			break; // objects and instances come before it
	}
	return NULL;
}

// "PATTERN > LIMIT"
static bool
read_comparison(struct rules_parser *p, struct rules_patterns *patterns, struct rules_limit *limit,
		struct pmon_span value)
{
	const char *op = rules_operator_in(value);

	if (op == NULL)
		return rules_fault(p, value.ptr, RULES_NO_OPERATOR);
	return read_pattern(p, patterns,
			    trimmed((struct pmon_span){value.ptr, (size_t)(op - value.ptr)})) &&
	       read_limit(p, limit, rest_of(value, (size_t)(op - value.ptr)));
}

static bool
read_while(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct rules_limit limit = {.given = false};
	size_t n = rule->whiles.n;

	if (!read_comparison(p, &rule->whiles, &limit, value))
		return false;
	rule->while_limits[n] = limit;
	return true;
}

// "PATTERN top N"
static bool
read_show(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	size_t at = last_word(value, "top", '\0');
	struct pmon_span last = rest_of(value, at);
	uint64_t top = 0;

	if (last.len == 0 || !pmon_num_parse_u64(rest_of(last, strlen("top")), &top) || top == 0 ||
	    top > RULES_TOP)
		return rules_fault(p, value.ptr,
				   "must be a pattern and a number up to 20: \\Process(*)\\% "
				   "Processor Time top 3");
	rule->show_top = (size_t)top > rule->show_top ? (size_t)top : rule->show_top;
	return read_pattern(p, &rule->shows, trimmed((struct pmon_span){value.ptr, at}));
}

// "10%", "3 samples", "5m".
static bool
read_hold(struct rules_parser *p, struct rules_hold *hold, struct pmon_span value)
{
	size_t digits = strspn(value.ptr, ".0123456789");
	struct pmon_span number = {value.ptr, digits < value.len ? digits : value.len};
	struct pmon_span unit = rest_of(value, number.len);
	bool good = false;

	if (is(unit, "%")) {
		hold->lasting = RULES_SHARE;
		good = pmon_num_parse_double(number, &hold->share) && hold->share > 0 &&
		       hold->share <= 100;
		hold->share /= 100;
	} else if (is(unit, "samples") || is(unit, "sample")) {
		hold->lasting = RULES_SAMPLES;
		good = pmon_num_parse_u64(number, &hold->samples) && hold->samples > 0;
	} else if (unit.len > 0) {
		hold->lasting = RULES_TIME;
		good = pmon_time_parse_span(value, &hold->time_100ns) && hold->time_100ns > 0;
	}
	return good || rules_fault(p, value.ptr,
				   "must be a share such as 10%, a number of samples, or a "
				   "duration such as 5m");
}

static bool
read_for(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_hold(p, &rule->hold, value);
}

// "> 50ms" or "> 50ms for 30s"
static bool
read_held(struct rules_parser *p, struct rules_limit *limit, struct pmon_span value)
{
	size_t at = last_word(value, "for", '\0');
	struct pmon_span hold = rest_of(value, at);

	limit->has_own_hold = hold.len > 0;
	if (!read_limit(p, limit, trimmed((struct pmon_span){value.ptr, at})))
		return false;
	return hold.len == 0 || read_hold(p, &limit->hold, rest_of(hold, strlen("for")));
}

static bool
read_warning(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_held(p, &rule->limits[RULES_WARNING], value);
}

static bool
read_critical(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_held(p, &rule->limits[RULES_CRITICAL], value);
}

static bool
read_trend(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	if (rule->limits[RULES_WARNING].given)
		return rules_fault(p, value.ptr, RULES_NO_LIMITS);
	return rules_parse_trend(value, rule) ||
	       rules_fault(p, value.ptr, "must be a slope and a duration, such as > 50MB/h for 1h");
}

// "10%"
static bool
read_share(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct pmon_span number = {value.ptr, value.len - 1};

	if (value.ptr[value.len - 1] == '%' && pmon_num_parse_double(number, &rule->window_share) &&
	    rule->window_share > 0 && rule->window_share <= 100) {
		rule->window_share /= 100;
		return true;
	}
	return rules_fault(p, value.ptr, "must be a share such as 10%");
}

static bool
read_within(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return (pmon_time_parse_span(value, &rule->within_100ns) && rule->within_100ns > 0) ||
	       rules_fault(p, value.ptr, "must be a duration such as 1h");
}

static bool
read_times(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	if (pmon_num_parse_double(value, &rule->times) && rule->times > 0)
		return true;
	return rules_fault(p, value.ptr, "must be a number above 0");
}

static bool
read_operations(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return (pmon_num_parse_u64(value, &rule->operations) && rule->operations > 0) ||
	       rules_fault(p, value.ptr, "must be a number of operations above 0");
}

static bool
read_per(struct rules_parser *p, struct rules_rule *rule, struct pmon_span value)
{
	rule->per_processor = is(value, "processor");
	return rule->per_processor || rules_fault(p, value.ptr, "must be the word processor");
}

// ---- Keys -----------------------------------------------------------------------------------

static const struct key keys[] = {
	{"pack", true, read_pack, 0},
	{"with", false, add_pattern, offsetof(struct rules_rule, with)},
	{"without", false, add_pattern, offsetof(struct rules_rule, without)},
	{"counter", false, add_pattern, offsetof(struct rules_rule, counters)},
	{"except", false, add_line, offsetof(struct rules_rule, excepts)},
	{"warning", true, read_warning, 0},
	{"critical", true, read_critical, 0},
	{"for", true, read_for, 0},
	{"of", false, add_pattern, offsetof(struct rules_rule, of)},
	{"times", true, read_times, 0},
	{"operations", true, read_operations, 0},
	{"per", true, read_per, 0},
	{"while", false, read_while, 0},
	{"clear", true, read_clear, 0},
	{"show", false, read_show, 0},
	{"trend", true, read_trend, 0},
	{"share", true, read_share, 0},
	{"within", true, read_within, 0},
	{"text", false, add_line, offsetof(struct rules_rule, texts)},
	{"advice", false, add_line, offsetof(struct rules_rule, advice)},
	{"source", false, read_source, 0},
	{"link", false, read_link, 0},
};

#define N_KEYS    (sizeof(keys) / sizeof(keys[0]))
#define N_LEADING 3 // keys allowed before the first rule, for all rules of the text

struct rules_rule *
rules_newest(const struct rules_parser *p)
{
	return p->rules->n > p->first ? &p->rules->list[p->rules->n - 1] : NULL;
}

bool
rules_read_value(struct rules_parser *p, struct pmon_span name, struct pmon_span value)
{
	struct rules_rule *rule = rules_newest(p) != NULL ? rules_newest(p) : &p->whole;

	for (size_t i = 0; i < N_KEYS; i++) {
		if (!is(name, keys[i].name))
			continue;
		if (rule == &p->whole && i >= N_LEADING)
			return rules_fault(p, name.ptr, "a rule must begin with its [name]");
		if (keys[i].once && (p->keys & 1u << i))
			return rules_fault(p, name.ptr, "is given twice");
		if (value.len == 0)
			return rules_fault(p, value.ptr, "the value is missing");
		p->keys |= 1u << i;
		p->key = &keys[i];
		return keys[i].read(p, rule, value);
	}
	return rules_fault(p, name.ptr, "there is no such key");
}
