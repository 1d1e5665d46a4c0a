// write_zone.c - a time zone for the header in which each sample has its actual offset to UTC
// SPDX-License-Identifier: MIT
//
// Times in a BLG are local, and the header has one time zone with rules. A source has only an
// offset for each sample. So the zone begins as that of the first sample, without daylight saving
// time. When the offset changes, the change becomes a date in it; when it changes back, both become
// yearly rules.

#include "format/blg/write.h"

#include <string.h>

#include "base/time.h"

#define NAME_BYTES   64 // WCHAR[32]
#define DAYLIGHT_MIN (-60)
#define DAY          (INT64_C(24) * 60 * PMON_TIME_PER_MIN)

// If a period of daylight saving time lacks a change, it begins or ends far away.
#define LONG_AGO   INT64_C(116444736000000000) // 1970
#define FAR_FUTURE INT64_C(252139392000000000) // 2400

// ---- TIME_ZONE_INFORMATION ------------------------------------------------------------------

struct zone_fields {
	int32_t standard_min; // offsets, local time minus UTC
	int32_t daylight_min;
	pmon_time
		// on the clock before the change; PMON_TIME_NONE without daylight saving time
		to_standard;
	pmon_time to_daylight;
	bool yearly; // the two are examples of rules, not dates
};

static void
put_name(struct pmon_wr *w, const uint8_t *name, size_t len)
{
	if (len > NAME_BYTES - 2)
		len = NAME_BYTES - 2;
	pmon_wr_copy(w, name, len);
	pmon_wr_fill(w, 0, NAME_BYTES - len);
}

// SYSTEMTIME: a date or, with year 0, "the day-th weekday of the month"; 5 is the last.
static void
put_change(struct pmon_wr *w, pmon_time t, bool yearly)
{
	struct pmon_civil c;

	if (t == PMON_TIME_NONE) {
		pmon_wr_fill(w, 0, 16);
		return;
	}
	c = pmon_time_civil(t);
	pmon_wr_u16(w, yearly ? 0 : (uint16_t)c.year);
	pmon_wr_u16(w, (uint16_t)c.month);
	pmon_wr_u16(w, (uint16_t)c.weekday);
	if (yearly)
		c.day = pmon_time_civil(t + 7 * DAY).month != c.month ? 5 : (c.day - 1) / 7 + 1;
	pmon_wr_u16(w, (uint16_t)c.day);
	pmon_wr_u16(w, (uint16_t)c.hour);
	pmon_wr_u16(w, (uint16_t)c.minute);
	pmon_wr_u16(w, (uint16_t)c.second);
	pmon_wr_u16(w, (uint16_t)(c.ticks / PMON_TIME_PER_MSEC));
}

// Windows names zones by texts in tzres.dll: "@tzres.dll,-212" is a standard name, and the number
// before it the daylight name of the same zone.
static void
put_daylight_name(struct pmon_wr *w, const uint8_t *name, size_t len)
{
	static const char head[] = "@tzres.dll,-";
	size_t at = pmon_wr_pos(w);
	bool is_resource = len > 2 * (sizeof(head) - 1) && len <= NAME_BYTES - 2;

	for (size_t i = 0; is_resource && i < sizeof(head) - 1; i++)
		is_resource = name[2 * i] == (uint8_t)head[i] && name[2 * i + 1] == 0;
	put_name(w, name, len);
	if (is_resource && name[len - 2] == '2' && name[len - 1] == 0)
		w->base[at + len - 2] = '1';
}

static void
put_zone(struct blg_out_zone *zone, const struct zone_fields *f)
{
	struct pmon_wr w = pmon_wr_init(zone->bytes, sizeof(zone->bytes));
	bool has_daylight = f->to_standard != PMON_TIME_NONE;
	uint8_t name[2 * NAME_BYTES];
	struct pmon_span text = zone->name;
	size_t len;
	struct pmon_perf_name ignored;
	struct pmon_rd r;

	if (text.len > NAME_BYTES)
		text.len = NAME_BYTES;
	len = pmon_blg_out_utf16(text, name);
	pmon_wr_i32(&w, -f->standard_min);
	put_name(&w, name, len);
	put_change(&w, f->to_standard, f->yearly);
	pmon_wr_i32(&w, 0);
	put_daylight_name(&w, name, len);
	put_change(&w, f->to_daylight, f->yearly);
	pmon_wr_i32(&w, has_daylight ? f->standard_min - f->daylight_min : DAYLIGHT_MIN);
	r = pmon_rd_init(zone->bytes, sizeof(zone->bytes), 0);
	zone->zone = pmon_blg_zone_read(&r, &ignored);
}

// ---- Zones from offsets ---------------------------------------------------------------------

static void
put_fixed(struct blg_out_zone *zone, int32_t offset_min)
{
	put_zone(zone, &(struct zone_fields){.standard_min = offset_min,
					     .to_standard = PMON_TIME_NONE,
					     .to_daylight = PMON_TIME_NONE});
}

// Change number i on the clock before it.
static pmon_time
change_local(const struct blg_out_zone *zone, size_t i)
{
	return zone->change[i].at + zone->change[i].from_min * PMON_TIME_PER_MIN;
}

static void
put_one_change(struct blg_out_zone *zone)
{
	bool forward = zone->change[0].to_min > zone->change[0].from_min;
	struct zone_fields f = {
		.standard_min = forward ? zone->change[0].from_min : zone->change[0].to_min,
		.daylight_min = forward ? zone->change[0].to_min : zone->change[0].from_min,
		.to_standard = forward ? FAR_FUTURE : change_local(zone, 0),
		.to_daylight = forward ? change_local(zone, 0) : LONG_AGO,
	};

	put_zone(zone, &f);
}

static void
put_two_changes(struct blg_out_zone *zone)
{
	size_t forward = zone->change[0].to_min > zone->change[0].from_min ? 0 : 1;
	struct zone_fields f = {
		.standard_min = zone->change[forward].from_min,
		.daylight_min = zone->change[forward].to_min,
		.to_standard = change_local(zone, 1 - forward),
		.to_daylight = change_local(zone, forward),
		.yearly = true,
	};

	put_zone(zone, &f);
}

static bool
changes_are_a_pair(const struct blg_out_zone *zone)
{
	return zone->change[0].from_min == zone->change[1].to_min;
}

static void
rebuild(struct blg_out_zone *zone)
{
	if (zone->n_changes == 0)
		put_fixed(zone, zone->first_min);
	else if (zone->n_changes == 1)
		put_one_change(zone);
	else if (changes_are_a_pair(zone))
		put_two_changes(zone);
}

// When the clocks were changed between two samples: at a full hour if possible, otherwise at a
// quarter.
static pmon_time
guess_change(pmon_time before, pmon_time after)
{
	const int64_t steps[] = {60 * PMON_TIME_PER_MIN, 15 * PMON_TIME_PER_MIN};

	for (size_t i = 0; i < 2; i++)
		if (after - after % steps[i] > before)
			return after - after % steps[i];
	return after - after % PMON_TIME_PER_MSEC;
}

static void
note_change(struct blg_out_zone *zone, pmon_time time, int32_t offset_min)
{
	size_t n = zone->n_changes;

	if (n >= 2)
		return;
	zone->change[n].at = guess_change(zone->last, time);
	zone->change[n].from_min = zone->last_min;
	zone->change[n].to_min = offset_min;
	zone->n_changes++;
}

// ---- Samples --------------------------------------------------------------------------------

void
pmon_blg_out_zone_begin(struct blg_out_zone *zone, const struct pmon_source_info *info)
{
	const uint8_t *known = info->host != NULL ? info->host->zone_info : NULL;
	struct pmon_perf_name ignored;
	struct pmon_rd r;

	*zone = (struct blg_out_zone){.last_min = info->utc_offset_min, .last = PMON_TIME_NONE};
	zone->name = (struct pmon_span){info->zone, info->zone != NULL ? strlen(info->zone) : 0};
	if (known == NULL) {
		put_fixed(zone, info->utc_offset_min);
		return;
	}
	memcpy(zone->bytes, known, BLG_OUT_ZONE);
	r = pmon_rd_init(zone->bytes, sizeof(zone->bytes), 0);
	zone->zone = pmon_blg_zone_read(&r, &ignored);
}

bool
pmon_blg_out_zone_add(struct blg_out_zone *zone, pmon_time time, int32_t offset_min)
{
	int64_t local = blg_out_local(time, offset_min);
	bool is_right = pmon_blg_zone_offset(&zone->zone, local, zone->last) == offset_min;

	if (!zone->begun)
		zone->first_min = offset_min;
	else if (offset_min != zone->last_min)
		note_change(zone, time, offset_min);
	zone->begun = true;
	zone->last_min = offset_min;
	zone->last = time;
	if (!is_right)
		rebuild(zone);
	return !is_right;
}
