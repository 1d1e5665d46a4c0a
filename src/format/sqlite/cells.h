// cells.h - the cells of a row being written
// SPDX-License-Identifier: MIT

#ifndef PMON_FORMAT_SQLITE_CELLS_H
#define PMON_FORMAT_SQLITE_CELLS_H

#include <sqlite3.h>
#include <string.h>

#include <pmon/base.h>

// A row being filled in; the first failure is sticky.
struct sqlog_cells {
	sqlite3_stmt *stmt;
	int column;
	int rc;
};

static inline void
sqlog_keep(struct sqlog_cells *row, int rc)
{
	if (row->rc == SQLITE_OK)
		row->rc = rc;
}

static inline void
sqlog_put_int(struct sqlog_cells *row, int64_t n)
{
	sqlog_keep(row, sqlite3_bind_int64(row->stmt, row->column++, n));
}

static inline void
sqlog_put_int_if(struct sqlog_cells *row, bool is_there, int64_t n)
{
	sqlog_keep(row, is_there ? sqlite3_bind_int64(row->stmt, row->column, n)
				 : sqlite3_bind_null(row->stmt, row->column));
	row->column++;
}

// The texts of a row must stay valid until the row is stepped.
static inline void
sqlog_put_span(struct sqlog_cells *row, struct pmon_span text)
{
	sqlog_keep(row, sqlite3_bind_text64(row->stmt, row->column++, text.ptr, text.len,
					    SQLITE_STATIC, SQLITE_UTF8));
}

static inline void
sqlog_put_text(struct sqlog_cells *row, const char *text)
{
	sqlog_put_span(row, (struct pmon_span){text, strlen(text)});
}

// A span that may be absent, as empty text.
static inline void
sqlog_put_present(struct sqlog_cells *row, struct pmon_span text)
{
	sqlog_put_span(row, text.ptr != NULL ? text : (struct pmon_span){"", 0});
}

static inline void
sqlog_put_time(struct sqlog_cells *row, pmon_time t)
{
	sqlog_put_int_if(row, t != PMON_TIME_NONE, t);
}

// The halves of a 64-bit number, each as a signed 32-bit integer, the lower one first.
static inline void
sqlog_put_halves(struct sqlog_cells *row, int64_t n)
{
	sqlog_put_int(row, (int32_t)(uint32_t)n);
	sqlog_put_int(row, (int32_t)(uint32_t)((uint64_t)n >> 32));
}

#endif
