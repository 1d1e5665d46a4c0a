CREATE UNIQUE INDEX CounterData_key ON CounterData (CounterID, RecordIndex, GUID);
