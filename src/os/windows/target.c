// target.c - resolve the path of an output (Windows)
// SPDX-License-Identifier: MIT

#include "os/posix/target.h"

#include <errno.h>
#include <windows.h>

#include "base/err.h"

// Device names such as NUL and CON are reserved in every folder; \\.\pipe\name is a device too.
static bool
is_device(const char *path)
{
	wchar_t *wide = pmon_win_path(path);
	HANDLE handle = wide == NULL ? INVALID_HANDLE_VALUE
				     : CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE,
						   NULL, OPEN_EXISTING, 0, NULL);
	bool device = handle != INVALID_HANDLE_VALUE && GetFileType(handle) != FILE_TYPE_DISK;

	if (handle != INVALID_HANDLE_VALUE)
		(void)CloseHandle(handle);
	free(wide);
	return device;
}

enum pmon_status
pmon_target_find(const char *path, struct pmon_target *out, struct pmon_err *err)
{
	if (strlen(path) >= sizeof(out->path))
		return pmon_err_sys(err, PMON_E_IO, ENAMETOOLONG, "cannot create the output");
	(void)snprintf(out->path, sizeof(out->path), "%s", path);
	out->is_special = is_device(path);
	out->is_there = out->is_special || pmon_win_stat(path, &out->st) == 0;
	return PMON_OK;
}

// A device name cannot become the name of a file.
bool
pmon_target_is_same(const struct pmon_target *target, int fd)
{
	return !target->is_special || GetFileType((HANDLE)_get_osfhandle(fd)) != FILE_TYPE_DISK;
}

// A new file inherits the access rights of its folder.
void
pmon_target_keep_access(const struct pmon_target *target, int fd)
{
	(void)target, (void)fd;
}

// An open file keeps its name, but can be renamed: move it away; it is deleted when the last handle
// is closed.
static bool
replace_open(const wchar_t *from, const wchar_t *to)
{
	static const wchar_t end[] = L".old";
	DWORD kind = GetFileAttributesW(to);
	size_t len = wcslen(from);
	wchar_t *aside = malloc(len * sizeof(*aside) + sizeof(end));
	bool good = false;

	if (aside != NULL && (kind & (FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_DIRECTORY)) == 0) {
		memcpy(aside, from, len * sizeof(*aside));
		memcpy(aside + len, end, sizeof(end));
		if (MoveFileExW(to, aside, 0)) {
			good = MoveFileExW(from, to, MOVEFILE_WRITE_THROUGH);
			(void)(good ? DeleteFileW(aside) : MoveFileExW(aside, to, 0));
		}
	}
	free(aside);
	return good;
}

bool
pmon_target_give_name(const char *temp, const char *path, bool overwrite)
{
	wchar_t *from = pmon_win_path(temp);
	wchar_t *to = pmon_win_path(path);
	DWORD how = MOVEFILE_WRITE_THROUGH | (overwrite ? MOVEFILE_REPLACE_EXISTING : 0);
	bool good = from != NULL && to != NULL && MoveFileExW(from, to, how);

	if (from != NULL && to != NULL && !good) {
		pmon_win_errno();
		good = overwrite && errno == EACCES && replace_open(from, to);
	}
	free(from);
	free(to);
	return good;
}

// The rename has already waited for the disk.
int
pmon_target_sync_folder(const char *path)
{
	(void)path;
	return 0;
}
