-- Ends one or all browser sessions of the requesting user, and the logins in progress that would open them again.
-- Returns NULL if the requesting session has ended. Waits for a sign-in in progress with one of the user's keys, and
-- then ends its session too. Lock order: credential, then login_session and browser_session.
CREATE FUNCTION end_own_sessions(
  asking_id uuid,
  session_id uuid, -- NULL for all
  browser_hash bytea, -- the hash of the requesting browser's secret
  ends_here boolean,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT ended_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session := asking_session(asking_id, false, now, deadline);
BEGIN
  IF asking.id IS NULL THEN
    RETURN;
  END IF;
  IF session_id IS NULL THEN
    PERFORM lock_credentials_of(asking.user_id);
    INSERT INTO login_event (at, kind, user_id, user_agent)
    VALUES (now, 'signed_out_everywhere', asking.user_id, end_own_sessions.user_agent);
  END IF;
  ended_count := end_sessions(asking.user_id, session_id, 'revoked', end_own_sessions.browser_hash, ends_here, now);
END $$;
