-- series.sql - the series that were sent get ids; returns the number of one whose key is another's, or NULL
-- An id is taken from the sequence only where a series is new; ON CONFLICT is for others who have it at the
-- same time. It waits for them, and the statements after it see theirs.
INSERT INTO pmon_series ({columns}) SELECT {columns} FROM pmon_in_series AS i
 WHERE NOT EXISTS (SELECT FROM pmon_series AS s WHERE s.key = i.key) ORDER BY key ON CONFLICT (key) DO NOTHING;
INSERT INTO pmon_in_id SELECT i.number, s.series FROM pmon_in_series AS i JOIN pmon_series AS s USING (key)
 ON CONFLICT DO NOTHING;
SELECT min(i.number) FROM pmon_in_series AS i JOIN pmon_series AS s USING (key) WHERE s.identity <> i.identity
