-- Records that a response to a login session was refused. The login session can still be answered.

-- Records that a response was refused, and why, and notifies the waiting browser. Returns true.
CREATE FUNCTION record_refusal(refused_sid text, reason text, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO login_event (at, kind, sid, reason) VALUES (now, 'refused', refused_sid, record_refusal.reason);
  PERFORM notify_login(refused_sid, record_refusal.reason);
  RETURN true;
END $$;

-- Marks a pending login session whose valid response came from an unknown key, and records it. Returns false for a
-- login session that is not pending.
CREATE FUNCTION mark_unregistered(login_sid text, unknown_key text, now timestamptz) RETURNS boolean
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE login_session SET status = 'unregistered' WHERE sid = login_sid AND status <> 'authenticated';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO login_event (at, kind, sid, credential) VALUES (now, 'unregistered', login_sid, unknown_key);
  PERFORM notify_login(login_sid);
  RETURN true;
END $$;
