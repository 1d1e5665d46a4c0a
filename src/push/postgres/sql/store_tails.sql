-- store_tails.sql - store the newest raw values that were sent, unless newer ones are stored
INSERT INTO pmon_tail SELECT id, time, first, second, multi, raw_status, owner, owner_start, owner_known
 FROM pmon_in_tail AS i JOIN pmon_in_id ON number = i.series ORDER BY id
 ON CONFLICT (series) DO UPDATE SET time = excluded.time, first = excluded.first, second = excluded.second,
  multi = excluded.multi, raw_status = excluded.raw_status, owner = excluded.owner,
  owner_start = excluded.owner_start, owner_known = excluded.owner_known WHERE pmon_tail.time <= excluded.time
