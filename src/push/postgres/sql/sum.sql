-- sum.sql - store the sums of hours that differ from those that are stored, all if {again}; counts them, their series, rows
-- and hours of the day
WITH stored AS (
 INSERT INTO pmon_hour AS h {hours}
 ON CONFLICT (series, hour) DO UPDATE SET samples = excluded.samples, pairs = excluded.pairs, n = excluded.n,
  d = excluded.d, x = excluded.x, parts = excluded.parts, wholes = excluded.wholes, wrapped = excluded.wrapped,
  lowest = excluded.lowest, highest = excluded.highest, last = excluded.last
 WHERE {again} OR (h.samples, h.pairs, h.n, h.d, h.x, h.parts, h.wholes, h.lowest, h.highest, h.last) IS DISTINCT FROM
  (excluded.samples, excluded.pairs, excluded.n, excluded.d, excluded.x, excluded.parts, excluded.wholes,
   excluded.lowest, excluded.highest, excluded.last)
 RETURNING series, hour, samples)
SELECT count(*), count(DISTINCT series), coalesce(sum(samples), 0), coalesce(bit_or(1 << (hour / 36000000000 % 24)::integer), 0)
FROM stored
