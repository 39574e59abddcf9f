-- A session is deleted after a day, its event after thirty: the event itself has to know that its URL was the session's.
ALTER TABLE "webhook_event" ADD COLUMN     "own_url" BOOLEAN NOT NULL DEFAULT false;

UPDATE "webhook_event" AS event SET "own_url" = true FROM "hosted_session" AS hosted
WHERE hosted."sid" = event."sid" AND hosted."webhook_url" IS NOT NULL;
