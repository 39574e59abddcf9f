-- It touches tables that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- AlterEnum
ALTER TYPE "login_event_kind" ADD VALUE 'undone';

-- AlterTable
ALTER TABLE "login_session" ADD COLUMN     "known_browser_hash" BYTEA,
ADD COLUMN     "network" BYTEA,
ADD COLUMN     "undo_hash" BYTEA,
ADD COLUMN     "undone_at" TIMESTAMPTZ(3),
ADD COLUMN     "user_agent" TEXT;

-- AlterTable
ALTER TABLE "browser_session" ADD COLUMN     "undo_hashes" BYTEA[] DEFAULT ARRAY[]::BYTEA[];

-- CreateTable
CREATE TABLE "known_browser" (
    "user_id" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_browser_pkey" PRIMARY KEY ("user_id","hash")
);

-- CreateIndex
CREATE INDEX "known_browser_last_seen_at_idx" ON "known_browser" USING BRIN ("last_seen_at");

-- AddForeignKey
ALTER TABLE "known_browser" ADD CONSTRAINT "known_browser_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
