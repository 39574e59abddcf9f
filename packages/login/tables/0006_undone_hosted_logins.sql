ALTER TABLE hosted_login ADD COLUMN undone_at TIMESTAMPTZ(3);
