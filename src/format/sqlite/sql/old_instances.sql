-- The newest sample of a database that is continued, of instances alone: enum column of continue.c.
SELECT o.id, nullif(substr(d.MachineName, 3), ''), d.ObjectName, d.ParentName, d.InstanceName, d.InstanceIndex,
 d.CounterName, s.type_word, s.time_base, s.size_bytes, o.first, o.second, o.multi, o.status, o.time
FROM temp.pmon_old o JOIN pmon_series s ON s.id = o.id JOIN CounterDetails d ON d.CounterID = o.id
WHERE d.InstanceName IS NOT NULL ORDER BY o.id
