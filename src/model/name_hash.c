// name_hash.c - hashes of counter names
// SPDX-License-Identifier: MIT

#include "model/name_hash.h"

#include "base/utf.h"

// U+00C0..U+024F without diacritics; a blank where that is no ASCII letter.
static const char plain_letters[] =
	"aaaaaa ceeeeiiii nooooo ouuuuy  aaaaaa ceeeeiiii nooooo ouuuuy y" // U+00C0
	"aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkk llllll " // U+0100
	" llnnnnnn   oooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs" // U+0140
	"                                oo             uu               " // U+0180
	"             aaiioouuuuuuuuuu aaaa    ggkkoooo  j   gg  nnaa    " // U+01C0
	"aaaaeeeeiiiioooorrrruuuusstt  hh      aaeeooooooooyy            " // U+0200
	"                ";                                                // U+0240

#define FIRST_LETTER 0xC0
#define LAST_LETTER  0x24F

// A code point without case and diacritics; 0 for a diacritic alone.
static uint32_t
plain(uint32_t c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
	c = pmon_utf_fold(c);
	if (c >= FIRST_LETTER && c <= LAST_LETTER)
		return plain_letters[c - FIRST_LETTER] != ' '
			       ? (uint32_t)plain_letters[c - FIRST_LETTER]
			       : c;
	if (c >= 0x300 && c <= 0x36F)
		return 0;
	if (c >= 0x2010 && c <= 0x2015)
		return '-';
	if (c == 0x2018 || c == 0x2019)
		return '\'';
	return c == 0xA0 ? ' ' : c;
}

uint64_t
pmon_name_mix(uint64_t hash, struct pmon_span name)
{
	for (size_t i = 0; i < name.len;) {
		uint32_t c = plain(pmon_utf8_next(name, &i));

		if (c != 0)
			hash = (hash ^ c) * PMON_NAME_PRIME;
	}
	return hash;
}
