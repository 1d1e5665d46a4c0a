// streams.c - C streams and text functions that Windows' C library lacks
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <wchar.h>
#include <windows.h>

#undef fclose

// ---- Files ----------------------------------------------------------------------------------

FILE *
pmon_win_fopen(const char *path, const char *mode)
{
	bool writes = strpbrk(mode, "wa+") != NULL;
	int flags =
		!writes ? O_RDONLY : O_RDWR | O_CREAT | (strchr(mode, 'x') != NULL ? O_EXCL : 0);
	int fd = pmon_win_open(path, flags);
	FILE *stream = fd >= 0 ? _fdopen(fd, writes ? "wb" : "rb") : NULL;

	if (fd >= 0 && stream == NULL)
		(void)_close(fd);
	if (stream != NULL && strchr(mode, 'w') != NULL && pmon_win_truncate(fd, 0) != 0) {
		(void)fclose(stream);
		return NULL;
	}
	return stream;
}

FILE *
pmon_win_tmpfile(void)
{
	int fd = pmon_win_mkstemp(NULL);
	FILE *stream = fd >= 0 ? _fdopen(fd, "w+b") : NULL;

	if (fd >= 0 && stream == NULL)
		(void)_close(fd);
	return stream;
}

// ---- A stream into memory: a temporary file, which is read when it is closed ------------------

struct memory {
	struct memory *next;
	FILE *stream;
	char **text;
	size_t *len;
};

static struct memory *memories;
static SRWLOCK memories_lock = SRWLOCK_INIT;

FILE *
open_memstream(char **text, size_t *len)
{
	struct memory *memory = malloc(sizeof(*memory));
	FILE *stream = memory != NULL ? pmon_win_tmpfile() : NULL;

	*text = NULL;
	*len = 0;
	if (stream == NULL) {
		free(memory);
		return NULL;
	}
	AcquireSRWLockExclusive(&memories_lock);
	*memory = (struct memory){memories, stream, text, len};
	memories = memory;
	ReleaseSRWLockExclusive(&memories_lock);
	return stream;
}

static struct memory *
take_memory(const FILE *stream)
{
	struct memory **place = &memories;
	struct memory *memory;

	AcquireSRWLockExclusive(&memories_lock);
	while (*place != NULL && (*place)->stream != stream)
		place = &(*place)->next;
	memory = *place;
	if (memory != NULL)
		*place = memory->next;
	ReleaseSRWLockExclusive(&memories_lock);
	return memory;
}

static bool
read_memory(struct memory *memory)
{
	int64_t size = fflush(memory->stream) == 0 ? _filelengthi64(_fileno(memory->stream)) : -1;
	size_t n = size >= 0 ? (size_t)size : 0;

	*memory->text = size >= 0 && !ferror(memory->stream) ? malloc(n + 1) : NULL;
	if (*memory->text == NULL)
		return false;
	rewind(memory->stream);
	*memory->len = fread(*memory->text, 1, n, memory->stream);
	(*memory->text)[*memory->len] = '\0';
	return *memory->len == n;
}

int
pmon_win_fclose(FILE *stream)
{
	struct memory *memory = take_memory(stream);
	bool good = memory == NULL || read_memory(memory);
	int closed = fclose(stream);

	free(memory);
	if (!good)
		errno = ENOMEM;
	return good ? closed : EOF;
}

// ---- Texts ----------------------------------------------------------------------------------

char *
strndup(const char *text, size_t most)
{
	size_t len = strnlen(text, most);
	char *copy = malloc(len + 1);

	if (copy != NULL) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

// East Asian letters are wide; only the common block of combining characters is known.
int
wcwidth(wchar_t c)
{
	if (c < 0x20 || (c >= 0x7F && c < 0xA0))
		return -1;
	if (c >= 0x300 && c < 0x370)
		return 0;
	return (c >= 0x1100 && c < 0x1160) || (c >= 0x2E80 && c < 0xA4D0) ||
			       (c >= 0xAC00 && c < 0xD7A4) || (c >= 0xF900 && c < 0xFB00) ||
			       (c >= 0xFF00 && c < 0xFF61)
		       ? 2
		       : 1;
}
