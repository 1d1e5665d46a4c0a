// begin.c - before the first row: are the tables there?
// SPDX-License-Identifier: MIT

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"

#define OLDEST 23008 // 23.8

// "26.7.2.1". What answers otherwise is another program.
static enum pmon_status
check_server(struct ch_engine *e, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = pmon_ch_run(e, "SELECT version()", &answer, err);
	struct pmon_scan s = pmon_scan_init(answer);
	uint64_t major = 0;
	uint64_t minor = 0;

	if (status != PMON_OK)
		return status;
	if (!pmon_scan_u64(&s, &major) || !pmon_scan_take(&s, '.') || !pmon_scan_u64(&s, &minor) ||
	    major * 1000 + minor < OLDEST)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s is ClickHouse %.*s; pmon requires 23.8 or later",
				    e->url.host, (int)(answer.len > 0 ? answer.len - 1 : 0),
				    answer.ptr);
	return PMON_OK;
}

// The versions of the views and keys in an answer.
static enum pmon_status
check_versions(const struct ch_engine *e, struct pmon_span answer, bool *are_current,
	       struct pmon_err *err)
{
	struct pmon_scan s = pmon_scan_init(answer);
	uint64_t views = 0;
	uint64_t keys = 0;
	bool is_read =
		pmon_scan_u64(&s, &views) && pmon_scan_take(&s, '\t') && pmon_scan_u64(&s, &keys);

	if (!is_read || keys != PMON_PUSH_KEYS_VERSION || views < CH_FIRST_VERSION)
		return pmon_err_set(
			err, PMON_E_UNSUPPORTED, 0,
			"the database %s was created by another version of pmon: its views have "
			"version %llu and its series keys of version %llu, and this pmon requires "
			"%d and %d; push to an empty database",
			e->place.database, (unsigned long long)views, (unsigned long long)keys,
			CH_FIRST_VERSION, PMON_PUSH_KEYS_VERSION);
	*are_current = views >= CH_VIEWS_VERSION;
	return PMON_OK;
}

// Is all there, and as it is now? Then the last statement was made, and those before it.
static enum pmon_status
look_for_tables(struct ch_engine *e, bool *are_there, struct pmon_err *err)
{
	char sql[256];
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "EXISTS TABLE %s." CH_VERSION_VIEW, e->place.database);
	status = pmon_ch_run(e, sql, &answer, err);
	*are_there = status == PMON_OK && answer.len > 0 && answer.ptr[0] == '1';
	if (status != PMON_OK || !*are_there)
		return status;
	(void)snprintf(sql, sizeof(sql), "SELECT views, keys FROM %s." CH_VERSION_VIEW,
		       e->place.database);
	status = pmon_ch_run(e, sql, &answer, err);
	return status == PMON_OK ? check_versions(e, answer, are_there, err) : status;
}

static enum pmon_status
make_tables(struct ch_engine *e, struct pmon_err *err)
{
	char *buf = pmon_mem_alloc(e->push.allocator, CH_SQL_SIZE);
	struct pmon_text sql = pmon_text_init(buf, CH_SQL_SIZE);
	enum pmon_status status = PMON_OK;

	if (buf == NULL)
		return pmon_err_nomem(err);
	e->is_making = true;
	for (size_t i = 0; status == PMON_OK && pmon_ch_statement(&e->place, i, &sql); i++) {
		status = pmon_ch_run(e, buf, NULL, err);
		sql = pmon_text_init(buf, CH_SQL_SIZE);
	}
	e->is_making = false;
	pmon_mem_free(e->push.allocator, buf, CH_SQL_SIZE);
	return status;
}

enum pmon_status
pmon_ch_begin(struct ch_engine *e, struct pmon_err *err)
{
	bool are_there = false;
	uint32_t days = 0;
	enum pmon_status status = check_server(e, err);

	if (status == PMON_OK)
		status = look_for_tables(e, &are_there, err);
	if (status == PMON_OK && !are_there && e->push.options.check == PMON_PUSH_VERIFY)
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "%s lacks some tables of the database %s; use --again to "
				    "create them and send what is missing",
				    e->url.host, e->place.database);
	if (status == PMON_OK && !are_there)
		status = make_tables(e, err);
	if (status == PMON_OK)
		status = pmon_ch_keep(e, &days, err);
	e->push.keep_from = pmon_push_keep_from(days);
	return status;
}
