// err.c - names of statuses, and how errors are filled in
// SPDX-License-Identifier: MIT

#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf.h"

const char *
pmon_status_text(enum pmon_status status)
{
	switch (status) {
	case PMON_OK:
		return "done";
	case PMON_END:
		return "no more samples";
	case PMON_E_ARG:
		return "wrong argument";
	case PMON_E_NOMEM:
		return "not enough memory";
	case PMON_E_IO:
		return "cannot read or write";
	case PMON_E_TRUNC:
		return "unexpected end of input inside a record";
	case PMON_E_FORMAT:
		return "not in the expected format";
	case PMON_E_UNSUPPORTED:
		return "unknown type";
	case PMON_E_LIMIT:
		return "larger than the limits allow";
	case PMON_E_NOTFOUND:
		return "not found";
	case PMON_E_STATE:
		return "not possible in this state";
	case PMON_E_EXISTS:
		return "already exists";
	}
	return "unknown status";
}

static bool
is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

static bool
is_stray_byte(uint32_t c)
{
	return c >= 0xDC80 && c <= 0xDCFF;
}

// Names in a message come from the input and may contain anything, and a long message is truncated
// at any byte: replace invalid text with '?', and remove a character that the end of the buffer
// cuts.
static void
make_printable(char *msg, size_t size)
{
	struct pmon_span text = {msg, strlen(msg)};
	size_t pos = 0;
	size_t n = 0;

	while (pos < text.len) {
		size_t start = pos;
		uint32_t c = pmon_utf8_next(text, &pos);

		if (is_stray_byte(c) && text.len == size - 1 && text.len - start < 4)
			break;
		if (is_control(c) || is_stray_byte(c)) {
			msg[n++] = '?';
		} else {
			memmove(msg + n, msg + start, pos - start);
			n += pos - start;
		}
	}
	msg[n] = '\0';
}

static void
fill(struct pmon_err *err, enum pmon_status status, uint64_t offset, int sys, const char *fmt,
     va_list args)
{
	err->status = status;
	err->sys = sys;
	err->offset = offset;
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, args);
	if (sys != 0) {
		size_t len = strlen(err->msg);
		char text[128] = "";

		// strerror_r() as POSIX defines it, which is thread-safe.
		if (strerror_r(sys, text, sizeof(text)) != 0)
			(void)snprintf(text, sizeof(text), "error %d", sys);
		(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s", text);
	}
	make_printable(err->msg, sizeof(err->msg));
}

enum pmon_status
pmon_err_set(struct pmon_err *err, enum pmon_status status, uint64_t offset, const char *fmt, ...)
{
	va_list args;

	if (err == NULL)
		return status;
	va_start(args, fmt);
	fill(err, status, offset, 0, fmt, args);
	va_end(args);
	return status;
}

enum pmon_status
pmon_err_sys(struct pmon_err *err, enum pmon_status status, int sys, const char *fmt, ...)
{
	va_list args;

	if (err == NULL)
		return status;
	va_start(args, fmt);
	fill(err, status, 0, sys, fmt, args);
	va_end(args);
	return status;
}

enum pmon_status
pmon_err_nomem(struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_NOMEM, 0, "not enough memory");
}
