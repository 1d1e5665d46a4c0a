-- The tables of a database that pmon writes. CounterData, CounterDetails and DisplayToID have PDH's columns in PDH's
-- order; CounterData has four more after them. pmon_type is made by schema.c.
CREATE TABLE CounterDetails (
 CounterID integer PRIMARY KEY NOT NULL,
 MachineName varchar(1024) NOT NULL,
 ObjectName varchar(1024) NOT NULL,
 CounterName varchar(1024) NOT NULL,
 CounterType int NOT NULL,
 DefaultScale int NOT NULL,
 InstanceName varchar(1024),
 InstanceIndex int,
 ParentName varchar(1024),
 ParentObjectID int,
 TimeBaseA int,
 TimeBaseB int);
CREATE TABLE DisplayToID (
 GUID uniqueidentifier PRIMARY KEY NOT NULL,
 RunID int,
 DisplayString varchar(1024) NOT NULL UNIQUE,
 LogStartTime char(24),
 LogStopTime char(24),
 NumberOfRecords int,
 MinutesToUTC int,
 TimeZoneName char(32));
CREATE TABLE CounterData (
 GUID uniqueidentifier NOT NULL,
 CounterID int NOT NULL,
 RecordIndex int NOT NULL,
 CounterDateTime char(24) NOT NULL,
 CounterValue float NOT NULL,
 FirstValueA int,
 FirstValueB int,
 SecondValueA int,
 SecondValueB int,
 MultiCount int,
 Sample int, -- pmon_sample.id
 Status int, -- PDH_CSTATUS_* of the raw value
 Time100ns int, -- FILETIME, UTC; NULL is not known
 Run int); -- goes up where the counter was absent
CREATE TABLE pmon_log (
 stream integer PRIMARY KEY NOT NULL,
 GUID uniqueidentifier NOT NULL,
 format text,
 writer text,
 machine text,
 zone text,
 utc_offset_min int,
 log_start_100ns int,
 log_end_100ns int,
 converter text,
 sampled_by_pmon int);
CREATE TABLE pmon_series (
 id integer PRIMARY KEY NOT NULL, -- CounterDetails.CounterID
 path text NOT NULL,
 type_word int NOT NULL,
 time_base int NOT NULL,
 size_bytes int NOT NULL,
 listed int NOT NULL, -- ascending in the order of the log
 source int NOT NULL,
 wildcard int NOT NULL,
 formatted int NOT NULL,
 known_type int,
 unit text NOT NULL); -- of displayed values
CREATE TABLE pmon_sample (
 id integer PRIMARY KEY NOT NULL,
 stream int NOT NULL,
 RecordIndex int NOT NULL,
 ordinal int NOT NULL,
 time text NOT NULL, -- ISO 8601, UTC
 time_100ns int NOT NULL,
 utc_offset_min int NOT NULL,
 lead_in int NOT NULL,
 n_values int); -- rows of CounterData
CREATE TABLE pmon_start ( -- what a counter was when its process began, in an interval
 series int NOT NULL,
 sample int NOT NULL, -- pmon_sample.id, at the end of the interval
 run int NOT NULL,
 time_100ns int NOT NULL,
 first int NOT NULL,
 second int NOT NULL,
 multi int NOT NULL);
CREATE TABLE pmon_window (
 name text PRIMARY KEY NOT NULL,
 time_from text, -- ISO 8601, UTC; NULL: from the first sample
 time_to text);
INSERT INTO pmon_window VALUES ('all', NULL, NULL);
CREATE TABLE pmon_group (
 name text NOT NULL, -- counters to average over together
 series integer NOT NULL,
 PRIMARY KEY (name, series)) WITHOUT ROWID;
CREATE TABLE pmon_mean ( -- counters of displayed values
 series integer PRIMARY KEY NOT NULL,
 kind int NOT NULL, -- of their means: enum pmon_average_kind
 group_kind int NOT NULL,
 rate int, -- what the average of a latency follows from: counters
 queue int);
