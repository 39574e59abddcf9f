-- A wallet's requests about a session of the hosted API (docs/protocol.md#113-hosted-login): it asks which browser is
-- requesting the login, responds, and can undo the login.

-- Returns what a wallet shows before it signs: the customer's description of the browser. Returns NULL if the QR code
-- can no longer be answered.
CREATE FUNCTION who_is_asking_hosted(
  challenge_text text,
  session_sid text,
  issued_since timestamptz,
  OUT issued_at timestamptz,
  OUT user_agent text,
  OUT network bytea,
  OUT action text,
  OUT domain text
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  SELECT challenge.issued_at, session.user_agent, session.network, hosted.action, registered.domain
  INTO who_is_asking_hosted.issued_at, who_is_asking_hosted.user_agent, who_is_asking_hosted.network,
    who_is_asking_hosted.action, who_is_asking_hosted.domain
  FROM challenge
  JOIN login_session AS session USING (sid)
  JOIN hosted_session AS hosted USING (sid)
  JOIN domain AS registered ON registered.id = hosted.domain_id
  WHERE challenge.text = challenge_text AND challenge.sid = session_sid AND challenge.issued_at > issued_since
    AND session.status <> 'authenticated';
END $$;

-- Finds a session's challenge by its exact text.
CREATE FUNCTION find_hosted_challenge(
  challenge_text text,
  session_sid text,
  OUT sid text,
  OUT issued_at timestamptz,
  OUT used boolean,
  OUT action text
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT session.sid, challenge.issued_at, session.status = 'authenticated', hosted.action
  INTO find_hosted_challenge.sid, find_hosted_challenge.issued_at, used, find_hosted_challenge.action
  FROM challenge
  JOIN login_session AS session USING (sid)
  JOIN hosted_session AS hosted USING (sid)
  WHERE challenge.text = challenge_text AND challenge.sid = session_sid;
END $$;

-- Spends a challenge, authenticates its session, and adds the event with the job that sends it. Of any number of
-- concurrent calls, exactly one returns a row, and every login that was confirmed to a wallet has an event.
-- Lock order: domain, then login_session.
CREATE FUNCTION accept_hosted(
  challenge_text text,
  signer text,
  signed_at bigint,
  device_info jsonb,
  undo_hash bytea,
  event_id text,
  event_kind text,
  event_body text,
  now timestamptz,
  issued_since timestamptz,
  deadline timestamptz,
  OUT user_agent text,
  OUT is_known_browser boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  login login_session;
  receiver event_receiver;
BEGIN
  SELECT session.* INTO login FROM challenge JOIN login_session AS session USING (sid)
  WHERE challenge.text = challenge_text AND challenge.issued_at > issued_since;
  receiver := lock_receiver(login.sid);
  IF receiver.domain_id IS NULL OR NOT authenticate_login(
    login.sid, signer, NULL, accept_hosted.signed_at, accept_hosted.device_info, accept_hosted.undo_hash, now, deadline
  ) THEN
    RETURN;
  END IF;
  PERFORM queue_event(receiver, event_id, login.sid, event_kind, event_body, now);
  accept_hosted.user_agent := login.user_agent;
  -- A browser can be recognised only by the customer's description, and only while the browser's sessions are stored.
  is_known_browser := EXISTS (
    SELECT FROM login_session AS earlier JOIN hosted_session AS hosted USING (sid)
    WHERE earlier.credential = signer AND earlier.flow = 'hosted' AND earlier.undone_at IS NULL
      AND earlier.sid <> login.sid AND hosted.domain_id = receiver.domain_id
      AND earlier.user_agent = login.user_agent AND earlier.network = login.network
  );
END $$;

-- Undoes a login and adds one event for the customer, because only the customer knows the signed-in user. Returns the
-- same as `undo`.
-- Lock order: login_session, then domain.
CREATE FUNCTION undo_hosted(
  session_sid text,
  undo_hash bytea,
  event_id text,
  event_body text, -- NULL if the domain was deleted, which also deletes the login's own event
  now timestamptz,
  answered_since timestamptz,
  deadline timestamptz,
  OUT flow text,
  OUT user_id int,
  OUT is_first boolean,
  OUT cancels_recovery boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  receiver event_receiver;
BEGIN
  SELECT undone.* INTO undo_hosted.flow, undo_hosted.user_id, is_first, cancels_recovery
  FROM undo(session_sid, undo_hosted.undo_hash, true, now, answered_since, deadline) AS undone;
  IF is_first AND event_body IS NOT NULL THEN
    receiver := lock_receiver(session_sid);
    IF receiver.domain_id IS NOT NULL THEN
      PERFORM queue_event(receiver, event_id, session_sid, 'undone', event_body, now);
    END IF;
  END IF;
END $$;
