// codec.c - convert text in a code page to UTF-8, by Windows
// SPDX-License-Identifier: MIT

#include "os/codec.h"

#include <windows.h>

#include "base/err.h"

#define LONGEST 4 // bytes of a character in any code page

struct pmon_codec {
	UINT page;
	bool has_ascii; // bytes below 0x80 are characters of ASCII
};

// iconv's names for code pages; names that are a number are not listed.
static const struct {
	const char *name;
	UINT page;
} pages[] = {
	{"UTF-8", CP_UTF8}, {"UTF8", CP_UTF8},      {"ASCII", 20127},      {"US-ASCII", 20127},
	{"LATIN1", 28591},  {"SHIFT_JIS", 932},     {"SHIFT-JIS", 932},    {"SJIS", 932},
	{"EUC-JP", 20932},  {"EUC-KR", 949},        {"UHC", 949},          {"BIG5", 950},
	{"GBK", 936},       {"GB2312", 936},        {"GB18030", 54936},    {"KOI8-R", 20866},
	{"KOI8-U", 21866},  {"ISO-8859-10", 28600}, {"ISO8859-10", 28600},
};

static UINT
page_of(const char *name)
{
	static const struct {
		const char *prefix;
		UINT first;
	} numbers[] = {
		{"CP", 0}, {"WINDOWS-", 0}, {"IBM", 0}, {"ISO-8859-", 28590}, {"ISO8859-", 28590},
	};
	char *end;

	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (strcasecmp(name, pages[i].name) == 0)
			return pages[i].page;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t len = strlen(numbers[i].prefix);
		unsigned long n;

		if (strncasecmp(name, numbers[i].prefix, len) != 0)
			continue;
		n = strtoul(name + len, &end, 10);
		if (end != name + len && *end == '\0' && n > 0 && n <= UINT16_MAX)
			return numbers[i].first + (UINT)n;
	}
	return 0;
}

static bool
has_ascii(UINT page)
{
	for (char c = 0x20; c < 0x7F; c++) {
		wchar_t wide[2];

		if (MultiByteToWideChar(page, 0, &c, 1, wide, 2) != 1 || wide[0] != (wchar_t)c)
			return false;
	}
	return true;
}

enum pmon_status
pmon_codec_open(const char *encoding, struct pmon_codec **out, struct pmon_err *err)
{
	UINT page = page_of(encoding);

	*out = NULL;
	if (page == 0 || !IsValidCodePage(page))
		return pmon_err_set(err, PMON_E_ARG, 0, "this system knows no text encoding \"%s\"",
				    encoding);
	*out = malloc(sizeof(**out));
	if (*out == NULL)
		return pmon_err_nomem(err);
	**out = (struct pmon_codec){.page = page, .has_ascii = has_ascii(page)};
	return PMON_OK;
}

void
pmon_codec_close(struct pmon_codec *codec)
{
	free(codec);
}

void
pmon_codec_reset(struct pmon_codec *codec)
{
	(void)codec; // conversion is stateless
}

// Convert the character at in, which has n bytes, to UTF-16; 0 if it is invalid. Windows converts
// undefined bytes to control characters; iconv rejects them.
static int
to_wide(const struct pmon_codec *codec, const char *in, int n, wchar_t wide[2])
{
	int units = MultiByteToWideChar(codec->page, MB_ERR_INVALID_CHARS, in, n, wide, 2);
	bool is_latin = codec->page > 28590 && codec->page < 28610;

	return units == 1 && wide[0] >= 0x80 && wide[0] < 0xA0 && !is_latin ? 0 : units;
}

// The length of the character at in; 0 if there is none.
static size_t
next_character(const struct pmon_codec *codec, const char *in, size_t left, wchar_t wide[2],
	       int *units_out)
{
	for (size_t n = 1; n <= LONGEST && n <= left; n++) {
		*units_out = to_wide(codec, in, (int)n, wide);
		if (*units_out > 0)
			return n;
	}
	return 0;
}

static void
copy_ascii(char **in, size_t *left, char **out, size_t *room)
{
	size_t n = 0;

	while (n < *left && n < *room && (unsigned char)(*in)[n] < 0x80)
		n++;
	memcpy(*out, *in, n);
	*in += n;
	*out += n;
	*left -= n;
	*room -= n;
}

enum pmon_codec_end
pmon_codec_convert(struct pmon_codec *codec, char **in, size_t *left, char **out, size_t *room)
{
	while (*left > 0) {
		wchar_t wide[2];
		int units;
		size_t n;
		int size;

		if (codec->has_ascii)
			copy_ascii(in, left, out, room);
		if (*left == 0)
			break;
		n = next_character(codec, *in, *left, wide, &units);
		if (n == 0)
			return *left < LONGEST ? PMON_CODEC_CUT : PMON_CODEC_BAD;
		size = WideCharToMultiByte(CP_UTF8, 0, wide, units, *out, (int)*room, NULL, NULL);
		if (*room == 0 || size <= 0)
			return PMON_CODEC_FULL;
		*in += n;
		*left -= n;
		*out += size;
		*room -= (size_t)size;
	}
	return PMON_CODEC_DONE;
}
