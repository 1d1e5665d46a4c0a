// sqlite.h - SQLite's functions: linked, or those of the program that has loaded the extension
// SPDX-License-Identifier: MIT

#ifndef PMON_SQL_SQLITE_H
#define PMON_SQL_SQLITE_H

#ifdef PMON_SQL_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

#endif
