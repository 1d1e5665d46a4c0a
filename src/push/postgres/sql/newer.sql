-- newer.sql - replace the rows that are stored from {from} to {to} by those that were sent and know more of their interval
-- A pair counts before a start, and a start that knows which raw value is before it before one that does not.
UPDATE pmon_fact AS f SET n = i.n, d = i.d, span = i.span, kind = i.kind, status = i.status, x = i.x, b = i.b,
 lag = i.lag, multi = i.multi, raw_status = i.raw_status, owner = i.owner, owner_start = i.owner_start,
 owner_known = i.owner_known, wrapped = i.wrapped
FROM pmon_in_fact AS i JOIN pmon_in_id AS id ON id.number = i.series
WHERE f.series = id.id AND f.time = i.time AND f.nth = i.nth AND f.time BETWEEN {from} AND {to}
 AND (i.kind, i.span <> 0) > (f.kind, f.span <> 0)
