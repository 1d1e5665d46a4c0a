-- A series of the database that is continued, and its run if it is in the newest sample.
SELECT s.id, o.run FROM pmon_series s LEFT JOIN temp.pmon_old o ON o.id = s.id
WHERE s.path = ?1 AND s.type_word = ?2 AND s.time_base = ?3
