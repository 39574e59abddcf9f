-- It touches tables that every login writes: rather fail and be tried again than stop them.
SET LOCAL lock_timeout = '3s';

-- AlterTable
ALTER TABLE "hosted_login" ADD COLUMN     "undone_at" TIMESTAMPTZ(3);

-- What Prisma's schema cannot say: a key's answered sessions are found, to tell whether a browser is new to it.
CREATE INDEX IF NOT EXISTS "login_session_hosted_credential_idx" ON "login_session"("credential")
  WHERE "flow" = 'hosted' AND "credential" IS NOT NULL;
