// stream.c - texts that are written into memory
// SPDX-License-Identifier: MIT

#include "text/stream.h"

bool
text_stream_close(FILE *stream, char *const *text)
{
	bool failed = ferror(stream) != 0;

	return fclose(stream) == 0 && !failed && *text != NULL;
}
