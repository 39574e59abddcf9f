-- The console and GET /deliveries/{id} show what was sent: the body is kept with the event, each attempt has headers of
-- its own, since they are signed with its time. They are sealed: a signature is worth a secret for five minutes.
ALTER TABLE webhook_attempt ADD COLUMN headers bytea;
