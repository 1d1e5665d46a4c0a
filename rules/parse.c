// parse.c - thresholds as text: rules that say which values of a counter are a sign of trouble
// SPDX-License-Identifier: MIT

#include "rules/rules.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/time.h"
#include "base/utf.h"
#include "rules/words.h"

struct parser {
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

// A key of the rule that is being read. value is its text, without spaces around it.
struct key {
	const char *name;
	bool once;
	bool (*read)(struct parser *p, struct rules_rule *rule, struct pmon_span value);
	size_t list; // of add_pattern() and add_line(): where in struct rules_rule
};

static bool
fault_at(struct parser *p, unsigned line, unsigned column, const char *text)
{
	*p->why = (struct rules_error){line, column, text};
	return false;
}

static bool
fault(struct parser *p, const char *at, const char *text)
{
	return fault_at(p, p->line, (unsigned)(at - p->start) + 1, text);
}

// ---- Values of keys -------------------------------------------------------------------------

static bool
read_pattern(struct parser *p, struct rules_patterns *patterns, struct pmon_span value)
{
	struct pmon_path_error why;

	if (patterns->n == RULES_LINES)
		return fault(p, value.ptr, "more than 8 of these");
	patterns->list[patterns->n] = rules_take_pattern(p->rules, value, &why);
	if (patterns->list[patterns->n] != NULL)
		patterns->n++;
	else if (why.text != NULL)
		return fault(p, value.ptr + why.at, why.text);
	else
		return fault_at(p, 0, 0, "not enough memory");
	return true;
}

static bool
read_line(struct parser *p, struct rules_lines *lines, struct pmon_span value)
{
	if (lines->n == RULES_LINES)
		return fault(p, value.ptr, "more than 8 of these");
	lines->list[lines->n++] = value;
	return true;
}

static bool
read_pack(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	(void)p;
	rule->pack = value;
	return true;
}

// Keys that take a list of patterns, or lines of text.
static bool
add_pattern(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	void *list = (char *)rule + p->key->list;

	return read_pattern(p, list, value);
}

static bool
add_line(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	void *list = (char *)rule + p->key->list;

	return read_line(p, list, value);
}

static bool
read_source(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct rules_source *source = rules_open_source(rule);

	return source != NULL ? read_line(p, &source->texts, value)
			      : fault(p, value.ptr, "more than 8 of these");
}

// Only what a browser may be given.
static bool
read_link(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct rules_source *source;

	if (value.len < 9 || memcmp(value.ptr, "https://", 8) != 0 ||
	    memchr(value.ptr, ' ', value.len) != NULL)
		return fault(p, value.ptr, "a link begins with https:// and has no spaces");
	source = rules_open_source(rule);
	if (source == NULL)
		return fault(p, value.ptr, "more than 8 of these");
	source->link = value;
	return true;
}

// "20ms"
static bool
read_level(struct parser *p, struct rules_limit *limit, struct pmon_span value)
{
	char number[sizeof(limit->threshold.text)];

	if (value.len > 0 && value.len < sizeof(number)) {
		memcpy(number, value.ptr, value.len);
		number[value.len] = '\0';
		limit->given = draw_threshold_parse(number, &limit->threshold);
	}
	return limit->given ||
	       fault(p, value.ptr, "a limit is a number with a unit, such as 20ms, 5%, 100MB, 2");
}

static bool
read_limit(struct parser *p, struct rules_limit *limit, struct pmon_span value)
{
	bool below = value.ptr[0] == '<';

	if (!below && value.ptr[0] != '>')
		return fault(p, value.ptr, "a limit begins with >, >=, < or <=");
	limit->or_equal = value.len > 1 && value.ptr[1] == '=';
	if (!read_level(p, limit, rest_of(value, limit->or_equal ? 2 : 1)))
		return false;
	limit->threshold.below = below;
	return true;
}

static bool
read_clear(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_level(p, &rule->clear, value);
}

// The last operator of a condition, as names of counters may have some too; NULL if there is none.
static const char *
operator_in(struct pmon_span s)
{
	for (size_t i = s.len; i-- > 0;) {
		if (s.ptr[i] == '<' || s.ptr[i] == '>')
			return s.ptr + i;
		if (s.ptr[i] == '\\')
			break; // before it there are objects and instances
	}
	return NULL;
}

// "PATTERN > LIMIT"
static bool
read_comparison(struct parser *p, struct rules_patterns *patterns, struct rules_limit *limit,
		struct pmon_span value)
{
	const char *op = operator_in(value);

	if (op == NULL)
		return fault(p, value.ptr, "a condition is a counter, >, >=, < or <=, and a limit");
	return read_pattern(p, patterns,
			    trimmed((struct pmon_span){value.ptr, (size_t)(op - value.ptr)})) &&
	       read_limit(p, limit, rest_of(value, (size_t)(op - value.ptr)));
}

static bool
read_while(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_comparison(p, &rule->whiles, &rule->while_limit, value);
}

// "PATTERN top N"
static bool
read_show(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	size_t at = last_word(value, "top", '\0');
	struct pmon_span last = rest_of(value, at);
	uint64_t top = 0;

	if (last.len == 0 || !pmon_num_parse_u64(rest_of(last, strlen("top")), &top) || top == 0 ||
	    top > RULES_TOP)
		return fault(p, value.ptr,
			     "takes a pattern and a number up to 20: \\Process(*)\\% Processor "
			     "Time top 3");
	rule->show_top = (size_t)top > rule->show_top ? (size_t)top : rule->show_top;
	return read_pattern(p, &rule->shows, trimmed((struct pmon_span){value.ptr, at}));
}

static bool
read_warning(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_limit(p, &rule->limits[RULES_WARNING], value);
}

static bool
read_critical(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return read_limit(p, &rule->limits[RULES_CRITICAL], value);
}

// "10%", "3 samples", "5m".
static bool
read_for(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	size_t digits = strspn(value.ptr, ".0123456789");
	struct pmon_span number = {value.ptr, digits < value.len ? digits : value.len};
	struct pmon_span unit = rest_of(value, number.len);
	bool good = false;

	if (is(unit, "%")) {
		rule->lasting = RULES_SHARE;
		good = pmon_num_parse_double(number, &rule->share) && rule->share > 0 &&
		       rule->share <= 100;
		rule->share /= 100;
	} else if (is(unit, "samples") || is(unit, "sample")) {
		rule->lasting = RULES_SAMPLES;
		good = pmon_num_parse_u64(number, &rule->samples) && rule->samples > 0;
	} else if (unit.len > 0) {
		rule->lasting = RULES_TIME;
		good = pmon_time_parse_span(value, &rule->time_100ns) && rule->time_100ns > 0;
	}
	return good ||
	       fault(p, value.ptr,
		     "takes a share such as 10%, a number of samples, or a duration such as 5m");
}

static bool
read_trend(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	if (rule->limits[RULES_WARNING].given)
		return fault(p, value.ptr, RULES_NO_LIMITS);
	return rules_parse_trend(value, rule) ||
	       fault(p, value.ptr, "takes a slope and a time, such as > 50MB/h for 1h");
}

// "10%"
static bool
read_share(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	struct pmon_span number = {value.ptr, value.len - 1};

	if (value.ptr[value.len - 1] == '%' && pmon_num_parse_double(number, &rule->window_share) &&
	    rule->window_share > 0 && rule->window_share <= 100) {
		rule->window_share /= 100;
		return true;
	}
	return fault(p, value.ptr, "takes a share such as 10%");
}

static bool
read_within(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	return (pmon_time_parse_span(value, &rule->within_100ns) && rule->within_100ns > 0) ||
	       fault(p, value.ptr, "takes a duration such as 1h");
}

static bool
read_times(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	if (pmon_num_parse_double(value, &rule->times) && rule->times > 0)
		return true;
	return fault(p, value.ptr, "takes a number above 0");
}

static bool
read_per(struct parser *p, struct rules_rule *rule, struct pmon_span value)
{
	rule->per_processor = is(value, "processor");
	return rule->per_processor || fault(p, value.ptr, "takes the word processor");
}

// ---- Lines ----------------------------------------------------------------------------------

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
	{"per", true, read_per, 0},
	{"while", true, read_while, 0},
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
#define N_LEADING 3 // keys that may stand before the first rule, for all rules of the text

// The newest rule of this text; NULL before its first.
static struct rules_rule *
newest(const struct parser *p)
{
	return p->rules->n > p->first ? &p->rules->list[p->rules->n - 1] : NULL;
}

static bool
read_key(struct parser *p, struct pmon_span line)
{
	struct rules_rule *rule = newest(p) != NULL ? newest(p) : &p->whole;
	const char *equals = memchr(line.ptr, '=', line.len);
	struct pmon_span name;
	struct pmon_span value;

	if (equals == NULL)
		return fault(p, line.ptr, "neither [name] nor key = value");
	name = trimmed((struct pmon_span){line.ptr, (size_t)(equals - line.ptr)});
	value = rest_of(line, (size_t)(equals - line.ptr) + 1);
	for (size_t i = 0; i < N_KEYS; i++) {
		if (!is(name, keys[i].name))
			continue;
		if (rule == &p->whole && i >= N_LEADING)
			return fault(p, line.ptr, "a rule begins with its [name]");
		if (keys[i].once && (p->keys & 1u << i))
			return fault(p, line.ptr, "is given twice in this rule");
		if (value.len == 0)
			return fault(p, equals + 1, "the value is missing");
		p->keys |= 1u << i;
		p->key = &keys[i];
		return keys[i].read(p, rule, value);
	}
	return fault(p, line.ptr, "there is no such key");
}

// At the beginning of the next rule, or at the end.
static bool
finish_rule(struct parser *p)
{
	const struct rules_rule *r = newest(p);
	const char *text = r != NULL ? rules_fault_of(r) : NULL;

	return text == NULL || fault_at(p, r->line, 1, text);
}

static bool
add_rule(struct parser *p, struct pmon_span name)
{
	if (p->rules->n == p->cap) {
		size_t cap = p->cap == 0 ? 16 : p->cap * 2;
		struct rules_rule *grown = realloc(p->rules->list, cap * sizeof(*grown));

		if (grown == NULL)
			return fault_at(p, 0, 0, "not enough memory");
		p->rules->list = grown;
		p->cap = cap;
	}
	p->keys = 0;
	p->rules->list[p->rules->n] = p->whole;
	p->rules->list[p->rules->n].name = name;
	p->rules->list[p->rules->n++].line = p->line;
	return true;
}

static bool
begin_rule(struct parser *p, struct pmon_span line)
{
	const char *close = memchr(line.ptr, ']', line.len);
	struct pmon_span name;

	if (close == NULL)
		return fault(p, line.ptr, "the bracket is not closed");
	if (close + 1 != line.ptr + line.len)
		return fault(p, close + 1, "nothing may follow the name of a rule");
	name = trimmed((struct pmon_span){line.ptr + 1, (size_t)(close - line.ptr) - 1});
	if (name.len == 0)
		return fault(p, line.ptr, "the name is missing");
	if (!finish_rule(p))
		return false;
	for (size_t i = 0; i < p->rules->n; i++)
		if (pmon_text_same(p->rules->list[i].name, name))
			return fault(p, name.ptr, "there is a rule of this name already");
	if (p->rules->n == RULES_MOST)
		return fault(p, line.ptr, "more than 1000 rules");
	return add_rule(p, name);
}

static bool
check_characters(struct parser *p, struct pmon_span line)
{
	size_t pos = 0;

	while (pos < line.len) {
		size_t at = pos;
		uint32_t c;

		if (line.ptr[pos] >= ' ' && line.ptr[pos] <= '~') { // most are
			pos++;
			continue;
		}
		c = pmon_utf8_next(line, &pos);
		if (c != '\t' && pmon_utf_is_unsafe(c))
			return fault(p, line.ptr + at, "invalid UTF-8");
	}
	return true;
}

static bool
read_one(struct parser *p, struct pmon_span line)
{
	struct pmon_span bare = line;

	if (bare.len > 0 && bare.ptr[bare.len - 1] == '\r')
		bare.len--;
	if (!check_characters(p, bare))
		return false;
	bare = trimmed(bare);
	if (bare.len == 0 || bare.ptr[0] == '#')
		return true;
	return bare.ptr[0] == '[' ? begin_rule(p, bare) : read_key(p, bare);
}

static bool
read_all(struct parser *p, struct pmon_span text)
{
	while (text.len > 0) {
		const char *end = memchr(text.ptr, '\n', text.len);
		size_t len = end != NULL ? (size_t)(end - text.ptr) : text.len;
		size_t used = end != NULL ? len + 1 : len;

		p->line++;
		p->start = text.ptr;
		if (!read_one(p, (struct pmon_span){text.ptr, len}))
			return false;
		text = (struct pmon_span){text.ptr + used, text.len - used};
	}
	return finish_rule(p);
}

// Make room for a copy of the texts, which the rules keep. Without memory it fails.
static bool
begin_texts(struct parser *p, const struct pmon_span *texts, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += texts[i].len;
	*p->rules = (struct rules){.text = malloc(len + 1)};
	p->room = p->rules->text;
	return p->rules->text != NULL || fault_at(p, 0, 0, "not enough memory");
}

// Begin with a text, of which *copy is kept. One that is too long is refused.
static bool
begin_text(struct parser *p, struct pmon_span text, struct pmon_span *copy)
{
	if (text.len > 0)
		memcpy(p->room, text.ptr, text.len);
	p->room[text.len] = '\0'; // up to the next text
	*copy = (struct pmon_span){p->room, text.len};
	p->room += text.len;
	p->first = p->rules->n;
	p->whole = (struct rules_rule){.lasting = RULES_SAMPLES, .samples = 1, .times = 1};
	p->keys = 0;
	p->line = 0;
	return text.len <= RULES_BYTES || fault_at(p, 1, 1, "larger than a mebibyte");
}

static bool
read_text_whole(struct parser *p, struct pmon_span text)
{
	struct pmon_span copy;

	if (!begin_text(p, text, &copy))
		return false;
	if (copy.len >= 3 && memcmp(copy.ptr, "\xEF\xBB\xBF", 3) == 0)
		copy = (struct pmon_span){copy.ptr + 3, copy.len - 3};
	return read_all(p, copy);
}

bool
rules_parse_texts(const struct pmon_span *texts, size_t n, struct rules *out,
		  struct rules_error *why)
{
	struct parser p = {.rules = out, .why = why};
	bool good = begin_texts(&p, texts, n);

	for (size_t i = 0; good && i < n; i++)
		good = read_text_whole(&p, texts[i]);
	if (!good)
		rules_free(out);
	return good;
}

bool
rules_parse(struct pmon_span text, struct rules *out, struct rules_error *why)
{
	return rules_parse_texts(&text, 1, out, why);
}

// ---- A condition ----------------------------------------------------------------------------

// "PATTERN OP LIMIT [for LENGTH] [while PATTERN OP LIMIT]". A path follows `while`, and `for` is after the
// operator; so neither is taken for the word when a name has it.
static bool
read_condition(struct parser *p, struct rules_rule *rule, struct pmon_span text)
{
	size_t at = last_word(text, "while", '\\');
	struct pmon_span second = rest_of(text, at);
	struct pmon_span first = trimmed((struct pmon_span){text.ptr, at});
	size_t lasting = last_word(first, "for", '\0');
	const char *op = operator_in(first);

	if (op != NULL && lasting < first.len && first.ptr + lasting > op) {
		if (!read_for(p, rule, rest_of(rest_of(first, lasting), strlen("for"))))
			return false;
		first = trimmed((struct pmon_span){first.ptr, lasting});
	}
	return read_comparison(p, &rule->counters, &rule->limits[RULES_WARNING], first) &&
	       (second.len == 0 || read_while(p, rule, rest_of(second, strlen("while"))));
}

bool
rules_parse_condition(struct pmon_span text, struct rules *out, struct rules_error *why)
{
	struct parser p = {.rules = out, .why = why};
	struct pmon_span copy = {NULL, 0};
	bool good = begin_texts(&p, &text, 1) && begin_text(&p, text, &copy);

	p.line = 1;
	p.start = copy.ptr;
	if (good && check_characters(&p, copy) && add_rule(&p, trimmed(copy)) &&
	    read_condition(&p, newest(&p), trimmed(copy)))
		return true;
	rules_free(out);
	return false;
}

bool
rules_parse_show(struct pmon_span text, struct rules *rules, struct rules_error *why)
{
	struct parser p = {.rules = rules, .why = why, .line = 1, .start = text.ptr};

	return check_characters(&p, text) && read_show(&p, rules->list, trimmed(text));
}
