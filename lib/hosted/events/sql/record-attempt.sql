-- Records an attempt to send an event and its consequence: the event was delivered, has failed permanently, or will be
-- due again. A success is final, even if a slower attempt is recorded later. Returns NULL without changes if the event
-- was deleted with its domain.
-- Lock order: webhook_event, then domain.
CREATE FUNCTION record_attempt(
  event_id text,
  url text, -- the URL to which the event was sent
  lease_until timestamptz, -- when this attempt's lease ends
  outcome text, -- 'delivered', 'failed' or 'retry'
  retry_at timestamptz, -- when to attempt the event again, or NULL
  disable boolean, -- true if the endpoint returned 410; disables the domain if its URL is still `url`
  gone boolean, -- true if the endpoint has returned 410, either now or earlier
  attempted_at timestamptz,
  status int, -- the response's status, or NULL
  error text,
  latency_ms int,
  answer text,
  headers bytea, -- the sent headers, sealed with the event's id as context, or NULL
  recovered_at timestamptz, -- when the endpoint accepted the event, or NULL
  scheduled_after timestamptz, -- events that are scheduled later become due at `recovered_at`
  OUT recorded boolean
) LANGUAGE plpgsql SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  event webhook_event;
BEGIN
  SELECT * INTO event FROM webhook_event WHERE id = event_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF outcome = 'delivered' THEN
    event.delivered_at := attempted_at;
  END IF;
  IF event.tries = 0 AND event.next_attempt_at < lease_until THEN
    NULL; -- The event was resent manually during the attempt and is still due.
  ELSE
    event.tries := event.tries + 1;
    IF gone AND event.status = 'pending' AND event.url <> record_attempt.url THEN
      event.next_attempt_at := attempted_at; -- The URL was changed during the attempt, which used the old one.
    ELSE
      event.next_attempt_at := CASE WHEN event.status = 'pending' THEN retry_at END;
      event.status := CASE
        WHEN outcome = 'delivered' THEN 'delivered'
        WHEN outcome = 'failed' AND event.status = 'pending' THEN 'failed'
        ELSE event.status
      END;
    END IF;
  END IF;
  UPDATE webhook_event AS attempted SET
    tries = event.tries,
    status = event.status,
    delivered_at = event.delivered_at,
    next_attempt_at = event.next_attempt_at
  WHERE attempted.id = event_id;

  IF disable THEN
    UPDATE domain SET disabled_at = attempted_at
    WHERE domain.id = event.domain_id AND domain.webhook_url = record_attempt.url AND domain.disabled_at IS NULL;
  END IF;
  IF recovered_at IS NOT NULL THEN
    PERFORM bring_forward(event_id, event.domain_id, record_attempt.url, recovered_at, scheduled_after);
  END IF;
  INSERT INTO webhook_attempt (event_id, at, status, error, latency_ms, answer, headers)
  VALUES (
    record_attempt.event_id, attempted_at, record_attempt.status, record_attempt.error, record_attempt.latency_ms,
    record_attempt.answer, record_attempt.headers
  );
  recorded := true;
END $$;

-- Called when an endpoint has accepted an event. If an earlier attempt at that event failed, makes the endpoint's other
-- failed events due, except those whose last response had a status that can request a delay (RFC 9110, 10.2.3).
CREATE FUNCTION bring_forward(
  taken_id text,
  receiver_id text,
  taken_url text,
  recovered_at timestamptz,
  scheduled_after timestamptz
) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT SET plan_cache_mode = force_custom_plan AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM webhook_attempt AS failed
    WHERE failed.event_id = taken_id AND (failed.status BETWEEN 200 AND 299) IS NOT TRUE
  ) THEN
    RETURN;
  END IF;
  UPDATE webhook_event SET next_attempt_at = recovered_at WHERE id = ANY(ARRAY(
    SELECT waiting.id FROM webhook_event AS waiting
    WHERE waiting.domain_id = receiver_id AND waiting.url = taken_url AND waiting.status = 'pending'
      AND waiting.tries > 0 AND waiting.next_attempt_at > scheduled_after
      AND COALESCE((
        SELECT last.status FROM webhook_attempt AS last WHERE last.event_id = waiting.id ORDER BY last.at DESC LIMIT 1
      ), 0) NOT IN (429, 503)
    FOR UPDATE SKIP LOCKED
  ));
END $$;
