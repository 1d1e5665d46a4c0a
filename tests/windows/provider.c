// provider.c - a program's performance counters, for tests of live sampling under Wine
// SPDX-License-Identifier: MIT
//
// Wine has no counters of its own, but asks the DLLs that services register below
// HKLM\SYSTEM\CurrentControlSet\Services\NAME\Performance, as Windows does. This one gives objects with the title
// indexes of Windows:
//
//	Memory (4)        Available Bytes 1 GiB; Page Faults/sec 1,000 in a second
//	Process (230)     first, second, second: % Processor Time 10, 20 and 30 %; ID Process 100, 200, 300
//	Processor (238)   0, _Total: % Processor Time 25 %
//
// Wine 8 has room for a second PERF_DATA_BLOCK before the first object, and does not count it, so that its answer would
// end too soon: the objects begin in that room.
//
// The values follow the system clock, so that rates are what they are whenever samples are taken.

#include <windows.h>

#include <winperf.h>

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define EXPORT         __declspec(dllexport)
#define MOST_INSTANCES 3
#define MOST_COUNTERS  2
#define NAME_CHARS     8

struct counter {
	DWORD title, type, size;
};

struct instance {
	const wchar_t *name;
	ULONGLONG values[MOST_COUNTERS];
};

struct object {
	DWORD title;
	LONG n_instances; // PERF_NO_INSTANCES: one without a name
	struct counter counters[MOST_COUNTERS];
	struct instance instances[MOST_INSTANCES];
};

static ULONGLONG
now_100ns(void)
{
	FILETIME now;

	GetSystemTimeAsFileTime(&now);
	return (ULONGLONG)now.dwHighDateTime << 32 | now.dwLowDateTime;
}

// ---- What is written --------------------------------------------------------------------------

struct out {
	BYTE *at;
	BYTE *end;
	BOOL is_short;
};

static void *
take(struct out *out, size_t n)
{
	static BYTE nowhere[256];
	BYTE *here = out->at;

	if ((size_t)(out->end - out->at) < n) {
		out->is_short = TRUE;
		return nowhere;
	}
	memset(here, 0, n);
	out->at += n;
	return here;
}

static void
put_definitions(struct out *out, const struct object *object)
{
	for (DWORD i = 0; i < MOST_COUNTERS; i++) {
		PERF_COUNTER_DEFINITION *d = take(out, sizeof(*d));

		d->ByteLength = sizeof(*d);
		d->CounterNameTitleIndex = object->counters[i].title;
		d->DetailLevel = PERF_DETAIL_NOVICE;
		d->CounterType = object->counters[i].type;
		d->CounterSize = object->counters[i].size;
		d->CounterOffset = 8 + 8 * i;
	}
}

static void
put_instance(struct out *out, const struct object *object, const struct instance *instance)
{
	DWORD *length;

	if (object->n_instances != PERF_NO_INSTANCES) {
		size_t bytes = NAME_CHARS * sizeof(wchar_t);
		PERF_INSTANCE_DEFINITION *d = take(out, sizeof(*d) + bytes);

		d->ByteLength = (DWORD)(sizeof(*d) + bytes);
		d->UniqueID = PERF_NO_UNIQUE_ID;
		d->NameOffset = sizeof(*d);
		d->NameLength = (DWORD)((wcslen(instance->name) + 1) * sizeof(wchar_t));
		if (!out->is_short)
			wcscpy((wchar_t *)(d + 1), instance->name);
	}
	length = take(out, 8);
	*length = 8 + 8 * MOST_COUNTERS;
	memcpy(take(out, sizeof(instance->values)), instance->values, sizeof(instance->values));
}

static void
put_object(struct out *out, const struct object *object)
{
	BYTE *begin = out->at;
	PERF_OBJECT_TYPE *head = take(out, sizeof(*head));
	LONG n = object->n_instances == PERF_NO_INSTANCES ? 1 : object->n_instances;

	put_definitions(out, object);
	head->DefinitionLength = (DWORD)(out->at - begin);
	head->HeaderLength = sizeof(*head);
	head->ObjectNameTitleIndex = object->title;
	head->DetailLevel = PERF_DETAIL_NOVICE;
	head->NumCounters = MOST_COUNTERS;
	head->DefaultCounter = 0;
	head->NumInstances = object->n_instances;
	head->PerfFreq.QuadPart = 1;
	for (LONG i = 0; i < n; i++)
		put_instance(out, object, &object->instances[i]);
	head->TotalByteLength = (DWORD)(out->at - begin);
}

// ---- What Windows calls -----------------------------------------------------------------------

// "Global", or a list of title indexes.
static BOOL
is_asked(const wchar_t *value, DWORD title)
{
	wchar_t *end;

	if (_wcsicmp(value, L"Global") == 0)
		return TRUE;
	for (; *value != L'\0'; value = end + (*end == L' '))
		if (wcstoul(value, &end, 10) == title)
			return TRUE;
		else if (end == value)
			return FALSE;
	return FALSE;
}

static size_t
unused_room(void)
{
	BOOL is_wine = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != NULL;

	return is_wine ? sizeof(PERF_DATA_BLOCK) : 0;
}

EXPORT DWORD APIENTRY
OpenCounters(wchar_t *devices)
{
	(void)devices;
	return ERROR_SUCCESS;
}

EXPORT DWORD APIENTRY
CloseCounters(void)
{
	return ERROR_SUCCESS;
}

EXPORT DWORD APIENTRY
CollectCounters(wchar_t *value, void **data, DWORD *size, DWORD *n_objects)
{
	ULONGLONG t = now_100ns();
	const struct object objects[] = {
		{4,
		 PERF_NO_INSTANCES,
		 {{24, PERF_COUNTER_LARGE_RAWCOUNT, 8}, {28, PERF_COUNTER_COUNTER, 4}},
		 {{NULL, {1 << 30, (DWORD)(t / 10000)}}}},
		{230,
		 3,
		 {{6, PERF_100NSEC_TIMER, 8}, {784, PERF_COUNTER_LARGE_RAWCOUNT, 8}},
		 {{L"first", {t / 10, 100}},
		  {L"second", {t / 5, 200}},
		  {L"second", {t / 10 * 3, 300}}}},
		{238,
		 2,
		 {{6, PERF_100NSEC_TIMER_INV, 8}, {142, PERF_100NSEC_TIMER, 8}},
		 {{L"0", {t / 4 * 3, t / 5}}, {L"_Total", {t / 4 * 3, t / 5}}}},
	};
	BYTE *begin = (BYTE *)*data - unused_room();
	struct out out = {begin, (BYTE *)*data + *size, FALSE};

	*n_objects = 0;
	*size = 0;
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		if (is_asked(value, objects[i].title)) {
			put_object(&out, &objects[i]);
			++*n_objects;
		}
	if (out.is_short) {
		*n_objects = 0;
		return ERROR_MORE_DATA;
	}
	*size = (DWORD)(out.at - begin);
	*data = out.at;
	return ERROR_SUCCESS;
}
