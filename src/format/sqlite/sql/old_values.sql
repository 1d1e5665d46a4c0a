-- The counters of the newest sample of a database that is continued, whose intervals go on: the run and the raw value.
PRAGMA temp_store = MEMORY;
CREATE TEMP TABLE pmon_old (id integer PRIMARY KEY, run int, first int, second int, multi int, status int, time int);
INSERT OR REPLACE INTO temp.pmon_old
SELECT CounterID, Run, (FirstValueB << 32) | (FirstValueA & 4294967295),
 (SecondValueB << 32) | (SecondValueA & 4294967295), MultiCount & 4294967295, Status, Time100ns
FROM CounterData WHERE Sample = (SELECT max(id) FROM pmon_sample)
