// codec.c - convert text in a code page to UTF-8 with the iconv of wasi-libc
// SPDX-License-Identifier: MIT
//
// Its conversion to UTF-8 fails for all but ASCII, because there is no locale; that to UTF-16 does not.

#include "os/codec.h"

#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/utf.h"
#include "os/posix/codepage.h"

struct pmon_codec {
	iconv_t to_utf16;
	bool has_ascii; // bytes below 128 at the beginning of a character are ASCII
};

enum pmon_status
pmon_codec_open(const char *encoding, struct pmon_codec **out, struct pmon_err *err)
{
	struct pmon_codec *codec = malloc(sizeof(*codec));

	*out = NULL;
	if (codec == NULL)
		return pmon_err_nomem(err);
	codec->has_ascii = strncasecmp(encoding, "CP", 2) == 0;
	codec->to_utf16 = pmon_codepage_open("UTF-16LE", encoding);
	if (codec->to_utf16 == (iconv_t)-1) {
		free(codec);
		return pmon_err_set(err, PMON_E_ARG, 0, "this system knows no text encoding \"%s\"",
				    encoding);
	}
	*out = codec;
	return PMON_OK;
}

void
pmon_codec_close(struct pmon_codec *codec)
{
	if (codec != NULL)
		(void)iconv_close(codec->to_utf16);
	free(codec);
}

void
pmon_codec_reset(struct pmon_codec *codec)
{
	if (codec != NULL)
		(void)iconv(codec->to_utf16, NULL, NULL, NULL, NULL);
}

// Convert one or two characters that are not ASCII. The input stays where it is unless they were converted and fit.
static enum pmon_codec_end
convert_some(struct pmon_codec *codec, char **in, size_t *left, char **out, size_t *room)
{
	uint8_t utf16[4];
	char utf8[sizeof(utf16) / 2 * 3];
	char *wide = (char *)utf16, *next = *in;
	size_t wide_room = sizeof(utf16), next_left = *left, len;

	if (iconv(codec->to_utf16, &next, &next_left, &wide, &wide_room) == (size_t)-1 &&
	    wide_room == sizeof(utf16))
		return errno == EINVAL ? PMON_CODEC_CUT : PMON_CODEC_BAD;
	len = pmon_utf16_to_utf8(utf16, sizeof(utf16) - wide_room, utf8);
	if (len > *room)
		return PMON_CODEC_FULL;
	memcpy(*out, utf8, len);
	*out += len;
	*room -= len;
	*in = next;
	*left = next_left;
	return PMON_CODEC_DONE;
}

enum pmon_codec_end
pmon_codec_convert(struct pmon_codec *codec, char **in, size_t *left, char **out, size_t *room)
{
	enum pmon_codec_end end = PMON_CODEC_DONE;

	while (*left > 0 && end == PMON_CODEC_DONE) {
		if (*room == 0)
			return PMON_CODEC_FULL;
		if (!codec->has_ascii || (uint8_t) * *in >= 0x80) {
			end = convert_some(codec, in, left, out, room);
			continue;
		}
		*(*out)++ = *(*in)++;
		(*left)--;
		(*room)--;
	}
	return end;
}
