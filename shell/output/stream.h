// stream.h - streams that write to memory
// SPDX-License-Identifier: MIT

#ifndef PMON_SHELL_OUTPUT_STREAM_H
#define PMON_SHELL_OUTPUT_STREAM_H

#include <stdbool.h>
#include <stdio.h>

// Like open_memstream(), but running out of memory is reported as an error of the stream, which
// glibc's does not do. *text and *len are valid after the stream is closed.
FILE *text_stream_open(char **text, size_t *len);

// Close such a stream. False if some of the text is missing. The caller frees *text in any case.
bool text_stream_close(FILE *stream, char *const *text);

#endif
