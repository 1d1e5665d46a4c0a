CREATE TABLE pmon_machine (
 name text PRIMARY KEY NOT NULL,
 id text NOT NULL) WITHOUT ROWID
