-- Runs of the conformance kit against wallets on phones (docs/conformance.md#a-wallet-on-a-phone). A run that has ended
-- accepts no changes. Commits do not wait for the disk.

CREATE FUNCTION find_run(run_secret_hash bytea, now timestamptz)
RETURNS TABLE (
  id text, started_at timestamptz, expires_at timestamptz, codes jsonb, arrivals jsonb, words jsonb
) LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RETURN QUERY
  SELECT run.id, run.started_at, run.expires_at, run.codes, run.arrivals, run.words
  FROM conformance_run AS run WHERE run.secret_hash = run_secret_hash AND run.expires_at > now;
END $$;

-- Adds a QR code for a case and returns its index, or NULL if the run has shown too many QR codes. Deletes the user's
-- report on the case's previous QR code.
CREATE FUNCTION add_run_code(run_id text, code jsonb, max_codes int, now timestamptz, OUT place int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  UPDATE conformance_run AS run SET codes = run.codes || code, words = run.words - (code ->> 'case')
  WHERE run.id = run_id AND run.expires_at > now AND jsonb_array_length(run.codes) < max_codes
  RETURNING jsonb_array_length(run.codes) - 1 INTO place;
END $$;

-- Records what the user reports about a case.
CREATE FUNCTION set_run_word(run_id text, case_id text, word text, now timestamptz, OUT said boolean)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  UPDATE conformance_run AS run SET words = run.words || jsonb_build_object(case_id, word)
  WHERE run.id = run_id AND run.expires_at > now;
  said := FOUND;
END $$;

-- Returns a run's QR code by its index, or NULL if there is none.
CREATE FUNCTION find_run_code(run_id text, place int, now timestamptz, OUT code jsonb)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SELECT run.codes -> place INTO code FROM conformance_run AS run
  WHERE run.id = run_id AND run.expires_at > now;
END $$;

-- Adds a wallet's answer. Returns its number among the answers to the same QR code, starting at 1, or NULL if the run
-- accepts no more answers.
CREATE FUNCTION add_run_arrival(run_id text, arrival jsonb, max_arrivals int, now timestamptz, OUT arrivals_of_code int)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  SET LOCAL synchronous_commit = off;
  UPDATE conformance_run AS run SET arrivals = run.arrivals || arrival
  WHERE run.id = run_id AND run.expires_at > now AND jsonb_array_length(run.arrivals) < max_arrivals
  RETURNING (
    SELECT count(*) FROM jsonb_array_elements(run.arrivals) AS earlier
    WHERE earlier -> 'code' = arrival -> 'code'
  ) INTO arrivals_of_code;
END $$;
