-- The counters of a database of pmon: enum column of counters.c.
SELECT c.CounterID, c.MachineName, c.ObjectName, c.CounterName, c.InstanceName, c.InstanceIndex, c.ParentName,
 c.CounterType, c.DefaultScale, c.TimeBaseA, c.TimeBaseB, p.size_bytes, p.listed, p.source, p.wildcard, p.formatted,
 p.known_type
FROM CounterDetails AS c LEFT JOIN pmon_series AS p ON p.id = c.CounterID ORDER BY c.CounterID
