// script.h - the statements of a script for SQL Server
// SPDX-License-Identifier: MIT
//
// The tables are those of MS-PLA 2.2.2.7 and the SDK's pages on SQL logs, as PDH makes them.

#ifndef PMON_FORMAT_SQLSERVER_SCRIPT_H
#define PMON_FORMAT_SQLSERVER_SCRIPT_H

#define SCRIPT_COUNTER_COLUMNS                                                                     \
	"MachineName, ObjectName, CounterName, CounterType, DefaultScale, InstanceName, "          \
	"InstanceIndex, ParentName, TimeBaseA, TimeBaseB"
#define SCRIPT_RAW_COLUMNS                                                                         \
	"RecordIndex, CounterDateTime, CounterValue, FirstValueA, FirstValueB, SecondValueA, "     \
	"SecondValueB, MultiCount"
#define SCRIPT_VALUE_COLUMNS "id, " SCRIPT_RAW_COLUMNS
#define SCRIPT_DATA_COLUMNS  "GUID, CounterID, " SCRIPT_RAW_COLUMNS
#define SCRIPT_SET_COLUMNS                                                                         \
	"GUID, RunID, DisplayString, LogStartTime, LogStopTime, NumberOfRecords, MinutesToUTC, "   \
	"TimeZoneName"

#define SCRIPT_DATA_SELECT                                                                         \
	"c.CounterID, " SCRIPT_RAW_COLUMNS                                                         \
	"\n FROM #pmon_data AS d JOIN #pmon_counter AS c ON c.id = d.id"

// Temporary tables use the collation of tempdb unless specified otherwise.
#define SCRIPT_TEXT "varchar(1024) COLLATE DATABASE_DEFAULT"

#define SCRIPT_BEGINNING                                                                           \
	"-- A performance log in the tables of Windows' SQL logs.\n"                               \
	"-- Run it with: sqlcmd -b -d DATABASE -i FILE\n"                                          \
	"SET NOCOUNT ON;\n"                                                                        \
	"SET XACT_ABORT ON;\n"                                                                     \
	"GO\n"                                                                                     \
	"IF OBJECT_ID(N'CounterDetails', N'U') IS NULL\n"                                          \
	"CREATE TABLE CounterDetails (\n"                                                          \
	" CounterID int IDENTITY PRIMARY KEY NOT NULL,\n"                                          \
	" MachineName varchar(1024) NOT NULL,\n"                                                   \
	" ObjectName varchar(1024) NOT NULL,\n"                                                    \
	" CounterName varchar(1024) NOT NULL,\n"                                                   \
	" CounterType int NOT NULL,\n"                                                             \
	" DefaultScale int NOT NULL,\n"                                                            \
	" InstanceName varchar(1024),\n"                                                           \
	" InstanceIndex int,\n"                                                                    \
	" ParentName varchar(1024),\n"                                                             \
	" ParentObjectID int,\n"                                                                   \
	" TimeBaseA int,\n"                                                                        \
	" TimeBaseB int);\n"                                                                       \
	"GO\n"                                                                                     \
	"IF OBJECT_ID(N'DisplayToID', N'U') IS NULL\n"                                             \
	"CREATE TABLE DisplayToID (\n"                                                             \
	" GUID uniqueidentifier PRIMARY KEY NOT NULL,\n"                                           \
	" RunID int,\n"                                                                            \
	" DisplayString varchar(1024) NOT NULL UNIQUE,\n"                                          \
	" LogStartTime char(24),\n"                                                                \
	" LogStopTime char(24),\n"                                                                 \
	" NumberOfRecords int,\n"                                                                  \
	" MinutesToUTC int,\n"                                                                     \
	" TimeZoneName char(32));\n"                                                               \
	"GO\n"                                                                                     \
	"IF OBJECT_ID(N'CounterData', N'U') IS NULL\n"                                             \
	"CREATE TABLE CounterData (\n"                                                             \
	" GUID uniqueidentifier NOT NULL,\n"                                                       \
	" CounterID int NOT NULL,\n"                                                               \
	" RecordIndex int NOT NULL,\n"                                                             \
	" CounterDateTime char(24) NOT NULL,\n"                                                    \
	" CounterValue float NOT NULL,\n"                                                          \
	" FirstValueA int,\n"                                                                      \
	" FirstValueB int,\n"                                                                      \
	" SecondValueA int,\n"                                                                     \
	" SecondValueB int,\n"                                                                     \
	" MultiCount int,\n"                                                                       \
	" PRIMARY KEY (GUID, CounterID, RecordIndex));\n"                                          \
	"GO\n"                                                                                     \
	"CREATE TABLE #pmon_counter (\n"                                                           \
	" id int PRIMARY KEY NOT NULL,\n"                                                          \
	" CounterID int,\n"                                                                        \
	" MachineName " SCRIPT_TEXT " NOT NULL,\n"                                                 \
	" ObjectName " SCRIPT_TEXT " NOT NULL,\n"                                                  \
	" CounterName " SCRIPT_TEXT " NOT NULL,\n"                                                 \
	" CounterType int NOT NULL,\n"                                                             \
	" DefaultScale int NOT NULL,\n"                                                            \
	" InstanceName " SCRIPT_TEXT ",\n"                                                         \
	" InstanceIndex int,\n"                                                                    \
	" ParentName " SCRIPT_TEXT ",\n"                                                           \
	" TimeBaseA int,\n"                                                                        \
	" TimeBaseB int);\n"                                                                       \
	"CREATE TABLE #pmon_data (\n"                                                              \
	" id int NOT NULL,\n"                                                                      \
	" RecordIndex int NOT NULL,\n"                                                             \
	" CounterDateTime char(24) NOT NULL,\n"                                                    \
	" CounterValue float NOT NULL,\n"                                                          \
	" FirstValueA int,\n"                                                                      \
	" FirstValueB int,\n"                                                                      \
	" SecondValueA int,\n"                                                                     \
	" SecondValueB int,\n"                                                                     \
	" MultiCount int);\n"                                                                      \
	"GO\n"

// Rows for the same counter are numbered on both sides, so that the first in the log matches the
// first in the database. Missing ones are added to the database; then each looks up its CounterID.
#define SCRIPT_NUMBERED(table, id)                                                                 \
	"(SELECT t.*, ROW_NUMBER() OVER (PARTITION BY " SCRIPT_COUNTER_COLUMNS "\n  ORDER BY " id  \
	") AS nth FROM " table " AS t)"
#define SCRIPT_SAME_OR_NULL(column)                                                                \
	" AND (d." column " = n." column " OR (d." column " IS NULL AND n." column " IS NULL))\n"
#define SCRIPT_SAME                                                                                               \
	"d.nth = n.nth\n"                                                                                         \
	"  AND d.MachineName = n.MachineName AND d.ObjectName = n.ObjectName\n"                                   \
	"  AND d.CounterName = n.CounterName AND d.CounterType = n.CounterType\n"                                 \
	"  AND d.DefaultScale = n.DefaultScale\n"                                                                 \
	" " SCRIPT_SAME_OR_NULL("InstanceName") " " SCRIPT_SAME_OR_NULL("InstanceIndex") " " SCRIPT_SAME_OR_NULL( \
		"ParentName") " " SCRIPT_SAME_OR_NULL("TimeBaseA") " " SCRIPT_SAME_OR_NULL("TimeB"                \
											   "aseB")
#define SCRIPT_NUMBER_COUNTERS                                                                     \
	"INSERT INTO CounterDetails (" SCRIPT_COUNTER_COLUMNS ")\n"                                \
	" SELECT n.MachineName, n.ObjectName, n.CounterName, n.CounterType, n.DefaultScale,\n"     \
	"  n.InstanceName, n.InstanceIndex, n.ParentName, n.TimeBaseA, n.TimeBaseB\n"              \
	" FROM " SCRIPT_NUMBERED(                                                                  \
		"#pmon_counter",                                                                   \
		"id") " AS n\n"                                                                    \
		      " LEFT JOIN " SCRIPT_NUMBERED(                                               \
			      "CounterDetails",                                                    \
			      "CounterID") " AS d ON " SCRIPT_SAME                                 \
					   " WHERE d.CounterID IS NULL ORDER BY n.id;\n"           \
					   "UPDATE #pmon_counter SET CounterID = m.CounterID\n"    \
					   " FROM (SELECT n.id, d.CounterID "                      \
					   "FROM " SCRIPT_NUMBERED(                                \
						   "#pmon_counter",                                \
						   "id") " AS n\n"                                 \
							 " JOIN " SCRIPT_NUMBERED(                 \
								 "CounterDetails",                 \
								 "CounterID") " AS d "             \
									      "ON " SCRIPT_SAME    \
									      " ) AS m WHERE "     \
									      "m.id = "            \
									      "#pmon_counter.id;"  \
									      "\n"

#define SCRIPT_END                                                                                 \
	"DROP TABLE #pmon_data;\n"                                                                 \
	"DROP TABLE #pmon_counter;\n"                                                              \
	"GO\n"

#endif
