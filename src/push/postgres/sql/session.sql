-- session.sql - what a session begins with: where COPY puts rows, and the ids of series by their numbers in the log
SET synchronous_commit = on; SET jit = off;
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED;
CREATE TEMPORARY TABLE pmon_in_series ON COMMIT DELETE ROWS AS SELECT 0 AS number, {columns} FROM pmon_series WITH NO DATA;
CREATE TEMPORARY TABLE pmon_in_fact (LIKE pmon_fact) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE pmon_in_first (at bigint, number integer, time bigint) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE pmon_in_tail (LIKE pmon_tail) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE pmon_in_id (number integer PRIMARY KEY, id integer NOT NULL)
