// codepage.c - the code page of a text log that does not name it
// SPDX-License-Identifier: MIT
//
// The beginning of the text is converted from each code page that Windows uses for its languages. The page in which most
// names of objects and counters are known is that of the log. Languages whose names are not in the table, and texts in
// which no name is foreign, are told apart by their bytes.

#include "format/pdhtext/pdhtext.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/english.h"
#include "os/codec.h"

#define MOST_BYTES   ((size_t)64 << 10) // of the text that are examined
#define OUT_PER_BYTE 3                  // bytes of UTF-8
#define PER_NAME     1000               // what a known name counts; the bytes count less in all
#define PER_BAD      100                // what an invalid byte takes off

// ---- Bytes ----------------------------------------------------------------------------------

// Two-byte characters: the lead bytes, and the range in which the common characters are.
struct pairs {
	uint8_t first_lead;
	uint8_t last_lead;
	uint8_t first_common;
	uint8_t last_common;
	bool has_low_trails; // among the common characters: 40 to 7E
	uint8_t percent;     // of common characters, at least
};

static bool
is_high(uint8_t c)
{
	return c >= 0x80;
}

// Is the text of such characters, nearly all of them common?
static bool
are_pairs(struct pmon_span text, const struct pairs *p)
{
	const uint8_t *bytes = (const uint8_t *)text.ptr;
	size_t n_common = 0;
	size_t n = 0;

	for (size_t i = 0; i + 1 < text.len; i++) {
		uint8_t trail = bytes[i + 1];

		if (!is_high(bytes[i]))
			continue;
		if (bytes[i] < p->first_lead || bytes[i] > p->last_lead || trail < 0x40 ||
		    trail == 0x7F)
			return false;
		n++;
		n_common += bytes[i] >= p->first_common && bytes[i] <= p->last_common &&
			    (trail >= 0xA1 || (p->has_low_trails && trail <= 0x7E));
		i++;
	}
	return n >= 2 && n_common * 100 >= n * p->percent;
}

// GB 2312 has its common characters in rows B0 to D7.
static unsigned
is_simplified_chinese(struct pmon_span text)
{
	static const struct pairs pairs = {0x81, 0xFE, 0xB0, 0xD7, false, 80};

	return are_pairs(text, &pairs) ? 700 : 0;
}

// Big5: A4 to C6.
static unsigned
is_traditional_chinese(struct pmon_span text)
{
	static const struct pairs pairs = {0x81, 0xFE, 0xA4, 0xC6, true, 80};

	return are_pairs(text, &pairs) ? 690 : 0;
}

// KS X 1001: all of its syllables are in rows B0 to C8.
static unsigned
is_korean(struct pmon_span text)
{
	static const struct pairs pairs = {0x81, 0xFD, 0xB0, 0xC8, false, 95};

	return are_pairs(text, &pairs) ? 800 : 0;
}

static bool
is_lead(uint8_t c)
{
	return (c >= 0x81 && c <= 0x9F) || (c >= 0xE0 && c <= 0xFC);
}

static bool
is_trail(uint8_t c)
{
	return c >= 0x40 && c <= 0xFC && c != 0x7F;
}

// Hiragana or katakana, without which no Japanese sentence does. trail is one.
static bool
is_kana(uint8_t lead, uint8_t trail)
{
	return (lead == 0x82 && trail >= 0x9F && trail <= 0xF1) || (lead == 0x83 && trail <= 0x96);
}

// Is the text Shift-JIS? Nearly all of Western text could be too, if strangely; but it has no kana.
static unsigned
is_japanese(struct pmon_span text)
{
	const uint8_t *bytes = (const uint8_t *)text.ptr;
	size_t n_kana = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (bytes[i] < 0x80 || (bytes[i] >= 0xA1 && bytes[i] <= 0xDF))
			continue; // ASCII, or half-width katakana
		if (!is_lead(bytes[i]))
			return 0;
		if (i + 1 == text.len)
			break; // cut
		if (!is_trail(bytes[i + 1]))
			return 0;
		n_kana += is_kana(bytes[i], bytes[i + 1]);
		i++;
	}
	return n_kana > 0 ? 900 : 0;
}

// How much of a text in an alphabet of its own, C0 to FF, are the frequent letters; 0 if it is in no such
// alphabet: its letters stand between those of ASCII.
static unsigned
alphabet(struct pmon_span text, const char *frequent)
{
	const uint8_t *bytes = (const uint8_t *)text.ptr;
	unsigned n_frequent = 0;
	unsigned n_runs = 0;
	unsigned n_letters = 0;
	unsigned n = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!is_high(bytes[i]))
			continue;
		n++;
		n_letters += bytes[i] >= 0xC0;
		n_frequent += strchr(frequent, (char)bytes[i]) != NULL;
		n_runs += i == 0 || !is_high(bytes[i - 1]);
	}
	if (n == 0 || n_letters * 100 < n * 95 || n < n_runs * 3)
		return 0;
	return 550 + 100 * n_frequent / n;
}

// The letters that are more than half of all texts: oeaintsr, and alpha, omicron, epsilon, iota, tau, sigma, nu,
// rho, eta.
static unsigned
is_cyrillic(struct pmon_span text)
{
	return alphabet(text, "\xEE\xE5\xE0\xE8\xED\xF2\xF1\xF0");
}

static unsigned
is_greek(struct pmon_span text)
{
	return alphabet(text, "\xE1\xEF\xE5\xE9\xF4\xF3\xF2\xED\xF1");
}

static unsigned
is_western(struct pmon_span text)
{
	(void)text;
	return 500;
}

static unsigned
is_by_names(struct pmon_span text)
{
	(void)text;
	return 0;
}

// ---- Names ----------------------------------------------------------------------------------

static unsigned
count_known(struct pmon_span field, char *scratch)
{
	enum pdht_path_fault fault;
	struct pmon_english english;
	struct pmon_path path;

	if (field.len == 0 || !pmon_pdht_path_read(field, scratch, &fault, &path) ||
	    !pmon_english_of(NULL, &path, &english))
		return 0;
	return pmon_text_same(english.counters[0], path.counter) ? 1 : 2;
}

// The known names in a converted line. scratch has text.len + 2 bytes.
static unsigned
count_names(struct pmon_span text, char *scratch)
{
	struct pdht_row row = {.ptr = text.ptr, .len = text.len};
	struct pdht_fields fields = pdht_fields(&row, pmon_pdht_separator(text), false);
	struct pdht_field field;
	unsigned n = 0;

	while (pmon_pdht_field_next(&fields, &field))
		n += count_known(pmon_pdht_trim(field.text), scratch);
	return n;
}

// ---- Pages ----------------------------------------------------------------------------------

// Windows' code pages for its languages, those that stand for others first.
static const struct page {
	struct pdht_code_page page;
	unsigned (*fits)(struct pmon_span text);
} pages[] = {
	{{"CP1252", "Western European"}, is_western},
	{{"CP1250", "Central European"}, is_by_names},
	{{"CP1254", "Turkish"}, is_by_names},
	{{"CP1251", "Cyrillic"}, is_cyrillic},
	{{"CP1253", "Greek"}, is_greek},
	{{"CP932", "Shift-JIS"}, is_japanese},
	{{"CP949", "Korean"}, is_korean},
	{{"CP936", "simplified Chinese"}, is_simplified_chinese},
	{{"CP950", "traditional Chinese"}, is_traditional_chinese},
};

// The text in UTF-8; the bytes that are invalid are left out, and counted.
static size_t
convert(struct pmon_codec *codec, struct pmon_span text, char *out, unsigned *n_bad)
{
	char *in = (char *)(uintptr_t)text.ptr;
	size_t left = text.len;
	size_t room = text.len * OUT_PER_BYTE;
	char *at = out;

	*n_bad = 0;
	while (left > 0) {
		enum pmon_codec_end end = pmon_codec_convert(codec, &in, &left, &at, &room);

		if (end != PMON_CODEC_BAD || left == 0)
			break;
		in++;
		left--;
		++*n_bad;
	}
	return (size_t)(at - out);
}

// How well the page fits; 0 if this system does not have it.
static unsigned
weigh(const struct page *page, struct pmon_span text, char *out)
{
	struct pmon_codec *codec;
	unsigned n_bad;
	unsigned weight;
	size_t len;

	if (pmon_codec_open(page->page.name, &codec, NULL) != PMON_OK)
		return 0;
	len = convert(codec, text, out, &n_bad);
	pmon_codec_close(codec);
	weight = count_names((struct pmon_span){out, len}, out + len) * PER_NAME + page->fits(text);
	return n_bad * PER_BAD < weight ? weight - n_bad * PER_BAD : 0;
}

const struct pdht_code_page *
pmon_pdht_guess_code_page(struct pmon_span text, const struct pmon_allocator *allocator)
{
	const struct page *best = &pages[0];
	unsigned best_weight = 0;
	size_t bytes;
	char *out;

	if (text.len > MOST_BYTES)
		text.len = MOST_BYTES;
	bytes = 2 * text.len * OUT_PER_BYTE + 2; // and scratch
	out = pmon_mem_alloc(allocator, bytes);
	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		unsigned weight = weigh(&pages[i], text, out);

		if (weight > best_weight) {
			best = &pages[i];
			best_weight = weight;
		}
	}
	pmon_mem_free(allocator, out, bytes);
	return &best->page;
}
