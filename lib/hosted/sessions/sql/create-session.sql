-- Creates a pending session of the hosted API with its first challenge (docs/protocol.md#52-sessions). A request with
-- an idempotency key claims that key: of any number of requests with the same key, exactly one creates a session.
-- Returns false if the key has already been claimed or the domain no longer exists.
-- Lock order: domain, then idempotent_answer.
CREATE FUNCTION create_session(
  tenant_id uuid,
  tenant_mode api_mode,
  session_domain_id text,
  session_sid text,
  action text,
  challenge text,
  webhook_url text,
  return_url text,
  custom_data text,
  user_agent text,
  network bytea,
  idempotency_key text, -- NULL if the request has none
  request_hash bytea,
  answer jsonb,
  claimed_since timestamptz, -- claims before this time have expired
  now timestamptz,
  OUT created boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  created := false;
  PERFORM FROM domain WHERE domain.id = session_domain_id AND domain.owner_id = tenant_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF idempotency_key IS NOT NULL THEN
    INSERT INTO idempotent_answer AS earlier (owner_id, mode, key, request_hash, status, body, created_at)
    VALUES (tenant_id, tenant_mode, idempotency_key, create_session.request_hash, 201, answer, now)
    ON CONFLICT (owner_id, mode, key) DO UPDATE SET
      request_hash = excluded.request_hash,
      status = excluded.status,
      body = excluded.body,
      created_at = excluded.created_at
    WHERE earlier.created_at <= claimed_since;
    IF NOT FOUND THEN
      RETURN;
    END IF;
  END IF;

  INSERT INTO login_session (sid, flow, created_at, challenged_at, user_agent, network)
  VALUES (session_sid, 'hosted', now, now, create_session.user_agent, create_session.network);
  INSERT INTO hosted_session (
    sid, owner_id, mode, domain_id, action, webhook_url, return_url, custom_data, created_at
  ) VALUES (
    session_sid, tenant_id, tenant_mode, session_domain_id, create_session.action, create_session.webhook_url,
    create_session.return_url, create_session.custom_data, now
  );
  PERFORM issue_hosted_challenge(create_session.challenge, session_sid, now);
  created := true;
END $$;

-- Renews a pending session's challenge. Returns false if the session is no longer pending.
CREATE FUNCTION refresh_session(
  tenant_id uuid,
  tenant_mode api_mode,
  session_sid text,
  challenge text,
  user_agent text, -- NULL to keep the stored value
  network bytea,
  alive_since timestamptz,
  now timestamptz,
  OUT refreshed boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE login_session AS session SET
    challenged_at = now,
    user_agent = COALESCE(refresh_session.user_agent, session.user_agent),
    network = COALESCE(refresh_session.network, session.network)
  FROM hosted_session AS hosted
  WHERE session.sid = session_sid AND hosted.sid = session.sid AND hosted.owner_id = tenant_id
    AND hosted.mode = tenant_mode AND session.status = 'pending' AND session.challenged_at > alive_since;
  refreshed := FOUND;
  IF refreshed THEN
    PERFORM issue_hosted_challenge(refresh_session.challenge, session_sid, now);
  END IF;
END $$;

CREATE FUNCTION issue_hosted_challenge(challenge text, session_sid text, now timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO challenge (text, sid, issued_at) VALUES (issue_hosted_challenge.challenge, session_sid, now);
  INSERT INTO login_event (at, kind, sid) VALUES (now, 'issued', session_sid);
END $$;

-- Finds a tenant's domain by name. Called each time a session is created.
CREATE FUNCTION find_session_domain(
  tenant_id uuid,
  tenant_mode api_mode,
  name text,
  OUT id text,
  OUT webhook_url text,
  OUT verified boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT registered.id, registered.webhook_url, registered.verified_at IS NOT NULL
  INTO find_session_domain.id, find_session_domain.webhook_url, verified
  FROM domain AS registered
  WHERE registered.owner_id = tenant_id AND registered.mode = tenant_mode AND registered.domain = name;
END $$;
