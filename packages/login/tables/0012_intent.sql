-- Stores a code's purpose and its requester in two columns instead of a foreign key for each intent. Processes of the
-- previous release read and write only the three foreign keys. This release therefore writes them as well, and triggers
-- fill the two columns from them. A later release will drop the triggers and the foreign keys.

-- Every login writes to this table. It is better for the migration to fail and be retried than to block logins.
SET LOCAL lock_timeout = '3s';

ALTER TABLE login_session ADD COLUMN intent TEXT, ADD COLUMN asked_by UUID;

CREATE FUNCTION fill_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.intent := CASE
    WHEN NEW.approves_session IS NOT NULL THEN 'approve'
    WHEN NEW.adds_to_session IS NOT NULL THEN 'add'
    WHEN NEW.recovers IS NOT NULL THEN 'recover'
  END;
  NEW.asked_by := COALESCE(NEW.approves_session, NEW.adds_to_session, NEW.recovers);
  RETURN NEW;
END $$;
CREATE TRIGGER fill_intent_of_new BEFORE INSERT ON login_session FOR EACH ROW
  WHEN (NEW.intent IS NULL AND COALESCE(NEW.approves_session, NEW.adds_to_session, NEW.recovers) IS NOT NULL)
  EXECUTE FUNCTION fill_intent();
CREATE TRIGGER fill_intent BEFORE UPDATE OF approves_session, adds_to_session, recovers ON login_session
  FOR EACH ROW EXECUTE FUNCTION fill_intent();

CREATE INDEX login_session_asked_by_idx ON login_session (asked_by, challenged_at) WHERE asked_by IS NOT NULL;

UPDATE login_session SET recovers = recovers
WHERE approves_session IS NOT NULL OR adds_to_session IS NOT NULL OR recovers IS NOT NULL;
