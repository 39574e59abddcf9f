-- The demo customer's table is the one that every customer has, of the same name.
ALTER TABLE "demo_login" RENAME TO "hosted_login";
ALTER TABLE "hosted_login" RENAME CONSTRAINT "demo_login_pkey" TO "hosted_login_pkey";
ALTER INDEX "demo_login_event_id_key" RENAME TO "hosted_login_event_id_key";
ALTER INDEX "demo_login_created_at_idx" RENAME TO "hosted_login_created_at_idx";

-- Null while an event has come and no browser has started its session yet.
ALTER TABLE "hosted_login" ALTER COLUMN "browser_hash" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "hosted_login_browser_hash_idx" ON "hosted_login"("browser_hash");

-- Processes of the version before go on reading and writing it by its former name until they have stopped.
CREATE VIEW "demo_login" AS SELECT * FROM "hosted_login";
