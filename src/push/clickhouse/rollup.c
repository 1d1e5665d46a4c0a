// rollup.c - repair intervals in ClickHouse, and sum up whole hours
// SPDX-License-Identifier: MIT
//
// First the intervals between rows of several logs
// are made (repair.h), of some series at a time, then the sums of hours that differ from their rows, day by day.

#include "push/rollup.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/scan.h"
#include "push/clickhouse/engine.h"
#include "push/repair.h"
#include "push/clickhouse/sql.h"

#define CHUNK      ((size_t)100)       // series that are repaired at once
#define KEY_CHARS  ((size_t)40)        // of one in a statement
#define ANSWER_MAX ((size_t)512 << 20) // bytes of their rows
#define SQL_SIZE   ((size_t)8 << 10)

// A series with rows to repair.
struct unsettled {
	struct pmon_hash128 key;
	size_t machine; // where it begins in the text
	size_t machine_len;
	struct pmon_calc calc;
	pmon_time from; // where the first interval begins that may change
	pmon_time to;   // the last row that may change
};

struct rollup {
	struct ch_engine *e;
	const struct pmon_rollup_options *options;
	struct pmon_rollup_counts *counts;
	pmon_time begin;
	pmon_time end;
	char version[24];
	struct pmon_push_bytes text; // the machines
	struct unsettled *list;
	size_t n;
	size_t cap;
	struct pmon_push_repaired *rows; // of one series
	size_t n_rows;
	size_t rows_cap;
	struct pmon_push_bytes out; // rows that are stored again
	size_t n_out;
	struct pmon_rollup_day of_day;
};

static enum pmon_status
ask(struct rollup *r, const char *sql, struct pmon_span *answer, struct pmon_err *err)
{
	if (pmon_push_is_cancelled(&r->e->push.options))
		return pmon_err_set(err, PMON_E_STATE, 0, "interrupted");
	return pmon_ch_run(r->e, sql, answer, err);
}

static enum pmon_status
refuse(const char *what, struct pmon_err *err)
{
	return pmon_err_set(err, PMON_E_FORMAT, 0, "ClickHouse did not return %s", what);
}

// ---- Series to repair -----------------------------------------------------------------------

// A name up to a tab, as TabSeparated escapes it: machines are written so in identities, and no
// character of theirs is escaped once more but the backslash.
static bool
take_machine(struct rollup *r, struct pmon_scan *s, struct unsettled *one)
{
	const char *tab = memchr(s->at, '\t', (size_t)(s->end - s->at));
	struct pmon_wr w;

	if (tab == NULL || !pmon_push_room(&r->e->push, &r->text, (size_t)(tab - s->at)))
		return false;
	one->machine = r->text.n;
	w = pmon_wr_init(r->text.list + r->text.n, (size_t)(tab - s->at));
	for (; s->at < tab; s->at++) {
		if (*s->at == '\\' && s->at + 1 < tab)
			s->at++;
		pmon_wr_u8(&w, (uint8_t)*s->at);
	}
	r->text.n += pmon_wr_pos(&w);
	one->machine_len = pmon_wr_pos(&w);
	s->at++;
	return true;
}

static bool
take_unsettled(struct rollup *r, struct pmon_scan *s, struct unsettled *one)
{
	struct pmon_counter counter = {.size_bytes = 0};
	int64_t numbers[5];

	if (!take_machine(r, s, one) || !pmon_ch_take_uuid(s, &one->key) ||
	    !pmon_ch_take_numbers(s, numbers, 5) || !pmon_scan_take(s, '\n'))
		return false;
	counter.type = (uint32_t)numbers[0];
	counter.time_base = numbers[1];
	counter.size_bytes = (uint8_t)numbers[2];
	(void)pmon_calc_init(&one->calc, &counter, NULL);
	one->from = numbers[3];
	one->to = numbers[4];
	return true;
}

static enum pmon_status
find_unsettled(struct rollup *r, struct pmon_err *err)
{
	const struct pmon_push_name names[] = {{"from", NULL, r->begin - CH_EPOCH},
					       {"to", NULL, r->end - CH_EPOCH},
					       {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	enum pmon_status status;

	pmon_ch_put_sql(&r->e->place, pmon_ch_sql_unsettled, names, &sql);
	status = ask(r, buf, &answer, err);
	s = pmon_scan_init(answer);
	r->n = 0;
	r->text.n = 0;
	while (status == PMON_OK && s.at < s.end) {
		if (!pmon_mem_grow(r->e->push.allocator, &r->list, &r->cap, r->n + 1,
				   sizeof(*r->list)))
			return pmon_err_nomem(err);
		if (!take_unsettled(r, &s, &r->list[r->n]))
			return refuse("the series to repair", err);
		r->n++;
	}
	return status;
}

// ---- Their rows -----------------------------------------------------------------------------

static bool
take_row(struct rollup *r, struct pmon_scan *s, struct pmon_hash128 key)
{
	struct pmon_push_repaired *stored;
	struct pmon_push_fact *fact;
	int64_t a[16];

	if (!pmon_mem_grow(r->e->push.allocator, &r->rows, &r->rows_cap, r->n_rows + 1,
			   sizeof(*r->rows)) ||
	    !pmon_ch_take_numbers(s, a, 16) || !pmon_scan_take(s, '\n'))
		return false;
	stored = &r->rows[r->n_rows];
	fact = &stored->fact;
	*stored = (struct pmon_push_repaired){.is_new = false};
	*fact = (struct pmon_push_fact){.series = key,
					.time = a[0] + CH_EPOCH,
					.nth = (uint32_t)a[1],
					.span = a[6],
					.owner = pmon_ch_owner(&a[10])};
	fact->row = (struct pmon_increment){.time = fact->time + a[7],
					    .n = a[2],
					    .d = a[3],
					    .b = a[4],
					    .multi = (uint32_t)a[8],
					    .raw_status = (uint32_t)a[9],
					    .wrapped = (uint32_t)a[13],
					    .kind = (enum pmon_increment_kind)a[14],
					    .status = (enum pmon_vstat)a[15]};
	memcpy(&fact->row.x, &a[5], sizeof(fact->row.x));
	r->n_rows++;
	return true;
}

static const struct unsettled *
find_key(const struct rollup *r, size_t at, size_t n, struct pmon_hash128 key)
{
	for (size_t i = at; i < at + n; i++)
		if (pmon_hash128_equal(r->list[i].key, key))
			return &r->list[i];
	return NULL;
}

static bool
put_new(struct rollup *r, const struct unsettled *one, const struct pmon_push_repaired *row,
	uint64_t version)
{
	size_t most = one->machine_len + 10 + CH_FACT_SIZE;
	const char *machine = (const char *)r->text.list + one->machine;
	struct pmon_wr w;

	if (!pmon_push_room(&r->e->push, &r->out, most))
		return false;
	w = pmon_wr_init(r->out.list + r->out.n, most);
	pmon_ch_put_text(&w, (struct pmon_span){machine, one->machine_len});
	pmon_ch_put_fact(&w, &row->fact, version);
	r->out.n += pmon_wr_pos(&w);
	r->n_out++;
	return true;
}

static enum pmon_status
repair_series(struct rollup *r, const struct unsettled *one, struct pmon_err *err)
{
	uint64_t version = 0;
	size_t first = 0;
	struct pmon_scan s = pmon_scan_init((struct pmon_span){r->version, strlen(r->version)});

	(void)pmon_scan_u64(&s, &version);
	// The rows of all series of a question begin at the earliest start that one of them needs.
	while (first < r->n_rows && r->rows[first].fact.row.kind != PMON_INCREMENT_START)
		first++;
	if (!pmon_push_repair(&one->calc, r->rows + first, r->n_rows - first)) {
		r->counts->kept++;
		return PMON_OK;
	}
	for (size_t i = first; i < r->n_rows; i++)
		if (r->rows[i].is_new && !put_new(r, one, &r->rows[i], version))
			return pmon_err_nomem(err);
	return PMON_OK;
}

// The rows of an answer, series by series.
static enum pmon_status
repair_answer(struct rollup *r, size_t at, size_t n, struct pmon_span answer, struct pmon_err *err)
{
	struct pmon_scan s = pmon_scan_init(answer);
	struct pmon_hash128 current = {0, 0};
	enum pmon_status status = PMON_OK;

	r->n_rows = 0;
	while (status == PMON_OK && s.at < s.end) {
		struct pmon_hash128 key;

		if (!pmon_ch_take_uuid(&s, &key) || find_key(r, at, n, key) == NULL)
			return refuse("the rows of the series", err);
		if (r->n_rows > 0 && !pmon_hash128_equal(key, current)) {
			status = repair_series(r, find_key(r, at, n, current), err);
			r->n_rows = 0;
		}
		current = key;
		if (status == PMON_OK && !take_row(r, &s, key))
			return refuse("the rows of the series", err);
	}
	if (status == PMON_OK && r->n_rows > 0)
		status = repair_series(r, find_key(r, at, n, current), err);
	return status;
}

static void
put_rows_question(const struct rollup *r, size_t at, size_t n, char *series, size_t size,
		  struct pmon_text *sql)
{
	const struct unsettled *first = &r->list[at];
	struct pmon_text list = pmon_text_init(series, size);
	char machine[1024];
	struct pmon_text name = pmon_text_init(machine, sizeof(machine));
	pmon_time from = first->from;
	pmon_time to = first->to;

	for (size_t i = at; i < at + n; i++) {
		pmon_text_str(&list, i > at ? ", " : "");
		pmon_ch_put_key_literal(&list, r->list[i].key);
		from = r->list[i].from < from ? r->list[i].from : from;
		to = r->list[i].to > to ? r->list[i].to : to;
	}
	pmon_ch_put_quoted(&name, (struct pmon_span){(const char *)r->text.list + first->machine,
						     first->machine_len});
	const struct pmon_push_name names[] = {{"machine", machine, 0},
					       {"series", series, 0},
					       {"from", NULL, from},
					       {"to", NULL, to},
					       {NULL, NULL, 0}};
	pmon_ch_put_sql(&r->e->place, pmon_ch_sql_rows, names, sql);
}

// Series from number `at` on that have one machine.
static enum pmon_status
repair_chunk(struct rollup *r, size_t at, size_t n, struct pmon_err *err)
{
	size_t size = SQL_SIZE + 2 * n * KEY_CHARS;
	char *sql = pmon_mem_alloc(r->e->push.allocator, size);
	char *series = pmon_mem_alloc(r->e->push.allocator, n * KEY_CHARS);
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = sql != NULL && series != NULL ? PMON_OK : pmon_err_nomem(err);

	if (status == PMON_OK) {
		struct pmon_text text = pmon_text_init(sql, size);

		put_rows_question(r, at, n, series, n * KEY_CHARS, &text);
		r->e->answer_max = ANSWER_MAX;
		status = ask(r, sql, &answer, err);
		r->e->answer_max = 0;
	}
	if (status == PMON_OK)
		status = repair_answer(r, at, n, answer, err);
	if (status == PMON_OK && r->out.n > 0)
		status = pmon_ch_insert(r->e, "pmon_fact", CH_FACT_COLUMNS, r->out.list, r->out.n,
					err);
	r->out.n = 0;
	pmon_mem_free(r->e->push.allocator, sql, size);
	pmon_mem_free(r->e->push.allocator, series, n * KEY_CHARS);
	return status;
}

static bool
is_one_machine(const struct rollup *r, const struct unsettled *a, const struct unsettled *b)
{
	return a->machine_len == b->machine_len &&
	       memcmp(r->text.list + a->machine, r->text.list + b->machine, a->machine_len) == 0;
}

static enum pmon_status
repair_all(struct rollup *r, struct pmon_err *err)
{
	enum pmon_status status = find_unsettled(r, err);
	size_t n;

	for (size_t at = 0; status == PMON_OK && at < r->n; at += n) {
		for (n = 1; n < CHUNK && at + n < r->n; n++)
			if (!is_one_machine(r, &r->list[at], &r->list[at + n]))
				break;
		status = repair_chunk(r, at, n, err);
	}
	return status;
}

// ---- Hours ----------------------------------------------------------------------------------

// Sums that are not those of the rows.
static void
put_unless(const struct rollup *r, pmon_time from, pmon_time to, struct pmon_text *sql)
{
	static const char template[] =
		"WHERE (machine, series, hour, samples, pairs, n, d, x, parts, wholes) NOT IN (\n"
		" SELECT machine, series, hour, samples, pairs, n, d, x, parts, wholes "
		"FROM {db}.pmon_hour FINAL\n"
		" WHERE hour >= toDateTime({from}, 'UTC') AND hour < toDateTime({to}, 'UTC'))";
	const struct pmon_push_name names[] = {
		{"from", NULL, (from - CH_EPOCH) / PMON_TIME_PER_SEC},
		{"to", NULL, (to - CH_EPOCH) / PMON_TIME_PER_SEC},
		{NULL, NULL, 0}};

	pmon_ch_put_sql(&r->e->place, template, names, sql);
}

static enum pmon_status
take_counts(struct rollup *r, struct pmon_span answer, struct pmon_err *err)
{
	struct pmon_scan s = pmon_scan_init(answer);
	int64_t numbers[4];
	uint64_t counts[4];

	if (!pmon_ch_take_numbers(&s, numbers, 4))
		return refuse("the numbers of hours", err);
	for (size_t i = 0; i < 4; i++)
		counts[i] = (uint64_t)numbers[i];
	pmon_rollup_day_add(&r->of_day, counts);
	return PMON_OK;
}

// What was stored for a day.
static enum pmon_status
count_day(struct rollup *r, pmon_time from, struct pmon_span *answer, struct pmon_err *err)
{
	static const char template[] =
		CH_SUM_COUNTS " FROM {db}.pmon_hour "
			      "WHERE version = {version} AND toDate(hour) = toDate({day})";
	const struct pmon_push_name names[] = {{"version", r->version, 0},
					       {"day", NULL, (from - CH_EPOCH) / PMON_DAY_100NS},
					       {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));

	pmon_ch_put_sql(&r->e->place, template, names, &sql);
	return ask(r, buf, answer, err);
}

static enum pmon_status
sum_day(struct rollup *r, pmon_time day, struct pmon_err *err)
{
	pmon_time from = day < r->begin ? r->begin : day;
	pmon_time to = day + PMON_DAY_100NS > r->end ? r->end : day + PMON_DAY_100NS;
	char unless[1024] = "";
	struct pmon_text text = pmon_text_init(unless, sizeof(unless));
	const struct ch_sum_options options = {.counts = r->options->dry_run,
					       .where = "",
					       .unless = unless,
					       .version = r->version};
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	if (!r->options->again)
		put_unless(r, from, to, &text);
	status = pmon_ch_sum(r->e, from, to, &options, &answer, err);
	if (status == PMON_OK && !r->options->dry_run)
		status = count_day(r, day, &answer, err);
	if (status == PMON_OK)
		status = take_counts(r, answer, err);
	pmon_rollup_day_end(&r->of_day, day, r->options, r->counts);
	return status;
}

static enum pmon_status
sum_days(struct rollup *r, struct pmon_err *err)
{
	static const char template[] =
		"SELECT DISTINCT '', toUInt32(toDate(time)) AS day FROM {db}.pmon_fact "
		"WHERE time >= reinterpret(toInt64({from}), 'DateTime64(7, \\'UTC\\')') "
		"AND time < reinterpret(toInt64({to}), 'DateTime64(7, \\'UTC\\')') ORDER BY day";
	const struct pmon_push_name names[] = {{"from", NULL, r->begin - CH_EPOCH},
					       {"to", NULL, r->end - CH_EPOCH},
					       {NULL, NULL, 0}};
	char buf[SQL_SIZE];
	struct pmon_text sql = pmon_text_init(buf, sizeof(buf));
	struct pmon_push_bytes days = {NULL, 0, 0};
	struct pmon_span answer = {NULL, 0};
	struct pmon_scan s;
	enum pmon_status status;

	pmon_ch_put_sql(&r->e->place, template, names, &sql);
	status = ask(r, buf, &answer, err);
	// An answer is valid until the next question.
	if (status == PMON_OK && !pmon_push_room(&r->e->push, &days, answer.len + 1))
		status = pmon_err_nomem(err);
	if (status != PMON_OK)
		return status;
	memcpy(days.list, answer.ptr, answer.len);
	s = pmon_scan_init((struct pmon_span){(const char *)days.list, answer.len});
	while (status == PMON_OK && s.at < s.end) {
		int64_t day;

		if (!pmon_ch_take_numbers(&s, &day, 1) || !pmon_scan_take(&s, '\n'))
			status = refuse("days", err);
		else
			status = sum_day(r, day * PMON_DAY_100NS + CH_EPOCH, err);
	}
	pmon_push_free(&r->e->push, &days);
	return status;
}

// ---- All ------------------------------------------------------------------------------------

static enum pmon_status
read_version(struct rollup *r, struct pmon_err *err)
{
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status = ask(r, "SELECT toUnixTimestamp64Milli(now64(3))", &answer, err);

	if (status == PMON_OK)
		(void)snprintf(r->version, sizeof(r->version), "%.*s",
			       (int)(answer.len > 0 ? answer.len - 1 : 0), answer.ptr);
	return status;
}

static enum pmon_status
roll_up(struct rollup *r, struct pmon_err *err)
{
	enum pmon_status status = read_version(r, err);

	if (status == PMON_OK)
		status = r->options->dry_run ? PMON_OK : repair_all(r, err);
	return status == PMON_OK ? sum_days(r, err) : status;
}

// Nothing is made in an empty database.
static enum pmon_status
refuse_empty(struct ch_engine *e, struct pmon_err *err)
{
	char sql[256];
	struct pmon_span answer = {NULL, 0};
	enum pmon_status status;

	(void)snprintf(sql, sizeof(sql), "EXISTS TABLE %s." CH_VERSION_VIEW, e->place.database);
	status = pmon_ch_run(e, sql, &answer, err);
	if (status == PMON_OK && (answer.len == 0 || answer.ptr[0] != '1'))
		return pmon_err_set(err, PMON_E_UNSUPPORTED, 0,
				    "the database %s has no values; store some with pmon push",
				    e->place.database);
	return status;
}

static void
free_all(struct rollup *r)
{
	const struct pmon_allocator *allocator = r->e->push.allocator;

	pmon_push_free(&r->e->push, &r->text);
	pmon_push_free(&r->e->push, &r->out);
	pmon_mem_free(allocator, r->list, r->cap * sizeof(*r->list));
	pmon_mem_free(allocator, r->rows, r->rows_cap * sizeof(*r->rows));
}

enum pmon_status
pmon_ch_rollup(struct pmon_push_sink *push, const struct pmon_rollup_options *options,
	       struct pmon_rollup_counts *counts, struct pmon_err *err)
{
	struct rollup r = {.e = (struct ch_engine *)push, .options = options, .counts = counts};
	enum pmon_status status = refuse_empty(r.e, err);

	if (status == PMON_OK)
		status = pmon_ch_begin(r.e, err);
	pmon_rollup_bounds(options, push->keep_from, &r.begin, &r.end);
	if (status == PMON_OK)
		status = roll_up(&r, err);
	free_all(&r);
	return status;
}
