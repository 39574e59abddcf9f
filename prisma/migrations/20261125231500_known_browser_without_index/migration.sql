-- It touches a table that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- Every sign-in by a new browser wrote to it; only the job that deletes what is a year old read it, and that may read
-- the table instead.
DROP INDEX known_browser_last_seen_at_idx;
