-- It touches a table that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- A login is deleted after a day, its browser session after seven: the session itself has to know its browser.
ALTER TABLE "browser_session" ADD COLUMN     "known_browser_hash" BYTEA;
