// parse.c - parse rules: thresholds as text, for counter values that indicate trouble
// SPDX-License-Identifier: MIT

#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf.h"
#include "rules/parser.h"
#include "rules/words.h"

static bool
read_key(struct rules_parser *p, struct pmon_span line)
{
	const char *equals = memchr(line.ptr, '=', line.len);

	if (equals == NULL)
		return rules_fault(p, line.ptr, "expected [name] or key = value");
	return rules_read_value(p,
				trimmed((struct pmon_span){line.ptr, (size_t)(equals - line.ptr)}),
				rest_of(line, (size_t)(equals - line.ptr) + 1));
}

// Call at the beginning of the next rule or at the end of the text.
static bool
finish_rule(struct rules_parser *p)
{
	struct rules_rule *r = rules_newest(p);
	const char *text = r != NULL ? rules_fault_of(r) : NULL;

	if (text != NULL)
		return rules_fault_at(p, r->line, 1, text);
	if (r != NULL)
		rules_note_pack(p->rules, r);
	for (size_t i = 0; r != NULL && i < RULES_LEVELS; i++)
		if (!r->limits[i].has_own_hold)
			r->limits[i].hold = r->hold;
	return true;
}

static bool
add_rule(struct rules_parser *p, struct pmon_span name)
{
	if (p->rules->n == p->cap) {
		size_t cap = p->cap == 0 ? 16 : p->cap * 2;
		struct rules_rule *grown = realloc(p->rules->list, cap * sizeof(*grown));

		if (grown == NULL)
			return rules_fault_at(p, 0, 0, "not enough memory");
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
begin_rule(struct rules_parser *p, struct pmon_span line)
{
	const char *close = memchr(line.ptr, ']', line.len);
	struct pmon_span name;

	if (close == NULL)
		return rules_fault(p, line.ptr, "the bracket is not closed");
	if (close + 1 != line.ptr + line.len)
		return rules_fault(p, close + 1, "unexpected text after the name of the rule");
	name = trimmed((struct pmon_span){line.ptr + 1, (size_t)(close - line.ptr) - 1});
	if (name.len == 0)
		return rules_fault(p, line.ptr, "the name is missing");
	if (!finish_rule(p))
		return false;
	for (size_t i = 0; i < p->rules->n; i++)
		if (pmon_text_same(p->rules->list[i].name, name))
			return rules_fault(p, name.ptr, "there is already a rule with this name");
	if (p->rules->n == RULES_MOST)
		return rules_fault(p, line.ptr, "more than 1000 rules");
	return add_rule(p, name);
}

static bool
check_characters(struct rules_parser *p, struct pmon_span line)
{
	size_t pos = 0;

	while (pos < line.len) {
		size_t at = pos;
		uint32_t c;

		if (line.ptr[pos] >= ' ' && line.ptr[pos] <= '~') { // most characters are
			pos++;
			continue;
		}
		c = pmon_utf8_next(line, &pos);
		if (c != '\t' && pmon_utf_is_unsafe(c))
			return rules_fault(p, line.ptr + at, "invalid UTF-8");
	}
	return true;
}

static bool
read_one(struct rules_parser *p, struct pmon_span line)
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
read_all(struct rules_parser *p, struct pmon_span text)
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

// Make room for a copy of the texts, which the rules keep. Fails if memory runs out.
static bool
begin_texts(struct rules_parser *p, const struct pmon_span *texts, size_t n)
{
	size_t len = 0;

	for (size_t i = 0; i < n; i++)
		len += texts[i].len;
	*p->rules = (struct rules){.text = malloc(len + 1)};
	p->room = p->rules->text;
	return p->rules->text != NULL || rules_fault_at(p, 0, 0, "not enough memory");
}

// Begin a text, of which *copy is kept. Rejects texts that are too long.
static bool
begin_text(struct rules_parser *p, struct pmon_span text, struct pmon_span *copy)
{
	if (text.len > 0)
		memcpy(p->room, text.ptr, text.len);
	p->room[text.len] = '\0'; // up to the next text
	*copy = (struct pmon_span){p->room, text.len};
	p->room += text.len;
	p->first = p->rules->n;
	p->whole = (struct rules_rule){.hold = {.samples = 1}, .times = 1};
	p->keys = 0;
	p->line = 0;
	return text.len <= RULES_BYTES || rules_fault_at(p, 1, 1, "larger than 1 MiB");
}

static bool
read_text_whole(struct rules_parser *p, struct pmon_span text)
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
	struct rules_parser p = {.rules = out, .why = why};
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

// Read the keys after the limit of a condition, such as "for 1m" or "share 10% within 1h", from the
// last to the first. Returns what precedes them; its ptr is NULL if one is invalid.
static struct pmon_span
read_keys_after(struct rules_parser *p, struct pmon_span text)
{
	static const char *const names[] = {"for", "share", "within", "clear"};
	const size_t n = sizeof(names) / sizeof(names[0]);

	for (;;) {
		size_t last = n;
		size_t at = 0;
		struct pmon_span name;

		for (size_t i = 0; i < n; i++) {
			size_t found = last_word(text, names[i], '\0');

			if (found < text.len && found > at)
				last = i, at = found;
		}
		if (last == n)
			return text;
		name = (struct pmon_span){rest_of(text, at).ptr, strlen(names[last])};
		if (!rules_read_value(p, name, rest_of(rest_of(text, at), name.len)))
			return (struct pmon_span){NULL, 0};
		text = trimmed((struct pmon_span){text.ptr, at});
	}
}

// Remove the word from the end of a pattern. False if it is missing.
static bool
take_last_word(struct pmon_span *s, const char *word)
{
	size_t len = strlen(word);

	if (s->len <= len || !is_blank(s->ptr[s->len - len - 1]) ||
	    memcmp(s->ptr + s->len - len, word, len) != 0)
		return false;
	*s = trimmed((struct pmon_span){s->ptr, s->len - len});
	return true;
}

// The parts of a condition are the values of keys. `while` is followed by a path, and other keys
// come after the operator, so a name containing such a word is not mistaken for it.
static bool
read_condition(struct rules_parser *p, struct pmon_span text)
{
	size_t at = last_word(text, "while", '\\');
	struct pmon_span second = rest_of(text, at);
	struct pmon_span first = trimmed((struct pmon_span){text.ptr, at});
	const char *op = rules_operator_in(first);
	struct pmon_span counter;
	struct pmon_span limit;
	bool is_trend;

	if (op == NULL)
		return rules_fault(p, first.ptr, RULES_NO_OPERATOR);
	counter = trimmed((struct pmon_span){first.ptr, (size_t)(op - first.ptr)});
	limit = rest_of(first, (size_t)(op - first.ptr));
	is_trend = take_last_word(&counter, "trend");
	if (!is_trend)
		limit = read_keys_after(p, limit);
	return limit.ptr != NULL && rules_read_value(p, PMON_SPAN("counter"), counter) &&
	       rules_read_value(p, is_trend ? PMON_SPAN("trend") : PMON_SPAN("warning"), limit) &&
	       (second.len == 0 ||
		rules_read_value(p, PMON_SPAN("while"), rest_of(second, strlen("while"))));
}

bool
rules_parse_condition(struct pmon_span text, struct rules *out, struct rules_error *why)
{
	struct rules_parser p = {.rules = out, .why = why};
	struct pmon_span copy = {NULL, 0};
	bool good = begin_texts(&p, &text, 1) && begin_text(&p, text, &copy);

	p.line = 1;
	p.start = copy.ptr;
	if (good && check_characters(&p, copy) && add_rule(&p, trimmed(copy)) &&
	    read_condition(&p, trimmed(copy)) && finish_rule(&p))
		return true;
	rules_free(out);
	return false;
}

bool
rules_parse_show(struct pmon_span text, struct rules *rules, struct rules_error *why)
{
	struct rules_parser p = {.rules = rules, .why = why, .line = 1, .start = text.ptr};

	return check_characters(&p, text) && rules_read_value(&p, PMON_SPAN("show"), trimmed(text));
}
