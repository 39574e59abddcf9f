-- Counts a request by a caller and, for an IPv6 client, by the caller's network (docs/protocol.md#24-limits). A window
-- starts with its first request. A request that exceeds the caller's limit does not count against the network's limit,
-- so that one client cannot use up its neighbours' share.
--
-- Raises SQLSTATE SL429 if a limit is exceeded. The statement then fails without counting or changing anything. The
-- error's DETAIL is a JSON object: `counter` ("caller" or "network") and `reset_ms`. Lock order: the caller's counter,
-- then the network's.
CREATE TYPE counted AS (
  counted_requests int, -- the caller's requests in this window, including this one
  counted_reset_ms int, -- milliseconds until the window ends
  network_requests int,
  network_reset_ms int
);

CREATE FUNCTION count_request(
  caller text,
  network text, -- NULL if no network is counted
  max_requests int,
  max_network_requests bigint,
  window_seconds int
) RETURNS counted LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  result counted;
BEGIN
  SELECT requests, reset_ms INTO result.counted_requests, result.counted_reset_ms
  FROM add_request(caller, window_seconds);
  IF result.counted_requests > max_requests THEN
    PERFORM raise_limit('caller', result.counted_reset_ms);
  END IF;

  IF network IS NOT NULL THEN
    SELECT requests, reset_ms INTO result.network_requests, result.network_reset_ms
    FROM add_request(network, window_seconds);
    IF result.network_requests > max_network_requests THEN
      PERFORM raise_limit('network', result.network_reset_ms);
    END IF;
  END IF;
  RETURN result;
END $$;

-- Adds a request to a counter, using the database's clock.
CREATE FUNCTION add_request(counter_key text, window_seconds int, OUT requests int, OUT reset_ms int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  now_ms bigint := date_part('epoch', now()) * 1000;
BEGIN
  INSERT INTO rate_limit AS counter (key, points, expire)
  VALUES (counter_key, 1, now_ms + window_seconds * 1000)
  ON CONFLICT (key) DO UPDATE SET
    points = CASE WHEN counter.expire > now_ms THEN counter.points ELSE 0 END + 1,
    expire = CASE WHEN counter.expire > now_ms THEN counter.expire ELSE excluded.expire END
  RETURNING points, expire - now_ms INTO requests, reset_ms;
END $$;

CREATE FUNCTION raise_limit(counter text, reset_ms int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the limit of requests is used up' USING
    ERRCODE = 'SL429',
    DETAIL = json_build_object('counter', counter, 'reset_ms', reset_ms);
END $$;
