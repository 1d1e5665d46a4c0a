CREATE INDEX CounterData_sample ON CounterData (Sample);
CREATE INDEX pmon_series_path ON pmon_series (path);
