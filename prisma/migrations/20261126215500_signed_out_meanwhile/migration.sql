-- Within the statement that signs a user out everywhere, after it has waited for sign-ins: as end_sessions_of_removed_keys.
CREATE FUNCTION end_sessions_opened_meanwhile(at TIMESTAMPTZ, account INTEGER, browser BYTEA)
RETURNS INTEGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE count INTEGER;
BEGIN
  WITH ended AS (
    DELETE FROM browser_session WHERE user_id = account
    RETURNING user_id, credential, user_agent, known_browser_hash
  ), disowned AS (
    DELETE FROM known_browser USING ended
    WHERE known_browser.user_id = ended.user_id AND known_browser.hash = ended.known_browser_hash
  )
  INSERT INTO login_event (at, kind, user_id, reason, credential, user_agent)
  SELECT end_sessions_opened_meanwhile.at, 'session_ended', user_id, 'revoked', credential, user_agent FROM ended;
  GET DIAGNOSTICS count = ROW_COUNT;
  -- Logins that were answered meanwhile.
  DELETE FROM login_session AS login
  WHERE login.user_id = account AND login.browser_hash IS DISTINCT FROM browser AND login.redeemed_at IS NULL
    AND login.flow <> 'hosted'
    AND login.authenticated_at > end_sessions_opened_meanwhile.at - interval '20 minutes';
  RETURN count;
END $$;
