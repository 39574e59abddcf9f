ALTER TABLE credential ADD COLUMN device_info JSONB;
