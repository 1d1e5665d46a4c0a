// findings.c - the tables findings and incidents, as in pmon health
// SPDX-License-Identifier: MIT
//
// They are filled when a statement first uses them, because that reads the logs once more, with all counters that rules
// use.

#include "verbs/sql/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/unit.h"
#include "query/tidy.h"
#include "analyze/meanings.h"
#include "shell/input/judged.h"
#include "shell/output/episode.h"
#include "shell/output/say.h"
#include "shell/output/sentences.h"

const char sql_judged_tables[] =
	"CREATE TABLE findings(rule TEXT, pack TEXT, severity TEXT, machine TEXT, path TEXT, "
	"pid INTEGER, from_time TEXT, to_time TEXT, seconds REAL, limit_text TEXT, average REAL, "
	"worst REAL, worst_time TEXT, unit TEXT, samples INTEGER, operations REAL, "
	"episodes INTEGER);"
	"CREATE TABLE incidents(id TEXT, severity TEXT, headline TEXT, machine TEXT, "
	"resource TEXT, path TEXT, from_time TEXT, to_time TEXT, seconds REAL, usual REAL, "
	"average REAL, worst REAL, unit TEXT, rule TEXT, limit_text TEXT, who TEXT, "
	"who_pid INTEGER);";

static const char insert_finding[] =
	"INSERT INTO findings VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_incident[] =
	"INSERT INTO incidents VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

// A row that is being inserted, cell by cell.
struct row {
	sqlite3_stmt *statement;
	int column;
};

// ---- Cells ----------------------------------------------------------------------------------

static void
add_text(struct row *row, struct pmon_span text)
{
	row->column++;
	if (text.ptr != NULL)
		(void)sqlite3_bind_text64(row->statement, row->column, text.ptr, text.len,
					  SQLITE_TRANSIENT, SQLITE_UTF8);
	else
		(void)sqlite3_bind_null(row->statement, row->column);
}

static void
add_str(struct row *row, const char *text)
{
	add_text(row, (struct pmon_span){text, text != NULL ? strlen(text) : 0});
}

static void
add_time(struct row *row, pmon_time time)
{
	char text[PMON_TIDY_TIME_SIZE];
	size_t len = pmon_tidy_time(time, text);

	add_text(row, (struct pmon_span){len > 0 ? text : NULL, len});
}

static void
add_real(struct row *row, double value)
{
	row->column++;
	if (isfinite(value))
		(void)sqlite3_bind_double(row->statement, row->column, value);
	else
		(void)sqlite3_bind_null(row->statement, row->column);
}

static void
add_value(struct row *row, const struct pmon_value *value)
{
	add_real(row, pmon_vstat_has_value(value->status) ? value->value : NAN);
}

static void
add_seconds(struct row *row, int64_t length_100ns)
{
	add_real(row, (double)length_100ns / PMON_TIME_PER_SEC);
}

static void
add_integer(struct row *row, int64_t value)
{
	(void)sqlite3_bind_int64(row->statement, ++row->column, value);
}

static void
add_pid(struct row *row, const struct pmon_series *series)
{
	if (series != NULL && series->of_process && series->process_id >= 0)
		add_integer(row, series->process_id);
	else
		add_real(row, NAN);
}

// In English, as in the other tables.
static bool
add_path(struct row *row, const struct pmon_series *series)
{
	const struct pmon_path *path = pmon_series_english(series);
	char *text;

	if (path == &series->path) {
		add_text(row, series->name);
		return true;
	}
	text = out_path_text(path, false);
	add_str(row, text);
	free(text);
	return text != NULL;
}

static bool
end_row(struct row *row)
{
	int rc = sqlite3_step(row->statement);

	row->column = 0;
	return rc == SQLITE_DONE && sqlite3_reset(row->statement) == SQLITE_OK;
}

// ---- Rows -----------------------------------------------------------------------------------

static bool
add_finding(struct row *row, const struct rules_finding *f)
{
	static const char *const severities[RULES_LEVELS] = {"warning", "critical"};
	const struct rules_episode *e = f->gravest;
	char limit[LIMIT_SIZE];
	bool good;

	limit_text(e, limit);
	add_text(row, f->rule->name);
	add_text(row, f->rule->pack);
	add_str(row, severities[f->level]);
	add_text(row, pmon_series_english(e->series)->machine);
	good = add_path(row, e->series);
	add_pid(row, e->series);
	add_time(row, e->from);
	add_time(row, e->to);
	add_seconds(row, e->length_100ns);
	add_str(row, limit);
	add_value(row, &e->average);
	add_value(row, &e->worst);
	add_time(row, e->worst_time);
	add_str(row, pmon_series_unit(e->series));
	add_integer(row, (int64_t)e->samples);
	add_real(row, e->operations);
	add_integer(row, (int64_t)f->episodes);
	return good && end_row(row);
}

// The levels of the gravest counter, from its shift or its crossed limit.
static void
add_levels(struct row *row, const struct evidence *head)
{
	bool has_shift = head->shift.score > 0;
	const struct rules_episode *e = head->finding != NULL ? head->finding->gravest : NULL;

	add_real(row, has_shift ? head->shift.usual : NAN);
	add_real(row, has_shift ? head->shift.level : e != NULL ? e->average.value : NAN);
	add_real(row, has_shift ? head->shift.worst : e != NULL ? e->worst.value : NAN);
}

static bool
add_incident(struct row *row, const struct judged *j, const struct incident *incident)
{
	const struct evidence *head = incident->head;
	const struct pmon_series *who = incident->n_who > 0 ? incident->who[0].series : NULL;
	char limit[LIMIT_SIZE];
	char text[1024];
	struct pmon_text t = pmon_text_init(text, sizeof(text));
	bool good;

	incident_put_id(&t, incident);
	add_str(row, text);
	add_str(row, incident_severity_name(incident->severity));
	t = pmon_text_init(text, sizeof(text));
	incident_put_headline(&t, &j->incidents, incident);
	add_str(row, text);
	add_text(row, pmon_series_english(head->series)->machine);
	add_str(row, head->meaning != NULL ? meaning_resource_name(head->meaning->resource) : NULL);
	good = add_path(row, head->series);
	add_time(row, incident->from);
	add_time(row, incident->to);
	add_seconds(row, incident->length_100ns);
	add_levels(row, head);
	add_str(row, draw_unit_name(head->series));
	add_text(row,
		 head->finding != NULL ? head->finding->rule->name : (struct pmon_span){NULL, 0});
	if (head->finding != NULL)
		limit_text(head->finding->gravest, limit);
	add_str(row, head->finding != NULL ? limit : NULL);
	add_text(row, who != NULL ? who->path.instance : (struct pmon_span){NULL, 0});
	add_pid(row, who);
	return good && end_row(row);
}

// ---- Both tables ----------------------------------------------------------------------------

static bool
fill(sqlite3 *db, const struct judged *j)
{
	struct row row = {.statement = NULL};
	bool good = sqlite3_prepare_v2(db, insert_finding, -1, &row.statement, NULL) == SQLITE_OK;

	for (size_t i = 0; good && i < j->n_findings; i++)
		good = add_finding(&row, &j->findings[i]);
	(void)sqlite3_finalize(row.statement);
	row = (struct row){.statement = NULL};
	good = good &&
	       sqlite3_prepare_v2(db, insert_incident, -1, &row.statement, NULL) == SQLITE_OK;
	for (size_t i = 0; good && i < j->incidents.n; i++)
		good = add_incident(&row, j, &j->incidents.list[i]);
	(void)sqlite3_finalize(row.statement);
	return good;
}

int
sql_judge(sqlite3 *db, const struct args *args)
{
	struct judged judged;
	int status = judged_logs(&judged, args, &args->operands);

	if (status == EXIT_DONE && !fill(db, &judged))
		status = sql_say(db);
	return judged_close(&judged, status);
}
