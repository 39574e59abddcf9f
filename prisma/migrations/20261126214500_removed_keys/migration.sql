-- Within the statement that removes a key, after it has waited for sign-ins with that key: a statement's own parts do not
-- see the sessions that these have opened, and a function does.
CREATE FUNCTION end_sessions_of_removed_keys(at TIMESTAMPTZ, account INTEGER, key TEXT, kept UUID)
RETURNS INTEGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE ended INTEGER;
BEGIN
  DELETE FROM browser_session AS session
  WHERE session.user_id = account AND (key IS NULL OR session.credential = key) AND session.id IS DISTINCT FROM kept
    AND NOT EXISTS (SELECT 1 FROM credential WHERE user_id = account AND value = session.credential);
  GET DIAGNOSTICS ended = ROW_COUNT;
  -- Logins that such a key has answered. Older ones are not redeemed any more.
  DELETE FROM login_session AS login
  WHERE login.user_id = account AND (key IS NULL OR login.credential = key)
    AND login.authenticated_at > at - interval '20 minutes'
    AND login.redeemed_at IS NULL AND login.flow <> 'hosted' AND login.status = 'authenticated' AND login.recovers IS NULL
    AND NOT EXISTS (SELECT 1 FROM credential WHERE user_id = account AND value = login.credential);
  RETURN ended;
END $$;
