// codec.c - convert text in a code page to UTF-8 with iconv
// SPDX-License-Identifier: MIT

#include "os/codec.h"

#include <errno.h>
#include <iconv.h>
#include <stddef.h>

#include "base/err.h"
#include "os/posix/codepage.h"

// A codec is the descriptor that iconv_open() returned, as a pointer.
static iconv_t
descriptor_of(struct pmon_codec *codec)
{
	return (iconv_t)codec;
}

enum pmon_status
pmon_codec_open(const char *encoding, struct pmon_codec **out, struct pmon_err *err)
{
	iconv_t descriptor = pmon_codepage_open("UTF-8", encoding);

	*out = NULL;
	if (descriptor == (iconv_t)-1)
		return pmon_err_set(err, errno == ENOMEM ? PMON_E_NOMEM : PMON_E_ARG, 0,
				    "this system knows no text encoding \"%s\"", encoding);
	*out = (struct pmon_codec *)descriptor;
	return PMON_OK;
}

void
pmon_codec_close(struct pmon_codec *codec)
{
	if (codec != NULL)
		(void)iconv_close(descriptor_of(codec));
}

void
pmon_codec_reset(struct pmon_codec *codec)
{
	if (codec != NULL)
		(void)iconv(descriptor_of(codec), NULL, NULL, NULL, NULL);
}

enum pmon_codec_end
pmon_codec_convert(struct pmon_codec *codec, char **in, size_t *left, char **out, size_t *room)
{
	if (iconv(descriptor_of(codec), in, left, out, room) != (size_t)-1)
		return PMON_CODEC_DONE;
	if (errno == E2BIG)
		return PMON_CODEC_FULL;
	return errno == EINVAL ? PMON_CODEC_CUT : PMON_CODEC_BAD;
}
