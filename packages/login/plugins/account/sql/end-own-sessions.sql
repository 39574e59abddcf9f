-- Ends one or all of the requesting user's browser sessions, and the logins in progress that would sign those browsers
-- in again. Returns NULL if the requesting session has ended. If one of the user's keys is being used to sign in, the
-- function waits for that sign-in and then ends its session too. Lock order: user_account, as in an approval, then the
-- requesting session, credential, login_session and the other sessions.
CREATE FUNCTION end_own_sessions(
  asking_id uuid,
  session_id uuid, -- the session to end, or NULL to end all of them
  browser_hash bytea, -- hash of the secret in the requesting browser's cookie
  ends_here boolean,
  user_agent text,
  now timestamptz,
  deadline timestamptz,
  OUT ended_count int
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  asking browser_session;
BEGIN
  PERFORM FROM user_account AS account
  WHERE account.id = (SELECT session.user_id FROM browser_session AS session WHERE session.id = asking_id)
  FOR NO KEY UPDATE;
  asking := asking_session(asking_id, false, now, deadline);
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
