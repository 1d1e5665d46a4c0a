// registry.c - queries of the registry keys of performance data
// SPDX-License-Identifier: MIT

#include <windows.h>

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "live/windows/windows.h"

static HKEY
key_of(enum win_key key)
{
	switch (key) {
	case WIN_NAMES:
		return HKEY_PERFORMANCE_NLSTEXT;
	case WIN_ENGLISH:
		return HKEY_PERFORMANCE_TEXT;
	case WIN_DATA:
		break;
	}
	return HKEY_PERFORMANCE_DATA;
}

static enum pmon_status
refuse(LSTATUS error, const char *value, struct pmon_err *err)
{
	if (error == ERROR_ACCESS_DENIED)
		return pmon_err_set(err, PMON_E_IO, 0,
				    "this user is not allowed to read performance counters; join "
				    "the group Performance Monitor Users");
	return pmon_err_set(err, PMON_E_IO, 0,
			    "Windows returned no performance counters (%s): error %ld",
			    strlen(value) < 100 ? value : "a list", (long)error);
}

enum pmon_status
pmon_win_query(enum win_key key, const char *value, void *bytes, size_t size, size_t *len_out,
	       struct pmon_err *err)
{
	size_t n = strlen(value) + 1;
	wchar_t *wide = malloc(n * sizeof(*wide));
	DWORD len = size < MAXDWORD ? (DWORD)size : MAXDWORD;
	LSTATUS error;

	*len_out = 0;
	if (wide == NULL)
		return pmon_err_nomem(err);
	for (size_t i = 0; i < n; i++) // "Global", "Counter", digits
		wide[i] = (wchar_t)value[i];
	error = RegQueryValueExW(key_of(key), wide, NULL, NULL, bytes, &len);
	free(wide);
	if (error == ERROR_MORE_DATA)
		return PMON_E_LIMIT;
	if (error != ERROR_SUCCESS)
		return refuse(error, value, err);
	*len_out = len < size ? len : size; // a provider counts it
	return PMON_OK;
}

void
pmon_win_end(void)
{
	(void)RegCloseKey(HKEY_PERFORMANCE_DATA);
}

// GetVersion() says what the program was made for, not what it runs on.
void
pmon_win_version(char text[WIN_TEXT_BYTES])
{
	LONG(WINAPI * get)(OSVERSIONINFOW *);
	FARPROC found = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion");
	OSVERSIONINFOW info = {.dwOSVersionInfoSize = sizeof(info)};

	text[0] = '\0';
	memcpy(&get, &found, sizeof(get));
	if (get != NULL && get(&info) == 0)
		(void)snprintf(text, WIN_TEXT_BYTES, "%lu.%lu.%lu", info.dwMajorVersion,
			       info.dwMinorVersion, info.dwBuildNumber);
}

void
pmon_win_machine_guid(char text[WIN_TEXT_BYTES])
{
	wchar_t wide[WIN_TEXT_BYTES];
	DWORD len = sizeof(wide);
	size_t n = 0;

	if (RegGetValueW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Cryptography", L"MachineGuid",
			 RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY, NULL, wide, &len) != ERROR_SUCCESS)
		wide[0] = L'\0';
	for (size_t i = 0; wide[i] != L'\0'; i++)
		if (wide[i] != L'-' && wide[i] < 0x80)
			text[n++] = (char)wide[i];
	text[n] = '\0';
}
