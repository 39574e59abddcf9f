-- The next due event of a domain is found by one step down this index, however many others wait.
CREATE INDEX "webhook_event_pending_idx" ON "webhook_event"("domain_id", "next_attempt_at") WHERE "status" = 'pending';
DROP INDEX "webhook_event_due_idx";

-- Names that begin "user:" are those of the console's users, and of nobody else.
UPDATE "owner" SET "name" = 'formerly ' || "name" WHERE "user_id" IS NULL AND "name" ILIKE 'user:%';
ALTER TABLE "owner" ADD CONSTRAINT "owner_user_name_check"
  CHECK (CASE WHEN "user_id" IS NULL THEN "name" NOT ILIKE 'user:%' ELSE "name" = 'user:' || "user_id" END);

-- What earlier versions wrote down for tenants to read: addresses of names, and other people's TXT records and files.
UPDATE "webhook_attempt" SET "error" = 'the host has no public address'
  WHERE "error" LIKE '% is not a public address' OR "error" LIKE '%: no such name' OR "error" LIKE '%: no address';
UPDATE "domain" SET "last_check" = NULL WHERE "last_check" IS NOT NULL;

-- What is counted against an owner's quotas. The owner is held until the statement's end, and each query of a volatile
-- function sees what was committed before it: so one statement counts what those before it have added, and adds.
CREATE FUNCTION count_domains_of_held_owner(held UUID) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM "owner" WHERE "id" = held FOR NO KEY UPDATE;
  RETURN (SELECT count(*) FROM "domain" WHERE "owner_id" = held);
END $$;
CREATE FUNCTION count_keys_of_held_owner(held UUID) RETURNS BIGINT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM FROM "owner" WHERE "id" = held FOR NO KEY UPDATE;
  RETURN (SELECT count(*) FROM "api_key" WHERE "owner_id" = held AND "revoked_at" IS NULL);
END $$;
