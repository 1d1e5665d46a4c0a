-- repair.sql - replace rows by those that were repaired
UPDATE pmon_fact AS f SET n = i.n, d = i.d, span = i.span, kind = i.kind, status = i.status, b = i.b,
 multi = i.multi, owner = i.owner, owner_start = i.owner_start, owner_known = i.owner_known, wrapped = i.wrapped
FROM pmon_in_fact AS i WHERE f.series = i.series AND f.time = i.time AND f.nth = i.nth
