// verify.c - compare raw values with those that are stored in ClickHouse
// SPDX-License-Identifier: MIT
//
// The rows of a batch go to each shard as a table that it has for the time of a question.

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/wr.h"
#include "push/clickhouse/engine.h"

#define TARGET_SIZE 8192

// Rows as a file of a form. Rows of counters do not have this text by chance.
#define BOUNDARY "pmon-5f1c7d0a9be84e23b6d1c3a08f72e594"
#define FORM_HEAD                                                                                  \
	"--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"sent\"; filename=\"sent\"\r\n"   \
	"Content-Type: application/octet-stream\r\n\r\n"
#define FORM_TAIL "\r\n--" BOUNDARY "--\r\n"

// CH_RAW_COLUMNS with their types, as it stands in a target.
#define RAW_STRUCTURE                                                                              \
	"series%20UUID,time%20Int64,nth%20UInt32,day%20Date,raw_time%20Int64,first%20Int64,"       \
	"second%20Int64,multi%20UInt32,status%20UInt32,absent_after%20Int64,type%20UInt32,"        \
	"time_base%20Int64,size%20UInt8"

// Ask a shard a question about rows, which it has for its time as the table "sent".
static enum pmon_status
ask_about(struct ch_engine *e, size_t shard, const char *sql, const struct pmon_push_bytes *body,
	  struct pmon_span *answer, struct pmon_err *err)
{
	static const char *const headers[] = {
		"Content-Type: multipart/form-data; boundary=" BOUNDARY, NULL};
	char target[TARGET_SIZE];
	struct pmon_http_request request = {.target = target,
					    .headers = headers,
					    .body = body->list,
					    .body_len = body->n,
					    .hosts = e->shards.hosts[shard],
					    .may_pass = pmon_ch_may_pass};
	char *escaped = pmon_http_escape(e->http, (struct pmon_span){sql, strlen(sql)});

	if (escaped == NULL)
		return pmon_err_nomem(err);
	(void)snprintf(target, sizeof(target), "/?sent_format=RowBinary&sent_structure=%s&query=%s",
		       RAW_STRUCTURE, escaped);
	pmon_http_escape_free(e->http, escaped);
	return pmon_http_ask(e->http, &request, answer, err);
}

// Rows with what the tables keep them by, and with their value. A fact may have several rows: the views take the first
// in the order of views.c, FACTS.
#define COMPARED                                                                                   \
	"status NOT IN (" PMON_SQL_CHANGED ") AS u, "                                              \
	"(nth > 2147483647 ? toUInt32(0) : multi) AS m,\n"                                         \
	" cityHash64(first, second, absent_after, status, m) AS row, "                             \
	"cityHash64(first, second, m) AS value\n"
#define COLUMNS " AS is_sent, series, time, nth, first, second, multi, status, absent_after FROM "
#define FACT    "series, time, nth"

static void
put_compare(const struct ch_engine *e, struct pmon_text *sql)
{
	pmon_text_str(sql, "SELECT countIf(NOT has(there, own)), countIf(notEmpty(there) AND nth "
			   "<= 2147483647 AND counts <> own_value)\n"
			   "FROM (SELECT " FACT ", maxIf(row, is_sent = 1) AS own,\n"
			   " argMaxIf(value, row, is_sent = 1) AS own_value,\n"
			   " groupUniqArrayIf(row, is_sent = 0) AS there,\n"
			   " argMinIf(value, (-absent_after, u, first, second, m), is_sent = 0) "
			   "AS counts\n"
			   "FROM (SELECT *, " COMPARED "FROM (SELECT materialize(1)" COLUMNS
			   "sent\nUNION ALL SELECT materialize(0)" COLUMNS);
	pmon_ch_put_name(&e->place, "pmon_raw", true, sql);
	pmon_text_str(sql, "\nWHERE day IN (SELECT day FROM sent) AND (" FACT ") IN (SELECT " FACT
			   " FROM sent)))\nGROUP BY " FACT ")");
}

// How many of these rows of a shard are not there, whatever other rows the facts have; and for how many facts that have
// a row another value counts.
static enum pmon_status
count_missing_of(struct ch_engine *e, size_t shard, const uint8_t *rows, uint64_t *n,
		 struct pmon_err *err)
{
	char text[TARGET_SIZE / 4];
	struct pmon_text sql = pmon_text_init(text, sizeof(text));
	size_t len = e->batch.rows_of[shard] * CH_RAW_SIZE;
	struct pmon_push_bytes body = {NULL, 0, 0};
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	struct pmon_wr w;
	uint64_t missing = 0;
	uint64_t other = 0;
	enum pmon_status status;

	if (!pmon_push_room(&e->push, &body, sizeof(FORM_HEAD) + len + sizeof(FORM_TAIL)))
		return pmon_err_nomem(err);
	w = pmon_wr_init(body.list, body.cap);
	pmon_wr_copy(&w, FORM_HEAD, sizeof(FORM_HEAD) - 1);
	pmon_wr_copy(&w, rows, len);
	pmon_wr_copy(&w, FORM_TAIL, sizeof(FORM_TAIL) - 1);
	body.n = pmon_wr_pos(&w);
	put_compare(e, &sql);
	status = ask_about(e, shard, text, &body, &answer, err);
	s = pmon_scan_init(answer);
	if (status == PMON_OK && (!pmon_scan_u64(&s, &missing) || !pmon_scan_take(&s, '\t') ||
				  !pmon_scan_u64(&s, &other)))
		status = pmon_err_set(err, PMON_E_FORMAT, 0,
				      "ClickHouse does not answer with numbers of rows");
	*n += missing;
	e->push.counts.different += other;
	pmon_push_free(&e->push, &body);
	return status;
}

enum pmon_status
pmon_ch_count_missing(struct pmon_push_sink *push, uint64_t *n, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	const uint8_t *rows = pmon_ch_batch_sort(&e->batch, &push->keys, &e->shards);
	enum pmon_status status = rows != NULL ? PMON_OK : pmon_err_nomem(err);

	*n = 0;
	for (size_t shard = 0; status == PMON_OK && shard < e->shards.n; shard++) {
		size_t n_rows = e->batch.rows_of[shard];

		if (n_rows > 0 && e->shards.hosts[shard] == 0)
			status = pmon_ch_find_shard(e, shard, err);
		if (status == PMON_OK && n_rows > 0)
			status = count_missing_of(e, shard, rows, n, err);
		rows += n_rows * CH_RAW_SIZE;
	}
	return status;
}
