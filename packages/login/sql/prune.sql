-- Deletes expired rows (docs/architecture.md#kept-and-deleted). Each call deletes at most `max_rows` rows, so that the
-- statement ends within its time limit. The commits do not wait for the disk, because rows that reappear after a crash
-- will be deleted later.
--
-- The rows are first selected and locked in an array, which is evaluated only once. A plan might evaluate a subquery
-- repeatedly and lock more rows each time. Rows that a request has locked are in use and are skipped. Lock order: each
-- function locks only one table.

-- Challenges are stored for longer than they are valid, so that a late response still finds its login session.
CREATE FUNCTION prune_challenges(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM challenge WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM challenge WHERE issued_at < ended_before
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;

CREATE FUNCTION prune_login_sessions(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM login_session WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM login_session
    WHERE challenged_at < ended_before AND (authenticated_at IS NULL OR authenticated_at < ended_before)
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;

CREATE FUNCTION prune_browser_sessions(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM browser_session WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM browser_session WHERE expires_at < ended_before
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;

CREATE FUNCTION prune_audit_entries(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM login_event WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM login_event WHERE at < ended_before
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;

CREATE FUNCTION prune_known_browsers(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM known_browser WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM known_browser WHERE last_seen_at < ended_before
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;

-- Deletes counters whose window has ended.
CREATE FUNCTION prune_counters(ended_before timestamptz, max_rows int, OUT deleted_count int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ended_before_ms bigint := extract(epoch FROM ended_before) * 1000;
BEGIN
  SET LOCAL synchronous_commit = off;
  DELETE FROM rate_limit WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM rate_limit WHERE expire < ended_before_ms
    LIMIT max_rows FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS deleted_count = ROW_COUNT;
END $$;
