-- It touches tables that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- On a large database, create these indexes CONCURRENTLY beforehand (docs/operations.md#upgrade).
CREATE INDEX IF NOT EXISTS known_browser_last_seen_at_idx ON known_browser (last_seen_at);
CREATE INDEX IF NOT EXISTS login_session_user_id_authenticated_at_idx ON login_session (user_id, authenticated_at);
CREATE INDEX IF NOT EXISTS login_session_adds_challenged_idx ON login_session (adds_to_session, challenged_at)
  WHERE adds_to_session IS NOT NULL;
CREATE INDEX IF NOT EXISTS login_session_approves_challenged_idx ON login_session (approves_session, challenged_at)
  WHERE approves_session IS NOT NULL;
DROP INDEX login_session_user_id_idx, login_session_adds_idx, login_session_approves_idx;

-- What the user's browsers show until it is dismissed, apart from what fills the history.
CREATE INDEX IF NOT EXISTS login_event_notice_idx ON login_event (user_id, id)
  WHERE kind NOT IN ('issued', 'delivered', 'refused', 'unregistered', 'session_ended')
    AND (subject IS NOT NULL OR kind NOT IN ('session_created', 'approved'));

-- The notices of new browsers name the line of their sessions from now on, those that exist included.
UPDATE login_event AS event SET by_session = session.id
FROM browser_session AS session CROSS JOIN LATERAL unnest(session.undo_hashes) AS undo(hash)
WHERE event.user_id = session.user_id AND event.subject = encode(undo.hash, 'hex')
  AND event.kind IN ('session_created', 'approved');
