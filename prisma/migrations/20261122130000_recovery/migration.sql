-- It touches tables that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- AlterEnum
ALTER TYPE "login_event_kind" ADD VALUE 'recovery_codes_made';
ALTER TYPE "login_event_kind" ADD VALUE 'recovery_opened';
ALTER TYPE "login_event_kind" ADD VALUE 'recovery_pending';
ALTER TYPE "login_event_kind" ADD VALUE 'recovery_cancelled';
ALTER TYPE "login_event_kind" ADD VALUE 'recovered';

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN     "backup_asked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "before_recovery_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "login_session" ADD COLUMN     "recovers" UUID;

-- CreateTable
CREATE TABLE "recovery_code" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "slot" SMALLINT NOT NULL,
    "mac" BYTEA NOT NULL,
    "key_id" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recovery" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "code_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "kind" "credential_kind",
    "credential" TEXT,
    "takes_effect_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "user_agent" TEXT,

    CONSTRAINT "recovery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "recovery_code_mac_key" ON "recovery_code"("mac");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_code_user_id_slot_key" ON "recovery_code"("user_id", "slot");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_secret_hash_key" ON "recovery"("secret_hash");

-- CreateIndex
CREATE INDEX "recovery_user_id_idx" ON "recovery"("user_id");

-- CreateIndex
CREATE INDEX "recovery_expires_at_idx" ON "recovery"("expires_at");

-- AddForeignKey
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery" ADD CONSTRAINT "recovery_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say:

-- One recovery of a user waits at a time.
CREATE UNIQUE INDEX "recovery_pending_key" ON "recovery"("user_id")
  WHERE "takes_effect_at" IS NOT NULL AND "finished_at" IS NULL AND "cancelled_at" IS NULL;

-- Those that are due are found by one step down this index.
CREATE INDEX "recovery_due_idx" ON "recovery"("takes_effect_at") WHERE "finished_at" IS NULL AND "cancelled_at" IS NULL;

-- Of all logins, the few that answer a recovery's code are found when it takes effect.
CREATE INDEX IF NOT EXISTS "login_session_recovers_idx" ON "login_session"("recovers") WHERE "recovers" IS NOT NULL;
