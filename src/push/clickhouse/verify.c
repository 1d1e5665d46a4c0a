// verify.c - compare raw values with those that are stored in ClickHouse
// SPDX-License-Identifier: MIT
//
// The rows of a batch go to the server as a table that it has for the time of a statement.

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/wr.h"
#include "push/clickhouse/engine.h"
#include "push/clickhouse/sql.h"

#define TARGET_SIZE 8192

// Rows as a file of a form. Rows of counters do not have this text by chance.
#define BOUNDARY "pmon-5f1c7d0a9be84e23b6d1c3a08f72e594"
#define FORM_HEAD                                                                                  \
	"--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"sent\"; filename=\"sent\"\r\n"   \
	"Content-Type: application/octet-stream\r\n\r\n"
#define FORM_TAIL "\r\n--" BOUNDARY "--\r\n"

// CH_FACT_COLUMNS with their types, as it stands in a target.
#define FACT_STRUCTURE                                                                             \
	"machine%20String,series%20UUID,time%20DateTime64(7),nth%20UInt32,n%20Int64,"              \
	"d%20Int64,b%20Int64,x%20Float64,span%20Int64,lag%20Int64,multi%20UInt32,"                 \
	"raw_status%20UInt32,owner%20Int64,owner_start%20Int64,owner_known%20UInt8,wrapped%"       \
	"20UInt8,kind%20Int8,status%20Int8,"                                                       \
	"version%20UInt64"

enum pmon_status
pmon_ch_ask_about(struct ch_engine *e, const char *structure, const char *sql, const void *rows,
		  size_t len, struct pmon_span *answer, struct pmon_err *err)
{
	static const char *const headers[] = {
		"Content-Type: multipart/form-data; boundary=" BOUNDARY, NULL};
	char target[TARGET_SIZE];
	char id[PMON_HASH128_SIZE];
	struct pmon_push_bytes body = {NULL, 0, 0};
	char *escaped = pmon_http_escape(e->http, (struct pmon_span){sql, strlen(sql)});
	struct pmon_http_request request = {.target = target,
					    .headers = headers,
					    .answer_max = CH_ANSWER_MAX,
					    .may_pass = pmon_ch_may_pass};
	enum pmon_status status;
	struct pmon_wr w;

	if (escaped == NULL ||
	    !pmon_push_room(&e->push, &body, sizeof(FORM_HEAD) + len + sizeof(FORM_TAIL))) {
		pmon_http_escape_free(e->http, escaped);
		return pmon_err_nomem(err);
	}
	w = pmon_wr_init(body.list, body.cap);
	pmon_wr_copy(&w, FORM_HEAD, sizeof(FORM_HEAD) - 1);
	pmon_wr_copy(&w, rows, len);
	pmon_wr_copy(&w, FORM_TAIL, sizeof(FORM_TAIL) - 1);
	request.body = body.list;
	request.body_len = pmon_wr_pos(&w);
	pmon_ch_next_id(e, id);
	(void)snprintf(target, sizeof(target),
		       "/?query_id=%s&sent_format=RowBinary&sent_structure=%s&query=%s", id,
		       structure, escaped);
	pmon_http_escape_free(e->http, escaped);
	status = pmon_ch_ask(e, &request, id, answer, err);
	pmon_push_free(&e->push, &body);
	return status;
}

// How the rows of a batch differ from those that are stored.
struct compared {
	uint64_t missing;
	uint64_t different; // another value is stored
	uint64_t newer;     // the same, but now the interval is known
};

// A row that was repaired has another interval than the one that was sent, so it is compared if it has the same.
static enum pmon_status
ask_with_rows(struct ch_engine *e, const char *head, const char *where, const uint8_t *rows,
	      struct pmon_span *answer, struct pmon_err *err)
{
	char begin[512];
	const struct pmon_push_name names[] = {
		{"head", begin, 0}, {"where", where, 0}, {NULL, NULL, 0}};
	char text[TARGET_SIZE / 4];
	struct pmon_text sql = pmon_text_init(text, sizeof(text));
	struct pmon_text put = pmon_text_init(begin, sizeof(begin));

	pmon_ch_put_sql(&e->place, head, NULL, &put);
	pmon_ch_put_sql(&e->place, pmon_ch_sql_compare, names, &sql);
	return pmon_ch_ask_about(e, FACT_STRUCTURE, text, rows, e->batch.bytes, answer, err);
}

static enum pmon_status
compare(struct ch_engine *e, const uint8_t *rows, struct compared *out, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	enum pmon_status status =
		ask_with_rows(e,
			      "SELECT countIf(is_there = 0), countIf(is_different), "
			      "countIf(is_newer)",
			      "", rows, &answer, err);

	s = pmon_scan_init(answer);
	if (status == PMON_OK && (!pmon_scan_u64(&s, &out->missing) || !pmon_scan_take(&s, '\t') ||
				  !pmon_scan_u64(&s, &out->different) ||
				  !pmon_scan_take(&s, '\t') || !pmon_scan_u64(&s, &out->newer)))
		status = pmon_err_set(err, PMON_E_FORMAT, 0,
				      "ClickHouse did not return the numbers of rows");
	return status;
}

// Usually nothing is stored for this time, and no row has to be compared. Partitions know their time range, so the
// check costs the server nothing when the rows are newer than everything stored.
static enum pmon_status
is_time_empty(struct ch_engine *e, bool *is_empty, struct pmon_err *err)
{
	char where[CH_MACHINES_SIZE];
	struct pmon_text machines = pmon_text_init(where, sizeof(where));
	const struct pmon_push_name names[] = {{"from", NULL, e->batch.from - CH_EPOCH},
					       {"to", NULL, e->batch.to - CH_EPOCH},
					       {"where", where, 0},
					       {NULL, NULL, 0}};
	char buf[CH_MACHINES_SIZE + 1024];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	pmon_ch_put_machines(&e->batch.machines, &machines);
	pmon_ch_put_sql(&e->place, pmon_ch_sql_known, names, &sql);
	status = pmon_ch_run(e, buf, &answer, err);
	*is_empty = answer.len == 0;
	return status;
}

enum pmon_status
pmon_ch_store_among(struct ch_engine *e, const uint8_t *rows, bool *is_new, uint64_t *n,
		    uint64_t *n_different, struct pmon_err *err)
{
	struct compared compared = {0, 0, 0};
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = is_time_empty(e, is_new, err);

	if (status != PMON_OK || *is_new)
		return status;
	status = compare(e, rows, &compared, err);
	*n = compared.missing + compared.newer;
	*n_different = compared.different;
	if (status != PMON_OK || *n == 0)
		return status;
	return ask_with_rows(
		e, "INSERT INTO {db}.pmon_fact (" CH_FACT_COLUMNS ")\nSELECT " CH_FACT_COLUMNS,
		"WHERE is_there = 0 OR is_newer", rows, &answer, err);
}

void
pmon_ch_note_different(struct ch_engine *e, uint64_t n)
{
	struct pmon_push_sink *push = &e->push;

	push->counts.different += n;
	if (push->options.check == PMON_PUSH_VERIFY)
		return;
	push->counts.repeated += n;
	push->batch.left_out += (size_t)n; // rows of a batch
}

enum pmon_status
pmon_ch_count_missing(struct pmon_push_sink *push, uint64_t *n, struct pmon_err *err)
{
	struct ch_engine *e = (struct ch_engine *)push;
	const uint8_t *rows = pmon_ch_batch_sort(&e->batch, &push->keys);
	struct compared compared = {0, 0, 0};
	enum pmon_status status = rows != NULL ? PMON_OK : pmon_err_nomem(err);

	if (status == PMON_OK && e->batch.n > 0)
		status = compare(e, rows, &compared, err);
	*n = compared.missing;
	pmon_ch_note_different(e, compared.different);
	return status;
}
