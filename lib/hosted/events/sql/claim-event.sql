-- The queue of outgoing events, which are rows: the first process to claim a pending row that is due attempts it. An
-- event whose process dies is due again after its lease.
--
-- The statement is planned on every call, because a cached plan from a time when the table was small would read all of
-- it.

CREATE TYPE claimed_event AS (
  id text, -- NULL when another process was quicker
  domain_id text,
  mode text,
  url text,
  body text,
  tries int,
  secret bytea, -- sealed, with the domain's id as context
  previous_secrets bytea[], -- with which events are also signed, the latest first
  disabled_at timestamptz, -- when the endpoint returned 410. A session's own URL counts as a different endpoint
  once boolean -- whether it is a test event for an unverified domain, which is attempted only once
);

-- Claims the tenant's event that has been due for longest: no other process claims it until `lease_until`. Returns NULL
-- when nothing is due. Reads only the first event of each of the tenant's domains, a hundred at most, so a long backlog
-- adds no cost.
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

-- The tenants with an event that is due. Steps through the index of pending events from one domain's first to the next
-- domain's first. Its cost grows with the number of domains, so a tenant's backlog does not slow it down.
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
