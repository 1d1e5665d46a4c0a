// posix.c - POSIX file functions on Windows
// SPDX-License-Identifier: MIT

#include <errno.h>
#include <stdarg.h>
#include <wchar.h>
#include <windows.h>

#include "os/dir.h"

#define LONGEST    32767 // characters of a path, according to Windows' documentation
#define SHORT_PATH 240   // longest path without a prefix, leaving room for an 8.3 name in a folder
#define SHARED     (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define LOCKED_AT                                                                                  \
	0x40000000 // in the upper half of the offset: after every byte that is read or written
#define MOST_AT_ONCE ((size_t)1 << 30)

int
pmon_os_errno(int system)
{
	static const struct {
		DWORD windows;
		int posix;
	} errors[] = {
		{ERROR_SUCCESS, 0},
		{ERROR_FILE_NOT_FOUND, ENOENT},
		{ERROR_PATH_NOT_FOUND, ENOENT},
		{ERROR_INVALID_NAME, ENOENT},
		{ERROR_BAD_PATHNAME, ENOENT},
		{ERROR_BAD_NETPATH, ENOENT},
		{ERROR_DIRECTORY, ENOTDIR},
		{ERROR_ACCESS_DENIED, EACCES},
		{ERROR_SHARING_VIOLATION, EACCES},
		{ERROR_LOCK_VIOLATION, EAGAIN},
		{ERROR_WRITE_PROTECT, EROFS},
		{ERROR_FILE_EXISTS, EEXIST},
		{ERROR_ALREADY_EXISTS, EEXIST},
		{ERROR_DISK_FULL, ENOSPC},
		{ERROR_HANDLE_DISK_FULL, ENOSPC},
		{ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
		{ERROR_OUTOFMEMORY, ENOMEM},
		{ERROR_TOO_MANY_OPEN_FILES, EMFILE},
		{ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
		{ERROR_INVALID_HANDLE, EBADF},
		{ERROR_BROKEN_PIPE, EPIPE},
		{ERROR_NO_DATA, EPIPE},
		{ERROR_PIPE_NOT_CONNECTED, EPIPE},
		{ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
	};

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].windows == (DWORD)system)
			return errors[i].posix;
	return EIO;
}

void
pmon_win_errno(void)
{
	int error = pmon_os_errno((int)GetLastError());

	errno = error != 0 ? error : EIO;
}

// ---- Paths ----------------------------------------------------------------------------------

static wchar_t *
to_utf16(const char *text)
{
	int n = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
	wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof(*wide)) : NULL;

	if (wide == NULL)
		errno = ENOMEM;
	else
		(void)MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, n);
	return wide;
}

// Add the prefix for paths that may exceed MAX_PATH: \\?\C:\folder, or \\?\UNC\server\share.
static wchar_t *
with_prefix(const wchar_t *path)
{
	static const wchar_t local[] = L"\\\\?\\";
	static const wchar_t network[] = L"\\\\?\\UNC\\";
	wchar_t *full = malloc((LONGEST + sizeof(network) / sizeof(network[0])) * sizeof(*full));
	DWORD n;

	if (full == NULL) {
		errno = ENOMEM;
		return NULL;
	}
	n = GetFullPathNameW(path, LONGEST, full, NULL);
	if (n == 0 || n >= LONGEST) {
		free(full);
		errno = ENAMETOOLONG;
		return NULL;
	}
	if (wcsncmp(full, L"\\\\", 2) == 0) {
		memmove(full + wcslen(network) - 2, full, (n + 1) * sizeof(*full));
		memcpy(full, network, wcslen(network) * sizeof(*full));
	} else {
		memmove(full + wcslen(local), full, (n + 1) * sizeof(*full));
		memcpy(full, local, wcslen(local) * sizeof(*full));
	}
	return full;
}

wchar_t *
pmon_win_path(const char *path)
{
	wchar_t *wide = to_utf16(path);
	wchar_t *full;

	if (wide == NULL)
		return NULL;
	if (wcsncmp(wide, L"\\\\?\\", 4) == 0 || wcsncmp(wide, L"\\\\.\\", 4) == 0 ||
	    GetFullPathNameW(wide, 0, NULL, NULL) < SHORT_PATH)
		return wide;
	full = with_prefix(wide);
	free(wide);
	return full;
}

// ---- Opening --------------------------------------------------------------------------------

static DWORD
access_of(int flags)
{
	switch (flags & (O_RDONLY | O_WRONLY | O_RDWR)) {
	case O_WRONLY:
		return GENERIC_WRITE;
	case O_RDWR:
		return GENERIC_READ | GENERIC_WRITE;
	default:
		return GENERIC_READ;
	}
}

static DWORD
disposition_of(int flags)
{
	if ((flags & O_CREAT) == 0)
		return OPEN_EXISTING;
	return (flags & O_EXCL) != 0 ? CREATE_NEW : OPEN_ALWAYS;
}

// Turn a handle into a C library descriptor, which then owns it.
static int
to_fd(HANDLE handle, int flags)
{
	int fd;

	if (handle == INVALID_HANDLE_VALUE) {
		pmon_win_errno();
		return -1;
	}
	fd = _open_osfhandle((intptr_t)handle, flags | _O_BINARY);
	if (fd < 0)
		(void)CloseHandle(handle);
	return fd;
}

int
pmon_win_open(const char *path, int flags, ...)
{
	wchar_t *wide = pmon_win_path(path);
	DWORD attributes;
	int fd;

	if (wide == NULL)
		return -1;
	attributes = GetFileAttributesW(wide);
	if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
		free(wide);
		errno = EISDIR;
		return -1;
	}
	fd = to_fd(CreateFileW(wide, access_of(flags), SHARED, NULL, disposition_of(flags),
			       FILE_ATTRIBUTE_NORMAL, NULL),
		   flags & (O_RDONLY | O_WRONLY | O_RDWR));
	free(wide);
	return fd;
}

// A unique name in the folder for temporary files.
static bool
temporary_path(wchar_t path[MAX_PATH + 32])
{
	static volatile LONG number;
	DWORD n = GetTempPathW(MAX_PATH + 1, path);

	if (n == 0 || n > MAX_PATH) {
		errno = ENOENT;
		return false;
	}
	(void)swprintf(path + n, 32, L"pmon-%lx-%lx.tmp", GetCurrentProcessId(),
		       InterlockedIncrement(&number));
	return true;
}

static HANDLE
temporary_file(DWORD access)
{
	wchar_t path[MAX_PATH + 32];
	HANDLE handle = INVALID_HANDLE_VALUE;

	for (int i = 0; i < 1000 && handle == INVALID_HANDLE_VALUE; i++) {
		if (!temporary_path(path))
			return INVALID_HANDLE_VALUE;
		handle = CreateFileW(path, access, SHARED, NULL, CREATE_NEW,
				     FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
		if (handle == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_EXISTS)
			break;
	}
	return handle;
}

int
pmon_win_mkstemp(char *path)
{
	(void)path; // the folder of a POSIX system
	return to_fd(temporary_file(FILE_GENERIC_READ | FILE_APPEND_DATA | SYNCHRONIZE), O_RDWR);
}

char *
mkdtemp(char *path)
{
	size_t len = strlen(path);

	for (int i = 0; len >= 6 && i < 1000; i++) {
		unsigned number;

		if (rand_s(&number) != 0)
			return NULL;
		(void)snprintf(path + len - 6, 7, "%06x", number & 0xFFFFFF);
		if (pmon_win_mkdir(path, 0700) == 0)
			return path;
		if (errno != EEXIST)
			return NULL;
	}
	return NULL;
}

// ---- Reading, writing -----------------------------------------------------------------------

static unsigned
at_once(size_t len)
{
	return (unsigned)(len < MOST_AT_ONCE ? len : MOST_AT_ONCE);
}

ssize_t
pmon_win_read(int fd, void *buf, size_t len)
{
	return _read(fd, buf, at_once(len));
}

// The C library reports EINVAL, or something else, if the reader has closed the pipe.
ssize_t
pmon_win_write(int fd, const void *buf, size_t len)
{
	int n = _write(fd, buf, at_once(len));

	if (n < 0 && GetFileType((HANDLE)_get_osfhandle(fd)) == FILE_TYPE_PIPE)
		errno = EPIPE;
	return n;
}

static OVERLAPPED
at(off_t offset)
{
	OVERLAPPED place = {0};

	place.Offset = (DWORD)((uint64_t)offset & UINT32_MAX);
	place.OffsetHigh = (DWORD)((uint64_t)offset >> 32);
	return place;
}

ssize_t
pread(int fd, void *buf, size_t len, off_t offset)
{
	OVERLAPPED place = at(offset);
	DWORD n = 0;

	if (ReadFile((HANDLE)_get_osfhandle(fd), buf, at_once(len), &n, &place))
		return (ssize_t)n;
	if (GetLastError() == ERROR_HANDLE_EOF)
		return 0;
	pmon_win_errno();
	return -1;
}

ssize_t
pwrite(int fd, const void *buf, size_t len, off_t offset)
{
	OVERLAPPED place = at(offset);
	DWORD n = 0;

	if (WriteFile((HANDLE)_get_osfhandle(fd), buf, at_once(len), &n, &place))
		return (ssize_t)n;
	pmon_win_errno();
	return -1;
}

int
pmon_win_truncate(int fd, off_t size)
{
	FILE_END_OF_FILE_INFO end = {.EndOfFile = {.QuadPart = size}};

	if (SetFileInformationByHandle((HANDLE)_get_osfhandle(fd), FileEndOfFileInfo, &end,
				       sizeof(end)))
		return 0;
	pmon_win_errno();
	return -1;
}

int
fsync(int fd)
{
	return _commit(fd);
}

// Windows' locks block access to the locked bytes, so lock a byte beyond the end of any file.
int
flock(int fd, int how)
{
	OVERLAPPED place = {.OffsetHigh = LOCKED_AT};

	(void)how;
	if (LockFileEx((HANDLE)_get_osfhandle(fd),
		       LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place))
		return 0;
	errno = GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING
			? EWOULDBLOCK
			: EINVAL;
	return -1;
}

// ---- Names ----------------------------------------------------------------------------------

// Call a Windows function on a path, and return as POSIX functions do.
static int
with_path(const char *path, BOOL(WINAPI *call)(const wchar_t *path))
{
	wchar_t *wide = pmon_win_path(path);
	bool good = wide != NULL && call(wide);

	if (wide != NULL && !good)
		pmon_win_errno();
	free(wide);
	return good ? 0 : -1;
}

int
pmon_win_unlink(const char *path)
{
	return with_path(path, DeleteFileW);
}

int
pmon_win_rmdir(const char *path)
{
	return with_path(path, RemoveDirectoryW);
}

static BOOL WINAPI
make_folder(const wchar_t *path)
{
	return CreateDirectoryW(path, NULL);
}

int
pmon_win_mkdir(const char *path, mode_t mode)
{
	(void)mode; // access rights are inherited from the parent folder
	return with_path(path, make_folder);
}

int
pmon_win_stat(const char *path, struct stat *out)
{
	wchar_t *wide = pmon_win_path(path);
	int failed = wide == NULL ? -1 : _wstat64(wide, (struct _stat64 *)(void *)out);

	free(wide);
	return failed;
}

bool
pmon_win_is_readable(int pipe_fd)
{
	DWORD n = 0;

	return pipe_fd >= 0 &&
	       PeekNamedPipe((HANDLE)_get_osfhandle(pipe_fd), NULL, 0, NULL, &n, NULL) && n > 0;
}
