// codec.h - convert text in a code page to UTF-8
// SPDX-License-Identifier: MIT

#ifndef PMON_OS_CODEC_H
#define PMON_OS_CODEC_H

#include <pmon/base.h>

struct pmon_codec;

// encoding is a name such as CP1252. PMON_E_ARG if the system does not support it; PMON_E_NOMEM.
PMON_NODISCARD enum pmon_status pmon_codec_open(const char *encoding, struct pmon_codec **out,
						struct pmon_err *err);
void pmon_codec_close(struct pmon_codec *codec); // NULL is allowed

// Return to the initial state. NULL is allowed.
void pmon_codec_reset(struct pmon_codec *codec);

// Why a conversion ended.
enum pmon_codec_end {
	PMON_CODEC_DONE, // all bytes were converted
	PMON_CODEC_FULL, // there is no room for the next character
	PMON_CODEC_CUT,  // the remaining bytes may be an incomplete character
	PMON_CODEC_BAD,  // the next byte does not begin a character
};

// Convert as much as possible; advances *in and *out, and reduces *left and *room.
enum pmon_codec_end pmon_codec_convert(struct pmon_codec *codec, char **in, size_t *left,
				       char **out, size_t *room);

#endif
