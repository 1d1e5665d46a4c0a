-- The same of a database of PDH.
SELECT c.CounterID, c.MachineName, c.ObjectName, c.CounterName, c.InstanceName, c.InstanceIndex, c.ParentName,
 c.CounterType, c.DefaultScale, c.TimeBaseA, c.TimeBaseB, NULL, NULL, NULL, NULL, NULL, NULL
FROM CounterDetails AS c ORDER BY c.CounterID
