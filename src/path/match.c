// match.c - compare counter paths with patterns and with each other
// SPDX-License-Identifier: MIT

#include <pmon/path.h>

#include <string.h>

#include "base/text.h"
#include "base/utf.h"
#include "path/words.h"

// ---- Text in pieces -------------------------------------------------------------------------
//
// An instance is compared as it would be printed, "parent/instance#index", but without printing it:
// as a sequence of pieces. Plain text is one piece.

#define PIECES   12                    // of a printed path
#define DIGITS   sizeof("#2147483647") // the longest index
#define END_TEXT UINT32_MAX            // after the last character; not a code point

struct pieces {
	size_t n;
	struct pmon_span piece[PIECES];
	char digits[DIGITS];
};

// A position in a text. A copy of it remembers the position.
struct cursor {
	const struct pieces *text;
	size_t piece;
	size_t at;
};

static void
add_piece(struct pieces *text, struct pmon_span piece)
{
	text->piece[text->n++] = piece;
}

// Most texts are one piece; the others need not be initialized.
static void
put_only(struct pieces *text, struct pmon_span piece)
{
	text->n = 0;
	add_piece(text, piece);
}

static struct cursor
start_of(const struct pieces *text)
{
	return (struct cursor){text, 0, 0};
}

static bool
is_wildcard(char c)
{
	return c == '*' || c == '?';
}

static unsigned char
lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? (unsigned char)(c + 'a' - 'A') : c;
}

// The character at the cursor with its case folded; moves the cursor past it.
static inline uint32_t
next_character(struct cursor *c)
{
	const struct pmon_span *piece = &c->text->piece[c->piece];

	while (c->piece < c->text->n && c->at == piece->len) {
		c->piece++;
		piece++;
		c->at = 0;
	}
	if (c->piece == c->text->n)
		return END_TEXT;
	if ((unsigned char)piece->ptr[c->at] < 0x80) // nearly all
		return lower((unsigned char)piece->ptr[c->at++]);
	return pmon_utf_fold(pmon_utf8_next(*piece, &c->at));
}

// Let a * consume what cannot match `after`, the character that follows it in the pattern: the
// ASCII characters of the current piece up to the next such character. Most patterns are *word*.
static void
skip_to(struct cursor *text, uint32_t after)
{
	const struct pmon_span *piece;
	size_t at = text->at;

	if (text->piece == text->text->n || after >= 0x80 || is_wildcard((char)after))
		return;
	piece = &text->text->piece[text->piece];
	while (at < piece->len && (unsigned char)piece->ptr[at] < 0x80 &&
	       lower((unsigned char)piece->ptr[at]) != after)
		at++;
	text->at = at;
}

// The classic algorithm: advance in step, and on a mismatch let the last * consume one more
// character. Earlier stars need not be retried, so the work is at most the product of both lengths.
static bool
is_match(const struct pieces *pattern, const struct pieces *text)
{
	struct cursor p = start_of(pattern);
	struct cursor t = start_of(text);
	struct cursor behind_star = p;
	struct cursor star_takes = t;
	uint32_t after_star = 0;
	bool star_seen = false;

	for (;;) {
		uint32_t want = next_character(&p);
		uint32_t got;

		if (want == '*') {
			star_seen = true;
			behind_star = p;
			after_star = next_character(&p);
			p = behind_star;
			skip_to(&t, after_star);
			star_takes = t;
			continue;
		}
		got = next_character(&t);
		if (got == END_TEXT) // if the star consumed more, even less would be left
			return want == END_TEXT;
		if (want == got || want == '?')
			continue;
		if (!star_seen)
			return false;
		(void)next_character(&star_takes);
		skip_to(&star_takes, after_star);
		p = behind_star;
		t = star_takes;
	}
}

static bool
is_same(const struct pieces *a, const struct pieces *b)
{
	struct cursor in_a = start_of(a);
	struct cursor in_b = start_of(b);
	uint32_t c;

	do {
		c = next_character(&in_a);
		if (c != next_character(&in_b))
			return false;
	} while (c != END_TEXT);
	return true;
}

// Skip the common beginning, if it is plain ASCII: this decides most comparisons. True if one of
// the texts ends there, or if the next characters are ASCII too.
static bool
skip_alike(struct pmon_span *a, struct pmon_span *b)
{
	while (a->len > 0 && b->len > 0) {
		unsigned char in_a = (unsigned char)a->ptr[0];
		unsigned char in_b = (unsigned char)b->ptr[0];

		if (in_a >= 0x80 || in_b >= 0x80)
			return false;
		if (lower(in_a) != lower(in_b) || is_wildcard(a->ptr[0]))
			return true;
		*a = (struct pmon_span){a->ptr + 1, a->len - 1};
		*b = (struct pmon_span){b->ptr + 1, b->len - 1};
	}
	return true;
}

bool
pmon_text_match(struct pmon_span pattern, struct pmon_span text)
{
	bool is_decided = skip_alike(&pattern, &text);
	struct pieces p;
	struct pieces t;

	if (is_decided && (pattern.len == 0 || !is_wildcard(pattern.ptr[0])))
		return pattern.len == 0 && text.len == 0;
	put_only(&p, pattern);
	put_only(&t, text);
	return is_match(&p, &t);
}

bool
pmon_text_same(struct pmon_span a, struct pmon_span b)
{
	struct pieces in_a;
	struct pieces in_b;

	if (skip_alike(&a, &b) && (a.len == 0 || !is_wildcard(a.ptr[0])))
		return a.len == 0 && b.len == 0;
	put_only(&in_a, a);
	put_only(&in_b, b);
	return is_same(&in_a, &in_b);
}

// ---- Instances ------------------------------------------------------------------------------

static void
add_parent(struct pieces *text, const struct pmon_path *path)
{
	if (path->parent.ptr == NULL)
		return;
	add_piece(text, path->parent);
	add_piece(text, PMON_SPAN("/"));
}

static void
add_index(struct pieces *text, int32_t index)
{
	struct pmon_text digits = pmon_text_init(text->digits, sizeof(text->digits));

	pmon_text_char(&digits, '#');
	if (index == PMON_INDEX_ANY)
		pmon_text_char(&digits, '*');
	else
		pmon_text_i64(&digits, index);
	add_piece(text, (struct pmon_span){text->digits, digits.len});
}

static bool
holds_wildcard(struct pmon_span text)
{
	return text.len > 0 &&
	       (memchr(text.ptr, '*', text.len) != NULL || memchr(text.ptr, '?', text.len) != NULL);
}

static bool
index_match(const struct pmon_path *pattern, int32_t index)
{
	if (pattern->index == PMON_INDEX_ANY)
		return true;
	if (pattern->index != PMON_INDEX_NONE)
		return pattern->index == index;
	return index == 0 || holds_wildcard(pattern->parent) || holds_wildcard(pattern->instance);
}

static bool
has_hash(const struct pmon_path *pattern)
{
	struct pmon_span name = pattern->instance;

	return pattern->index != PMON_INDEX_NONE || memchr(name.ptr, '#', name.len) != NULL;
}

// Do the names match? If both sides have a parent, parents are compared separately, otherwise as
// part of the name: names may contain slashes, so a pattern need not say which slash separates the
// parent.
static bool
name_match(const struct pmon_path *pattern, const struct pmon_path *path, bool with_index)
{
	bool apart = pattern->parent.ptr != NULL && path->parent.ptr != NULL;
	struct pieces want;
	struct pieces got;

	if (apart && !pmon_text_match(pattern->parent, path->parent))
		return false;
	want.n = 0;
	got.n = 0;
	if (!apart) {
		add_parent(&want, pattern);
		add_parent(&got, path);
	}
	add_piece(&want, pattern->instance);
	add_piece(&got, path->instance);
	if (with_index) {
		if (pattern->index != PMON_INDEX_NONE)
			add_index(&want, pattern->index);
		if (path->index > 0)
			add_index(&got, path->index);
	}
	return is_match(&want, &got);
}

static bool
instance_match(const struct pmon_path *pattern, const struct pmon_path *path)
{
	if (pattern->instance.ptr == NULL || path->instance.ptr == NULL)
		return pattern->instance.ptr == path->instance.ptr;
	if (index_match(pattern, path->index) && name_match(pattern, path, false))
		return true;
	// Compare the pattern with the index as written: "svchost#?" finds duplicates that way, and
	// names that contain a '#' of their own are found at all.
	return has_hash(pattern) && name_match(pattern, path, true);
}

static void
add_printed(struct pieces *text, const struct pmon_path *path)
{
	add_parent(text, path);
	add_piece(text, path->instance);
	if (path->index > 0 || path->index == PMON_INDEX_ANY)
		add_index(text, path->index);
}

// Instances are the same if they print the same, however parent and index were split off.
static bool
instance_same(const struct pmon_path *a, const struct pmon_path *b)
{
	struct pieces in_a;
	struct pieces in_b;

	if (a->instance.ptr == NULL || b->instance.ptr == NULL)
		return a->instance.ptr == b->instance.ptr;
	in_a.n = 0;
	in_b.n = 0;
	add_printed(&in_a, a);
	add_printed(&in_b, b);
	return is_same(&in_a, &in_b);
}

// ---- Paths ----------------------------------------------------------------------------------

// Does the text begin with these ASCII characters, in any case?
static bool
begins_with(struct pmon_span text, struct pmon_span start)
{
	return text.len >= start.len &&
	       pmon_text_same((struct pmon_span){text.ptr, start.len}, start);
}

static bool
is_letter(char c)
{
	return (unsigned char)(lower((unsigned char)c) - 'a') < 26;
}

// Do both begin with an ASCII letter, but different ones? Most patterns are for another object,
// which this detects.
static bool
begins_otherwise(struct pmon_span a, struct pmon_span b)
{
	return a.len > 0 && b.len > 0 && is_letter(a.ptr[0]) && is_letter(b.ptr[0]) &&
	       lower((unsigned char)a.ptr[0]) != lower((unsigned char)b.ptr[0]);
}

// A named instance of SQL Server has its own objects: "MSSQL$NAME:Locks" is the counterpart of the
// default instance's "SQLServer:Locks".
static bool
object_match(struct pmon_span pattern, struct pmon_span object)
{
	struct pmon_span server = PMON_SPAN("SQLServer:");
	const char *colon;
	size_t prefix;

	if (!begins_otherwise(pattern, object) && pmon_text_match(pattern, object))
		return true;
	if (object.len < 6 || object.ptr[5] != '$') // like most objects
		return false;
	if (!begins_with(object, PMON_SPAN("MSSQL$")) || !begins_with(pattern, server))
		return false;
	colon = memchr(object.ptr, ':', object.len);
	if (colon == NULL)
		return false;
	prefix = (size_t)(colon - object.ptr) + 1;
	return pmon_text_match(
		(struct pmon_span){pattern.ptr + server.len, pattern.len - server.len},
		(struct pmon_span){object.ptr + prefix, object.len - prefix});
}

bool
pmon_path_contains(const struct pmon_path *path, struct pmon_span text)
{
	struct pieces want;
	struct pieces got;

	put_only(&want, PMON_SPAN("*"));
	add_piece(&want, text);
	add_piece(&want, PMON_SPAN("*"));
	put_only(&got, PMON_SPAN("\\\\"));
	if (path->machine.len == 0)
		got.n = 0;
	else
		add_piece(&got, path->machine);
	add_piece(&got, PMON_SPAN("\\"));
	add_piece(&got, path->object);
	if (path->instance.ptr != NULL) {
		add_piece(&got, PMON_SPAN("("));
		add_printed(&got, path);
		add_piece(&got, PMON_SPAN(")"));
	}
	add_piece(&got, PMON_SPAN("\\"));
	add_piece(&got, path->counter);
	return is_match(&want, &got);
}

bool
pmon_path_match(const struct pmon_path *pattern, const struct pmon_path *path)
{
	if (pmon_path_is_words(pattern))
		return pmon_words_match(pattern->counter, path, 1);
	if (pattern->machine.len > 0 && !pmon_text_match(pattern->machine, path->machine))
		return false;
	// Compare the counter before the instance, which takes longer.
	return object_match(pattern->object, path->object) &&
	       pmon_text_match(pattern->counter, path->counter) && instance_match(pattern, path);
}

bool
pmon_path_same(const struct pmon_path *a, const struct pmon_path *b)
{
	return pmon_text_same(a->machine, b->machine) && pmon_text_same(a->object, b->object) &&
	       instance_same(a, b) && pmon_text_same(a->counter, b->counter);
}

bool
pmon_path_is_total(const struct pmon_path *path)
{
	struct pmon_span name = path->instance;
	struct pmon_span total = PMON_SPAN("_Total");

	if (name.ptr == NULL || name.len < total.len)
		return false;
	if (name.len > total.len && name.ptr[name.len - total.len - 1] != ',')
		return false;
	name.ptr += name.len - total.len;
	name.len = total.len;
	return pmon_text_same(name, total);
}

bool
pmon_path_is_sum(const struct pmon_path *path)
{
	return pmon_path_is_total(path) || pmon_text_same(path->instance, PMON_SPAN("_Global_")) ||
	       pmon_text_same(path->parent, PMON_SPAN("_Total"));
}

// Process V2 names it "Idle:0"; Process does so with "_0" if names of processes have their ID.
static bool
is_idle(struct pmon_span instance)
{
	return pmon_text_same(instance, PMON_SPAN("Idle")) ||
	       pmon_text_same(instance, PMON_SPAN("Idle:0")) ||
	       pmon_text_same(instance, PMON_SPAN("Idle_0"));
}

bool
pmon_path_ranks(const struct pmon_path *path)
{
	return !pmon_path_is_sum(path) && !is_idle(path->instance) && !is_idle(path->parent);
}
