-- The queue of outgoing events. Each event is a row, and the first process to claim a pending row that is due attempts
-- it. If that process dies, the event is due again after its lease.
--
-- Plans the statement on every call: a cached plan from when the table was small would read the whole table.

CREATE TYPE claimed_event AS (
  id text, -- NULL if another process was faster
  domain_id text,
  mode text,
  url text,
  body text,
  tries int,
  secret bytea, -- sealed, with the domain's id as context
  previous_secrets bytea[], -- previous secrets that also sign events, newest first
  disabled_at timestamptz, -- when the endpoint returned 410; a session's own URL is a different endpoint
  once boolean -- true for a test event to an unverified domain, which is attempted only once
);

-- Claims the tenant's event that has been due for longest. No other process can claim it until `lease_until`. Returns
-- NULL if nothing is due. Reads only the first event of each of the tenant's domains (at most a hundred), so a long
-- backlog costs nothing.
CREATE FUNCTION claim_next_event(tenant_id uuid, except_domains text[], now timestamptz, lease_until timestamptz)
RETURNS claimed_event LANGUAGE plpgsql SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  receiver domain;
  event webhook_event;
BEGIN
  SELECT due.* INTO event FROM domain CROSS JOIN LATERAL (
    SELECT * FROM webhook_event AS first
    WHERE first.domain_id = domain.id AND first.status = 'pending' AND first.next_attempt_at <= now
    ORDER BY first.next_attempt_at LIMIT 1
  ) AS due
  WHERE domain.owner_id = tenant_id AND domain.id <> ALL(except_domains)
  ORDER BY due.next_attempt_at LIMIT 1;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;

  SELECT * INTO receiver FROM domain WHERE domain.id = event.domain_id;
  UPDATE webhook_event AS claimed SET next_attempt_at = lease_until
  WHERE claimed.id = event.id AND claimed.status = 'pending' AND claimed.next_attempt_at <= now
  RETURNING * INTO event;
  RETURN ROW(
    event.id, receiver.id, receiver.mode::text, event.url, event.body, event.tries, receiver.secret,
    ARRAY(SELECT previous.secret FROM previous_secrets(receiver, now) AS previous ORDER BY previous.until DESC),
    CASE WHEN event.url = receiver.webhook_url THEN receiver.disabled_at END,
    event.kind = 'test' AND receiver.verified_at IS NULL
  );
END $$;

-- Returns the tenants that have a due event. In the index of pending events, jumps from one domain's first event to the
-- next domain's, so the cost depends only on the number of domains.
CREATE FUNCTION tenants_with_due_events(now timestamptz) RETURNS TABLE (tenant_id text)
LANGUAGE plpgsql SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  RETURN QUERY
  WITH RECURSIVE waiting AS (
    (
      SELECT domain_id, next_attempt_at FROM webhook_event WHERE status = 'pending'
      ORDER BY domain_id, next_attempt_at LIMIT 1
    )
    UNION ALL
    SELECT first.domain_id, first.next_attempt_at FROM waiting CROSS JOIN LATERAL (
      SELECT event.domain_id, event.next_attempt_at FROM webhook_event AS event
      WHERE event.status = 'pending' AND event.domain_id > waiting.domain_id
      ORDER BY event.domain_id, event.next_attempt_at LIMIT 1
    ) AS first
  )
  SELECT DISTINCT domain.owner_id::text FROM waiting JOIN domain ON domain.id = waiting.domain_id
  WHERE waiting.next_attempt_at <= now;
END $$;
