// sample.c - record 0x22: the values at one point in time
// SPDX-License-Identifier: MIT
//
// A sample is a sequence of value records, one for each entry of the catalogue in the same order:
//
//	'B' 'L' u16 0x0003 u32 length                  the sample itself
//	'B' 'L' u16 form   u32 length  ...             a value record; lengths include these 8 bytes
//	...
//
// A sample is returned completely or not at all.

#include "format/blg/blg.h"

#include <string.h>

#include "base/mem.h"

#define HEAD_BYTES   8
#define SINGLE_BYTES 0x24 // of the fields after the head
#define SINGLE_HEAD  ((uint32_t)BLG_FORM_SINGLE << 16 | 0x4C42u)
#define MULTI_BYTES  0x18 // of form 0203, of the fields after the head
#define PLAIN_BYTES  0x30 // of a single value as Windows writes it, including header and fill
#define PLAIN_HEAD   ((uint64_t)PLAIN_BYTES << 32 | SINGLE_HEAD)

// ---- The sample under construction ----------------------------------------------------------

enum pmon_status
pmon_blg_sample_reserve(struct blg *blg, size_t n, struct pmon_err *err)
{
	size_t need = blg->sample.n + n;

	if (!pmon_mem_grow(blg->allocator, &blg->series, &blg->series_cap, need,
			   sizeof(*blg->series)) ||
	    !pmon_mem_grow(blg->allocator, &blg->raw, &blg->raw_cap, need, sizeof(*blg->raw)))
		return pmon_err_nomem(err);
	return PMON_OK;
}

static inline bool
is_negative(const struct pmon_raw *raw)
{
	return (raw->first | raw->second) < 0;
}

void
pmon_blg_sample_add(struct blg *blg, uint32_t series, const struct pmon_raw *raw)
{
	struct pmon_raw *kept = &blg->raw[blg->sample.n];

	blg->series[blg->sample.n++] = series;
	*kept = *raw;
	if (is_negative(raw))
		pmon_raw_zero_extend(&pmon_schema_at(&blg->source.schema, series)->counter, kept);
}

enum pmon_status
pmon_blg_sample_damaged(struct blg *blg, const char *why)
{
	blg->why = why;
	return PMON_E_FORMAT;
}

void
pmon_blg_sample_clock(struct blg *blg, pmon_time local, pmon_time utc)
{
	if (!blg->has_offset)
		blg->has_offset = pmon_blg_zone_from_pair(local, utc, &blg->offset_min);
}

// ---- Value records --------------------------------------------------------------------------

bool
pmon_blg_value_next(struct pmon_rd *r, struct blg_value *out)
{
	size_t at = pmon_rd_pos(r);
	const uint8_t *head;
	uint32_t len;

	if (pmon_rd_left(r) == 0)
		return false;
	head = pmon_rd_bytes(r, HEAD_BYTES);
	if (head == NULL)
		return false;
	len = pmon_le32(head + 4);
	if (head[0] != 'B' || head[1] != 'L' || len < HEAD_BYTES) {
		pmon_rd_fail(r);
		return false;
	}
	out->form = (uint16_t)(head[2] | head[3] << 8);
	out->rd = pmon_rd_sub(r, at, len);
	pmon_rd_skip(&out->rd, HEAD_BYTES);
	pmon_rd_seek(r, at + len);
	return pmon_rd_ok(r);
}

// Every value has a time, and a status if it was unavailable: one with neither was zeroed in the
// file.
static void
tell_zeroed(struct blg *blg, const struct blg_value *value)
{
	char label[BLG_LABEL_SIZE];

	pmon_report_loss(&blg->report, value->rd.origin, value->rd.len, "%s: a value is all zeros",
			 pmon_blg_record_label(BLG_SAMPLE, blg->sample.time, label));
}

static bool
has_moving_perf(const struct blg *blg, const struct blg_entry *entry)
{
	const struct blg_catalogue *c = blg->log->current;

	return c->perf_moves && entry == &c->entries[c->perf_entry];
}

// Form 0103, a single value; a PDH_RAW_COUNTER
//	0x08  u32      status
//	0x0C  FILETIME time, local
//	0x18  i64      first value
//	0x20  i64      second value
//	0x28  u32      number of units (MultiCount)
// Source: PDH_RAW_COUNTER in pdh.h; checked against text exports of the same data.
static enum pmon_status
load_single(struct blg *blg, struct blg_entry *entry, struct blg_value *value, struct pmon_err *err)
{
	struct pmon_raw raw;
	const uint8_t *p;

	if (entry->series == PMON_SERIES_NONE && (!entry->has_clock || blg->has_offset) &&
	    !has_moving_perf(blg, entry))
		return PMON_OK;
	p = pmon_rd_bytes(&value->rd, SINGLE_BYTES);
	if (p == NULL)
		return pmon_blg_sample_damaged(blg, "a value is too short");
	if (pmon_is_zero(p, SINGLE_BYTES)) {
		tell_zeroed(blg, value);
		return PMON_OK;
	}
	raw.status = pmon_le32(p);
	raw.time = blg_value_time(blg, (pmon_time)pmon_le64(p + 0x04));
	raw.first = (int64_t)pmon_le64(p + 0x10);
	raw.second = (int64_t)pmon_le64(p + 0x18);
	raw.multi = pmon_le32(p + 0x20);
	if (entry->has_clock && blg_is_usable(raw.status))
		pmon_blg_sample_clock(blg, raw.time, raw.second);
	if (has_moving_perf(blg, entry))
		pmon_blg_sample_perf(blg, entry, raw.status, raw.second,
				     entry->columns[0].counter.time_base);
	if (entry->series == PMON_SERIES_NONE)
		return PMON_OK;
	// pmon's writer marks an absent counter like this; Windows writes a MultiCount of 1.
	if (raw.status == PMON_RAW_NO_INSTANCE && raw.multi == 0)
		return PMON_OK;
	if (pmon_blg_sample_reserve(blg, 1, err) != PMON_OK)
		return PMON_E_NOMEM;
	pmon_blg_sample_add(blg, entry->series, &raw);
	return PMON_OK;
}

// The fast path for nearly all values: single ones as planned and as Windows writes them, without
// anomalies. It stops at the first other value, which the general code reads. n values were read
// before; returns how many were read in addition. There is room for one value of each entry.
static size_t
load_singles(struct blg *blg, const struct blg_catalogue *c, struct pmon_rd *r, size_t n)
{
	const uint32_t clock = blg->has_offset ? 0 : BLG_PLAN_CLOCK;
	const uint8_t *p = r->base + r->pos;
	uint32_t *series = blg->series + blg->sample.n;
	struct pmon_raw *raw = blg->raw + blg->sample.n;
	size_t end = pmon_rd_left(r) / PLAIN_BYTES;

	if (n >= c->n)
		return n;
	end = end < c->n - n ? n + end : c->n;
	for (; n < end && pmon_le64(p) == PLAIN_HEAD; n++, p += PLAIN_BYTES) {
		uint32_t plan = c->plan[n];

		*series = plan & BLG_PLAN_SERIES;
		if (*series == BLG_PLAN_OTHER || (plan & clock) != 0)
			break;
		if (*series == BLG_PLAN_SKIP)
			continue;
		raw->status = pmon_le32(p + 0x08);
		raw->time = (pmon_time)pmon_le64(p + 0x0C);
		raw->first = (int64_t)pmon_le64(p + 0x18);
		raw->second = (int64_t)pmon_le64(p + 0x20);
		raw->multi = pmon_le32(p + 0x28);
		if (raw->status != PMON_RAW_VALID || !pmon_time_is_sane(raw->time) ||
		    is_negative(raw))
			break;
		series++;
		raw++;
	}
	blg->sample.n = (size_t)(series - blg->series);
	pmon_rd_seek(r, (size_t)(p - r->base));
	return n;
}

// An unavailable counter may be written in another, unknown form. But if the record has room for a
// value, it had one.
static void
take_other_form(struct blg *blg, const struct blg_entry *entry, const struct blg_value *value)
{
	char label[BLG_LABEL_SIZE];

	if (pmon_rd_left(&value->rd) < MULTI_BYTES)
		blg_unknown(&blg->report);
	else if (entry->form != BLG_FORM_SINGLE || entry->series != PMON_SERIES_NONE)
		pmon_report_loss(&blg->report, value->rd.origin, value->rd.len,
				 "%s: a value is of form %04X, and its counter of form %04X",
				 pmon_blg_record_label(BLG_SAMPLE, blg->sample.time, label),
				 value->form, entry->form);
}

static enum pmon_status
load_value(struct blg *blg, struct blg_entry *entry, const struct pmon_rd *values,
	   struct blg_value *value, struct pmon_err *err)
{
	if (entry->is_broken)
		return PMON_OK;
	if (value->form != entry->form) {
		take_other_form(blg, entry, value);
		return PMON_OK;
	}
	switch (entry->form) {
	case BLG_FORM_SINGLE:
		return load_single(blg, entry, value, err);
	case BLG_FORM_MULTI:
		return pmon_blg_multi_load(blg, entry, value, err);
	default:
		return pmon_blg_object_load(blg, entry, values, value, err);
	}
}

// ---- The performance clock ------------------------------------------------------------------

// Read the performance clock, if the current value contains it.
void
pmon_blg_sample_perf(struct blg *blg, const struct blg_entry *entry, uint32_t status, int64_t ticks,
		     int64_t ticks_per_second)
{
	const struct blg_catalogue *c = blg->log->current;

	if (c->perf_entry < c->n && entry == &c->entries[c->perf_entry] && blg_is_usable(status))
		blg->sample.perf_100ns = pmon_perf_100ns(ticks, ticks_per_second);
}

// Find the single value with the performance clock. False if there is none.
static bool
perf_place(const struct blg_catalogue *c, size_t *at)
{
	*at = HEAD_BYTES + c->perf_entry * PLAIN_BYTES;
	return c->perf_entry < c->n && !c->perf_moves &&
	       c->entries[c->perf_entry].form == BLG_FORM_SINGLE;
}

// The value at that position, whether it is wanted or not.
static void
take_perf(struct blg *blg, const uint8_t *p)
{
	const struct blg_catalogue *c = blg->log->current;
	const struct blg_entry *entry = &c->entries[c->perf_entry];

	if (pmon_le64(p) == PLAIN_HEAD)
		pmon_blg_sample_perf(blg, entry, pmon_le32(p + 0x08), (int64_t)pmon_le64(p + 0x20),
				     entry->columns[0].counter.time_base);
}

// ---- Samples --------------------------------------------------------------------------------

// Values are identified only by their position, so there must be as many as entries. After a
// damaged entry the catalogue may lack some.
static bool
is_complete(const struct blg_catalogue *c, size_t n)
{
	return n == c->n || (n > c->n && c->is_cut);
}

static enum pmon_status
load_values(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	const struct blg_catalogue *c = blg->log->current;
	struct pmon_rd head = pmon_rd_init(record->bytes, record->len, record->offset);
	uint32_t tag = pmon_rd_u32(&head);
	uint32_t len = pmon_rd_u32(&head);
	struct pmon_rd r = pmon_rd_sub(&head, 0, len);
	const struct pmon_rd values = r;
	struct blg_value value;
	enum pmon_status status;
	size_t n = 0;
	size_t at;

	pmon_rd_skip(&r, HEAD_BYTES);
	if (!pmon_rd_ok(&head) || !pmon_rd_ok(&r) || tag != BLG_TAG_SAMPLE)
		return pmon_blg_sample_damaged(blg, "its head is damaged");
	if (perf_place(c, &at) && at < r.len && r.len - at >= PLAIN_BYTES)
		take_perf(blg, r.base + at);
	for (;; n++) {
		// However many were added before, there is room for one value of each remaining
		// entry.
		if (pmon_blg_sample_reserve(blg, n < c->n ? c->n - n : 0, err) != PMON_OK)
			return PMON_E_NOMEM;
		n = load_singles(blg, c, &r, n);
		if (!pmon_blg_value_next(&r, &value))
			break;
		if (n >= c->n)
			continue;
		status = load_value(blg, &c->entries[n], &values, &value, err);
		if (status != PMON_OK)
			return status;
	}
	if (!pmon_rd_ok(&r))
		return pmon_blg_sample_damaged(blg, "the lengths of its values do not add up");
	if (!is_complete(c, n))
		return pmon_blg_sample_damaged(
			blg, "the number of values differs from the number of counters");
	// An event whose size is damaged may include those after it.
	if (record->len - len >= HEAD_BYTES)
		pmon_report_loss(&blg->report, record->offset, record->len - len,
				 "%zu bytes after a sample do not belong to it", record->len - len);
	return PMON_OK;
}

// ---- Samples of which little is wanted ------------------------------------------------------

// The size of a sample in which all values are single ones as Windows writes them.
static size_t
plain_bytes(const struct blg_catalogue *c)
{
	return HEAD_BYTES + c->n * PLAIN_BYTES;
}

// Load one value of a partial record. *ok_out is false if it is not as expected.
static enum pmon_status
load_one(struct blg *blg, uint32_t number, bool *ok_out, struct pmon_err *err)
{
	struct blg_entry *entry = &blg->log->current->entries[number];
	size_t at = HEAD_BYTES + (size_t)number * PLAIN_BYTES;
	uint8_t bytes[PLAIN_BYTES] = {0};
	struct blg_value value = {.form = BLG_FORM_SINGLE,
				  .rd = pmon_rd_init(bytes, sizeof(bytes), 0)};
	enum pmon_status status =
		pmon_blg_record_read(&blg->assembler, at, bytes, sizeof(bytes), ok_out, err);

	*ok_out = *ok_out && pmon_le64(bytes) == PLAIN_HEAD;
	if (status != PMON_OK || !*ok_out)
		return status;
	pmon_rd_skip(&value.rd, HEAD_BYTES);
	status = load_single(blg, entry, &value, err);
	// The offset to UTC may have to come from a value other than this one.
	*ok_out = !entry->has_clock || blg->has_offset;
	return status;
}

// The value of a partial record that contains the performance clock.
static enum pmon_status
load_perf(struct blg *blg, bool *ok_out, struct pmon_err *err)
{
	uint8_t bytes[PLAIN_BYTES] = {0};
	enum pmon_status status;
	size_t at;

	if (!perf_place(blg->log->current, &at))
		return PMON_OK;
	status = pmon_blg_record_read(&blg->assembler, at, bytes, sizeof(bytes), ok_out, err);
	if (status == PMON_OK && *ok_out)
		take_perf(blg, bytes);
	return status;
}

// The offset to UTC of the event takes precedence over that of the values.
static void
begin_offset(struct blg *blg, const struct blg_record *record)
{
	blg->has_offset = record->has_offset;
	blg->offset_min = record->offset_min;
}

// Load the few values that are needed, whose offsets follow from the length of the sample. *ok_out
// is false, without a change, if the sample has to be read completely.
static enum pmon_status
load_few(struct blg *blg, const struct blg_record *record, bool *ok_out, struct pmon_err *err)
{
	const struct blg_catalogue *c = blg->log->current;
	enum pmon_status status = PMON_OK;

	*ok_out = c->few != NULL && record->len == plain_bytes(c) &&
		  pmon_le32(record->bytes) == BLG_TAG_SAMPLE &&
		  pmon_le32(record->bytes + 4) == record->len;
	for (size_t i = 0; i < c->n_few && status == PMON_OK && *ok_out; i++)
		status = load_one(blg, c->few[i], ok_out, err);
	if (status == PMON_OK && *ok_out)
		status = load_perf(blg, ok_out, err);
	if (!*ok_out) {
		blg->sample.n = 0;
		begin_offset(blg, record);
	}
	return status;
}

// Decode a partial record: from the few values, or after completing it.
static enum pmon_status
load_partial(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	struct blg_record whole = *record;
	bool ok;
	enum pmon_status status = load_few(blg, record, &ok, err);

	if (status != PMON_OK || ok)
		return status;
	status = pmon_blg_record_fill(&blg->assembler, &whole, &ok, err);
	if (status == PMON_OK && !ok)
		return pmon_blg_sample_damaged(blg, "the file was truncated while being read");
	return status == PMON_OK ? load_values(blg, &whole, err) : status;
}

void
pmon_blg_sample_expect(struct blg *blg)
{
	const struct blg_log *log = blg->log != NULL ? blg->log : blg->logs;
	// NULL if the log names its counters later
	const struct blg_catalogue *c = log->current;

	// A partial sample costs about as much as 4 KiB for each part that is read.
	blg->etl.is_sparse = c != NULL && c->few != NULL && pmon_file_is_shareable(blg->etl.file) &&
			     (c->n_few + 1) * 4096 <= plain_bytes(c);
	blg->reads_few = blg->reads_few || blg->etl.is_sparse;
}

// ---- The end of a sample --------------------------------------------------------------------

// The offset to UTC if no value has determined it. If the data has contradicted the zone before,
// the last known offset stays.
static int32_t
offset_by_zone(const struct blg *blg, pmon_time local)
{
	const struct blg_zone *zone = &blg->etl.header.zone;
	const struct blg_log *log = blg->log;

	if (log->has_offset && log->offset_min != zone->standard_min &&
	    log->offset_min != zone->daylight_min)
		return log->offset_min;
	return pmon_blg_zone_offset(zone, local, log->last_time);
}

// The values have another offset than those of the preceding sample, and the zone in the header has
// no such change. The clock may have been set without the second values following it: that looks
// the same.
static void
tell_odd_change(struct blg *blg, const struct blg_record *record)
{
	const struct blg_zone *zone = &blg->etl.header.zone;
	const struct blg_log *log = blg->log;
	char label[BLG_LABEL_SIZE];
	pmon_time before;
	int32_t said;

	if (record->has_offset || !log->has_offset || log->offset_min == blg->offset_min)
		return;
	before = log->last_time + log->offset_min * PMON_TIME_PER_MIN;
	said = pmon_blg_zone_offset(zone, record->time, log->last_time) -
	       pmon_blg_zone_offset(zone, before, PMON_TIME_NONE);
	if (blg->offset_min - log->offset_min == said)
		return;
	pmon_report_remark(&blg->report, record->offset,
			   "%s: the UTC offset is %+d minutes, it was %+d before; assuming a "
			   "change of time zone, but the clock may have been set",
			   pmon_blg_record_label(BLG_SAMPLE, record->time, label), blg->offset_min,
			   log->offset_min);
}

static void
finish(struct blg *blg, const struct blg_record *record)
{
	struct blg_log *log = blg->log;
	pmon_time local = record->time;
	int64_t behind;

	if (blg->has_offset) {
		tell_odd_change(blg, record);
		log->first_offset_min = log->has_offset ? log->first_offset_min : blg->offset_min;
		log->has_offset = true;
		log->offset_min = blg->offset_min;
		blg->n_clocked++;
	} else {
		blg->offset_min = offset_by_zone(blg, local);
	}
	behind = blg->offset_min * PMON_TIME_PER_MIN;
	for (size_t i = 0; i < blg->sample.n; i++)
		blg->raw[i].time -= behind;
	blg->sample.time = local - behind;
	blg->sample.utc_offset_min = blg->offset_min;
	blg->sample.stream = (uint32_t)(log - blg->logs);
	blg->sample.ordinal = log->n_samples++;
	blg->sample.series = blg->series;
	blg->sample.raw = blg->raw;
	log->last_time = blg->sample.time;
	if (blg->sample.stream == 0 && blg->sample.ordinal == 0)
		blg->source.info.utc_offset_min = blg->offset_min;
}

// Why a sample cannot be decoded at all, or NULL.
static const char *
obstacle(const struct blg *blg, const struct blg_record *record)
{
	if (blg->log == NULL || blg->log->current == NULL)
		return "the list of its counters is missing";
	if (!pmon_time_is_sane(record->time))
		return "its time is damaged";
	return NULL;
}

enum pmon_status
pmon_blg_sample_load(struct blg *blg, const struct blg_record *record, struct pmon_err *err)
{
	enum pmon_status status = PMON_E_FORMAT;
	char label[BLG_LABEL_SIZE];

	if (blg->log == NULL || memcmp(blg->log->id, record->log_id, sizeof(blg->log->id)) != 0)
		blg->log = pmon_blg_log_find(blg, record->log_id);
	blg->sample = (struct pmon_sample){.time = record->time};
	begin_offset(blg, record);
	blg->n_decoded++;
	blg->why = obstacle(blg, record);
	if (blg->why == NULL)
		status = record->is_partial ? load_partial(blg, record, err)
					    : load_values(blg, record, err);
	if (status == PMON_OK)
		status = pmon_blg_part_namesakes(blg, err);
	if (status == PMON_OK)
		finish(blg, record);
	if (status != PMON_E_FORMAT)
		return status;
	pmon_report_loss(&blg->report, record->offset, record->len, "%s: %s",
			 pmon_blg_record_label(BLG_SAMPLE, record->time, label), blg->why);
	return PMON_END;
}
