// status.c - the names of statuses and policies
// SPDX-License-Identifier: MIT

#include <pmon/counter.h>

#include "core/fold.h"

static const struct {
	const char *name;
	const char *text;
	uint32_t pdh;
} vstats[PMON_V_COUNT] = {
	[PMON_V_OK] = {"ok", "good", 0x00000000},
	[PMON_V_WRAPPED] = {"wrapped", "the 32-bit counter wrapped at 2^32, which was corrected",
			    0x00000000},
	[PMON_V_BASE_ZERO] = {"base_zero", "no operations in the interval, so the value is 0",
			      0x00000000},
	[PMON_V_CLAMPED] = {"clamped",
			    "decreased or is below zero; shown as 0 because of the clamp policy",
			    0x00000000},
	[PMON_V_FIRST] = {"first_sample", "the type requires two samples, and this is the first",
			  0xC0000BBA},
	[PMON_V_NO_DATA] = {"no_data", "no time elapsed, or there is no data", 0x800007D5},
	[PMON_V_COUNTER_BACK] = {"counter_went_back",
				 "the counter decreased: it was reset or restarted", 0x800007D8},
	[PMON_V_CLOCK_BACK] = {"clock_went_back", "the clock of the counter decreased", 0x800007D6},
	[PMON_V_BASE_BACK] = {"base_went_back", "the base counter decreased or is below zero",
			      0x800007D6},
	[PMON_V_BELOW_ZERO] = {"below_zero",
			       "the result is below zero: more idle time than elapsed time, or a "
			       "start time in the future",
			       0x800007D8},
	[PMON_V_BAD_TIME_BASE] = {"bad_time_base",
				  "the type requires the frequency of its clock, which is unknown",
				  0x800007D7},
	[PMON_V_BAD_RAW] = {"bad_raw_status", "the raw value is marked as invalid", 0xC0000BC6},
	[PMON_V_NOT_FINITE] = {"not_finite", "the result is not a finite number", 0xC0000BC6},
	[PMON_V_NOT_DISPLAYED] = {"not_displayed",
				  "a base, a label or a text, which has no value of its own",
				  0xC0000BBD},
	[PMON_V_UNKNOWN_TYPE] = {"unknown_type", "no counter type has this word", 0xC0000BBE},
	[PMON_V_CHANGED] = {"instance_changed",
			    "the instance with this name is a different process or thread than in "
			    "the preceding sample",
			    0xC0000BBA},
	[PMON_V_STEPPED] = {"clock_stepped",
			    "the clock of the counter was set, or the machine was paused, since "
			    "the preceding sample: the performance clock shows a different time",
			    0xC0000BBA},
};

const char *
pmon_vstat_name(enum pmon_vstat status)
{
	return (unsigned)status < PMON_V_COUNT ? vstats[status].name : "undefined";
}

const char *
pmon_vstat_text(enum pmon_vstat status)
{
	return (unsigned)status < PMON_V_COUNT ? vstats[status].text : "undefined";
}

uint32_t
pmon_vstat_pdh(enum pmon_vstat status)
{
	return (unsigned)status < PMON_V_COUNT ? vstats[status].pdh : 0xC0000BBD;
}

const char *
pmon_policy_name(enum pmon_policy policy)
{
	switch (policy) {
	case PMON_POLICY_DEFAULT:
		return "default";
	case PMON_POLICY_STRICT:
		return "strict";
	case PMON_POLICY_CLAMP:
		return "clamp";
	}
	return "undefined";
}

static const struct {
	uint32_t status;
	const char *name;
} raw_statuses[] = {
	// pdhmsg.h
	{PMON_RAW_VALID, "valid_data"},
	{PMON_RAW_NEW, "new_data"},
	{PMON_RAW_NO_MACHINE, "no_machine"},
	{PMON_RAW_NO_INSTANCE, "no_instance"},
	{0x800007D3u, "item_not_validated"},
	{0x800007D5u, "no_data"},
	{PMON_RAW_NO_OBJECT, "no_object"},
	{PMON_RAW_NO_COUNTER, "no_counter"},
	{PMON_RAW_INVALID, "invalid_data"},
	// pmon's own
	{PMON_RAW_CHANGED, "instance_changed"},
	{PMON_RAW_STARTED, "started"},
	{PMON_RAW_OWNER, "owner"},
	{PMON_RAW_IMPOSSIBLE, "impossible"},
	{PMON_RAW_STEPPED, "clock_stepped"},
};

#define N_RAW_STATUSES (sizeof(raw_statuses) / sizeof(raw_statuses[0]))

const char *
pmon_raw_status_name(uint32_t status)
{
	for (size_t i = 0; i < N_RAW_STATUSES; i++)
		if (raw_statuses[i].status == status)
			return raw_statuses[i].name;
	return NULL;
}

bool
pmon_raw_status_by_name(struct pmon_span name, uint32_t *out)
{
	*out = PMON_RAW_INVALID;
	for (size_t i = 0; i < N_RAW_STATUSES; i++) {
		if (pmon_ascii_same(raw_statuses[i].name, name)) {
			*out = raw_statuses[i].status;
			return true;
		}
	}
	return false;
}
