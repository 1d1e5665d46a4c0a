// stream.h - texts that are written into memory
// SPDX-License-Identifier: MIT

#ifndef PMON_TEXT_STREAM_H
#define PMON_TEXT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

// Close a stream of open_memstream(). False when memory was short for some of the text: fclose() alone reports
// neither of writes that failed before nor, in glibc, of the last bytes. *text is to be freed in any case.
bool text_stream_close(FILE *stream, char *const *text);

#endif
