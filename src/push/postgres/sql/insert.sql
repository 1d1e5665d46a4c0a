-- insert.sql - store the rows that were sent and for whose keys there is nothing
INSERT INTO pmon_fact (series, {columns}) SELECT id, {columns} FROM pmon_in_fact AS i JOIN pmon_in_id ON number = i.series
 ORDER BY id, time, nth -- so that a series stands together
 ON CONFLICT DO NOTHING
