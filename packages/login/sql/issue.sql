-- Issues a challenge to a browser (docs/protocol.md#31-get-apisvcqr), for its login session `sid` or, if that session
-- has ended, for a new one. A login session never changes its intent, and a browser cannot choose the sid of a new one.
-- The browser keeps its secret until all of its login sessions have ended, and then gets a new secret.
--
-- The commit does not wait for the disk: after a crash, the browser requests a new code, and a wallet's response makes
-- the login session durable. Lock order: login_session, then challenge.
--
-- This function and the others that every login calls use generic plans. Otherwise, a NULL argument would make a custom
-- plan look cheaper, and PostgreSQL would plan each call again (docs/decisions/0071-sql-functions.md).
CREATE TYPE issued AS (
  sid text,
  keeps_secret boolean,
  answered boolean -- whether a wallet has already answered this login session, in which case no challenge was issued
);

CREATE FUNCTION issue(
  now timestamptz,
  flow flow,
  challenge text,
  sid text, -- the sid that the browser sent, or NULL
  browser_hash bytea,
  new_sid text, -- the sid of the new login session, if `sid` has ended
  new_browser_hash bytea,
  intent text, -- such as 'approve'; NULL to sign in
  asked_by uuid, -- the browser session, recovery or user of the site that requests a code with an intent
  user_agent text,
  network bytea,
  known_browser_hash bytea,
  alive_since timestamptz,
  challenges_kept int, -- how many of the newest challenges are kept; NULL to keep every challenge until it expires
  ends_when_answered boolean -- whether an answered login session is neither continued nor replaced
) RETURNS issued LANGUAGE plpgsql
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  login login_session;
  issued_at timestamptz := now;
  keeps_secret boolean := false;
BEGIN
  SET LOCAL synchronous_commit = off;

  IF sid IS NOT NULL THEN
    -- Excludes answered login sessions: locking such a session would wait for its redemption to commit.
    SELECT * INTO login FROM login_session AS session
    WHERE session.sid = issue.sid AND session.flow = issue.flow AND session.browser_hash = issue.browser_hash
      AND (session.intent, session.asked_by) IS NOT DISTINCT FROM (issue.intent, issue.asked_by)
      AND session.status <> 'authenticated' AND session.challenged_at > alive_since
    FOR UPDATE;
    IF login.sid IS NULL AND ends_when_answered AND EXISTS (
      SELECT FROM login_session AS session
      WHERE session.sid = issue.sid AND session.flow = issue.flow AND session.browser_hash = issue.browser_hash
        AND (session.intent, session.asked_by) IS NOT DISTINCT FROM (issue.intent, issue.asked_by)
        AND session.status = 'authenticated' AND session.redeemed_at IS NULL
        AND session.authenticated_at > alive_since
    ) THEN
      RETURN ROW(issue.sid, true, true);
    END IF;
  END IF;

  IF login.sid IS NOT NULL THEN
    -- Each challenge of a login session gets a different time, so that the newest ones can be identified.
    issued_at := GREATEST(now, login.challenged_at + interval '1 millisecond');
    keeps_secret := true;
    UPDATE login_session AS session SET
      status = 'pending',
      challenged_at = issued_at,
      user_agent = issue.user_agent,
      network = issue.network,
      known_browser_hash = issue.known_browser_hash
    WHERE session.sid = login.sid;
    IF login.status = 'unregistered' THEN
      PERFORM notify_login(login.sid);
    END IF;
  ELSE
    login.sid := new_sid;
    IF browser_hash IS NOT NULL THEN
      keeps_secret := EXISTS (
        SELECT FROM login_session AS session
        WHERE session.browser_hash = issue.browser_hash AND session.challenged_at > alive_since
      );
    END IF;
    INSERT INTO login_session (
      sid, flow, browser_hash, created_at, challenged_at, intent, asked_by, user_agent, network, known_browser_hash,
      -- Processes of the previous release read these columns.
      approves_session, adds_to_session, recovers
    ) VALUES (
      new_sid, issue.flow, CASE WHEN keeps_secret THEN issue.browser_hash ELSE new_browser_hash END, now, now,
      issue.intent, issue.asked_by, issue.user_agent, issue.network, issue.known_browser_hash,
      CASE issue.intent WHEN 'approve' THEN issue.asked_by END, CASE issue.intent WHEN 'add' THEN issue.asked_by END,
      CASE issue.intent WHEN 'recover' THEN issue.asked_by END
    );
  END IF;

  INSERT INTO challenge (text, sid, issued_at) VALUES (issue.challenge, login.sid, issued_at);
  IF challenges_kept IS NOT NULL THEN
    DELETE FROM challenge AS older WHERE older.sid = login.sid AND older.text NOT IN (
      SELECT newest.text FROM challenge AS newest WHERE newest.sid = login.sid
      ORDER BY newest.issued_at DESC LIMIT challenges_kept
    );
  END IF;
  INSERT INTO login_event (at, kind, sid) VALUES (now, 'issued', login.sid);
  RETURN ROW(login.sid, keeps_secret, false);
END $$;

-- Notifies every process of a change to a login session: a new status, or why a response was refused.
CREATE FUNCTION notify_login(sid text, refused text DEFAULT NULL) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('login_session', json_strip_nulls(json_build_object('sid', sid, 'refused', refused))::text)
$$;
