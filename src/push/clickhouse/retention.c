// retention.c - how long ClickHouse keeps values
// SPDX-License-Identifier: MIT
//
// The view pmon_retention records for how many days values are kept. Current servers delete older ones on
// their own, by the TTL of the tables; older servers have none, so pmon drops the partitions of expired
// days when it pushes. A TTL is two days longer than the retention: whatever the time zone of a
// server, what it has deleted is older than the retention for pmon too, so it is not taken for lost.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"

#define SQL_SIZE  1024
#define SPARE     2      // days
#define EPOCH_DAY 134774 // 1970-01-01, in days since 1601

// What the TTL of a table counts from.
static const struct {
	const char *table;
	const char *day;
} kept[] = {
	{"pmon_raw", "day"},
	{"pmon_push", "toDate(intDiv(greatest(time_to - 116444736000000000, 0), 864000000000))"},
};

#define N_KEPT (sizeof(kept) / sizeof(kept[0]))

static void
put_ttl(const struct ch_place *place, size_t i, uint32_t days, struct pmon_text *sql)
{
	pmon_text_str(sql, "ALTER TABLE ");
	pmon_ch_put_name(place, kept[i].table, true, sql);
	if (days == 0) {
		pmon_text_str(sql, " REMOVE TTL");
		return;
	}
	pmon_text_str(sql, " MODIFY TTL ");
	pmon_text_str(sql, kept[i].day);
	pmon_text_str(sql, " + toIntervalDay(");
	pmon_text_u64(sql, days + SPARE);
	pmon_text_char(sql, ')');
}

// A partition is a day, so it expires as a whole, and nothing has to be written again.
static void
put_settings(const struct ch_place *place, struct pmon_text *sql)
{
	pmon_text_str(sql, "ALTER TABLE ");
	pmon_ch_put_name(place, "pmon_raw", true, sql);
	pmon_text_str(sql, " MODIFY SETTING ttl_only_drop_parts = 1, "
			   "materialize_ttl_recalculate_only = 1");
}

bool
pmon_ch_put_retention(const struct ch_place *place, size_t i, uint32_t days, struct pmon_text *sql)
{
	size_t n_altered = pmon_ch_is_current(place) ? 1 + N_KEPT : 0;

	if (i >= n_altered + 2)
		return false;
	if (i < n_altered && i == 0) {
		put_settings(place, sql);
	} else if (i < n_altered) {
		put_ttl(place, i - 1, days, sql);
	} else if (i == n_altered) {
		pmon_text_str(sql, "DROP TABLE IF EXISTS ");
		pmon_ch_put_name(place, CH_RETENTION_VIEW, false, sql);
	} else {
		pmon_text_str(sql, "CREATE VIEW IF NOT EXISTS ");
		pmon_ch_put_name(place, CH_RETENTION_VIEW, false, sql);
		pmon_text_str(sql, " AS\nSELECT toUInt32(");
		pmon_text_u64(sql, days);
		pmon_text_str(sql, ") AS days");
	}
	return true;
}

// ---- One node -------------------------------------------------------------------------------

static enum pmon_status
read_retention(struct ch_engine *e, size_t host, uint32_t *days, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	uint64_t n = 0;
	enum pmon_status status;

	*days = 0;
	(void)snprintf(sql, sizeof(sql), "EXISTS TABLE %s." CH_RETENTION_VIEW, e->place.database);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	if (status != PMON_OK || answer.len == 0 || answer.ptr[0] != '1')
		return status;
	(void)snprintf(sql, sizeof(sql), "SELECT days FROM %s." CH_RETENTION_VIEW,
		       e->place.database);
	status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
	s = pmon_scan_init(answer);
	if (status == PMON_OK && (!pmon_scan_u64(&s, &n) || n > UINT32_MAX))
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "%s: the view %s." CH_RETENTION_VIEW " is broken",
				    e->url.hosts[host], e->place.database);
	*days = (uint32_t)n;
	return status;
}

// Record it. A retention that ends has a TTL to remove.
static enum pmon_status
set_retention(struct ch_engine *e, size_t host, const struct ch_place *place, uint32_t days,
	      struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && pmon_ch_put_retention(place, i, days, &text); i++) {
		status = pmon_ch_run(e, UINT64_C(1) << host, sql, NULL, err);
		text = pmon_text_init(sql, sizeof(sql));
	}
	return status;
}

// Day by day, the first one each time: an answer is valid until the next request.
static enum pmon_status
drop_expired(struct ch_engine *e, size_t host, uint32_t days, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	int64_t first = pmon_push_keep_from(days) / PMON_PUSH_DAY_100NS - EPOCH_DAY;
	const char *local = e->place.cluster[0] != '\0' ? "_local" : "";
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = PMON_OK;

	while (status == PMON_OK && first > 0) {
		(void)snprintf(sql, sizeof(sql),
			       "SELECT DISTINCT partition FROM system.parts WHERE active AND "
			       "database = '%s' AND table = 'pmon_raw%s' AND toDate(partition) < "
			       "toDate(%" PRId64 ") ORDER BY partition LIMIT 1",
			       e->place.database, local, first);
		status = pmon_ch_run(e, UINT64_C(1) << host, sql, &answer, err);
		if (status != PMON_OK || answer.len == 0)
			break;
		(void)snprintf(sql, sizeof(sql), "ALTER TABLE %s.pmon_raw%s DROP PARTITION '%.*s'",
			       e->place.database, local, (int)answer.len - 1, answer.ptr);
		status = pmon_ch_run(e, UINT64_C(1) << host, sql, NULL, err);
	}
	return status;
}

enum pmon_status
pmon_ch_keep(struct ch_engine *e, size_t host, const struct ch_place *place, uint32_t *days,
	     struct pmon_err *err)
{
	uint32_t wanted = pmon_push_retention_days(&e->push.options);
	enum pmon_status status = read_retention(e, host, days, err);

	if (status != PMON_OK || e->push.options.check == PMON_PUSH_VERIFY)
		return status;
	if (e->push.options.retention_100ns != 0 && *days != wanted) {
		status = set_retention(e, host, place, wanted, err);
		*days = wanted;
	}
	if (status == PMON_OK && *days != 0 && !pmon_ch_is_current(place))
		status = drop_expired(e, host, *days, err);
	return status;
}
