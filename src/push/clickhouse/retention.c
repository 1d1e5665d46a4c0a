// retention.c - how long ClickHouse keeps values
// SPDX-License-Identifier: MIT
//
// The view pmon_retention records for how many days values are kept. The server deletes older ones by the TTL
// of the tables. A TTL is two days longer than the retention: whatever the time zone of a server, what
// it has deleted is older than the retention for pmon too, so it is not taken for lost.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"

#define SQL_SIZE 1024
#define SPARE    2 // days

// What the TTL of a table counts from.
static const struct {
	const char *table;
	const char *time;
} kept[] = {
	{"pmon_fact", "time"},
	{"pmon_push", "time_to"},
};

#define N_KEPT (sizeof(kept) / sizeof(kept[0]))

static void
put_ttl(const struct ch_place *place, size_t i, uint32_t days, struct pmon_text *sql)
{
	pmon_text_str(sql, "ALTER TABLE ");
	pmon_ch_put_name(place, kept[i].table, sql);
	if (days == 0) {
		pmon_text_str(sql, " REMOVE TTL");
		return;
	}
	pmon_text_str(sql, " MODIFY TTL ");
	pmon_text_str(sql, "toDate(");
	pmon_text_str(sql, kept[i].time);
	pmon_text_str(sql, ") + toIntervalDay(");
	pmon_text_u64(sql, days + SPARE);
	pmon_text_char(sql, ')');
}

bool
pmon_ch_put_retention(const struct ch_place *place, size_t i, uint32_t days, struct pmon_text *sql)
{
	if (i > N_KEPT)
		return false;
	if (i < N_KEPT) {
		put_ttl(place, i, days, sql);
		return true;
	}
	pmon_text_str(sql, "CREATE OR REPLACE VIEW ");
	pmon_ch_put_name(place, CH_RETENTION_VIEW, sql);
	pmon_text_str(sql, " AS\nSELECT toUInt32(");
	pmon_text_u64(sql, days);
	pmon_text_str(sql, ") AS days");
	return true;
}

// ---- The server -----------------------------------------------------------------------------

static enum pmon_status
read_retention(struct ch_engine *e, uint32_t *days, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	uint64_t n = 0;
	enum pmon_status status;

	*days = 0;
	(void)snprintf(sql, sizeof(sql), "EXISTS TABLE %s." CH_RETENTION_VIEW, e->place.database);
	status = pmon_ch_run(e, sql, &answer, err);
	if (status != PMON_OK || answer.len == 0 || answer.ptr[0] != '1')
		return status;
	(void)snprintf(sql, sizeof(sql), "SELECT days FROM %s." CH_RETENTION_VIEW,
		       e->place.database);
	status = pmon_ch_run(e, sql, &answer, err);
	s = pmon_scan_init(answer);
	if (status == PMON_OK && (!pmon_scan_u64(&s, &n) || n > UINT32_MAX))
		return pmon_err_set(err, PMON_E_FORMAT, 0,
				    "the view %s." CH_RETENTION_VIEW " is broken",
				    e->place.database);
	*days = (uint32_t)n;
	return status;
}

// Record it. A retention that ends has a TTL to remove.
static enum pmon_status
set_retention(struct ch_engine *e, uint32_t days, struct pmon_err *err)
{
	char sql[SQL_SIZE];
	struct pmon_text text = pmon_text_init(sql, sizeof(sql));
	enum pmon_status status = PMON_OK;

	for (size_t i = 0; status == PMON_OK && pmon_ch_put_retention(&e->place, i, days, &text);
	     i++) {
		status = pmon_ch_run(e, sql, NULL, err);
		text = pmon_text_init(sql, sizeof(sql));
	}
	return status;
}

enum pmon_status
pmon_ch_keep(struct ch_engine *e, uint32_t *days, struct pmon_err *err)
{
	uint32_t wanted = pmon_push_retention_days(&e->push.options);
	enum pmon_status status = read_retention(e, days, err);

	if (status != PMON_OK || e->push.options.check == PMON_PUSH_VERIFY)
		return status;
	if (e->push.options.retention_100ns != 0 && *days != wanted) {
		status = set_retention(e, wanted, err);
		*days = wanted;
	}
	return status;
}
