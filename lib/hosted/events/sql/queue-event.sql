-- Outgoing events of the hosted API (docs/protocol.md#56-events). The transaction that makes a change also adds the
-- event that reports it, and the job that sends the event.

CREATE TYPE event_receiver AS (
  domain_id text,
  owner_id uuid,
  url text,
  own_url boolean -- true if the URL is the session's own and not the domain's
);

-- Returns the URL for a session's events, or NULL if its domain was deleted. Locks the domain before reading its URL: a
-- concurrent change of the URL moves only events that already exist.
CREATE FUNCTION lock_receiver(session_sid text) RETURNS event_receiver
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  receiver event_receiver;
BEGIN
  SELECT domain.id, domain.owner_id, COALESCE(hosted.webhook_url, domain.webhook_url), hosted.webhook_url IS NOT NULL
  INTO receiver
  FROM hosted_session AS hosted JOIN domain ON domain.id = hosted.domain_id
  WHERE hosted.sid = session_sid
  FOR KEY SHARE OF domain;
  RETURN receiver;
END $$;

CREATE FUNCTION queue_event(
  receiver event_receiver,
  event_id text, -- the `webhook-id`
  session_sid text,
  kind text,
  body text,
  now timestamptz
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO webhook_event (id, domain_id, sid, kind, url, own_url, body, created_at, next_attempt_at)
  VALUES (
    event_id, receiver.domain_id, session_sid, queue_event.kind, receiver.url, receiver.own_url, queue_event.body, now,
    now
  );
  PERFORM wake_tenant(receiver.owner_id);
END $$;

-- Adds the job that sends a tenant's events. At most one such job is waiting for each tenant.
CREATE FUNCTION wake_tenant(tenant_id uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.add_job(
    'deliver_events', json_build_object('ownerId', tenant_id),
    job_key => 'deliver_events:' || tenant_id, job_key_mode => 'preserve_run_at'
  );
END $$;

-- Sends an event again and restarts its retry schedule. Uses the domain's current URL, or the session's own URL if it
-- has one, which is a different endpoint. Returns false if the endpoint is disabled.
CREATE FUNCTION resend_event(event_id text, tenant_id uuid, tenant_mode api_mode, now timestamptz, OUT resent boolean)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE webhook_event AS event SET
    status = 'pending',
    tries = 0,
    next_attempt_at = now,
    url = CASE WHEN event.own_url THEN event.url ELSE domain.webhook_url END
  FROM domain
  WHERE event.id = event_id AND domain.id = event.domain_id
    AND domain.owner_id = tenant_id AND domain.mode = tenant_mode
    AND (domain.disabled_at IS NULL OR event.own_url AND event.url <> domain.webhook_url);
  resent := FOUND;
  IF resent THEN
    PERFORM wake_tenant(tenant_id);
  END IF;
END $$;

-- Adds an event of the kind `test` for a domain's URL. Returns false if the tenant has no such domain.
CREATE FUNCTION queue_test_event(
  event_id text,
  tenant_id uuid,
  tenant_mode api_mode,
  test_domain_id text,
  body text,
  now timestamptz,
  OUT queued boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  receiver event_receiver;
BEGIN
  SELECT domain.id, domain.owner_id, domain.webhook_url, false INTO receiver FROM domain
  WHERE domain.id = test_domain_id AND domain.owner_id = tenant_id AND domain.mode = tenant_mode
  FOR KEY SHARE;
  queued := FOUND;
  IF queued THEN
    PERFORM queue_event(receiver, event_id, NULL, 'test', queue_test_event.body, now);
  END IF;
END $$;
