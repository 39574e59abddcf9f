-- AlterTable
ALTER TABLE "credential" ADD COLUMN     "added_by_session" UUID;

-- What Prisma's schema cannot say:

-- Of all logins, the few that add to a browser session, or approve for one, are found when it ends.
CREATE INDEX "login_session_adds_idx" ON "login_session"("adds_to_session") WHERE "adds_to_session" IS NOT NULL;
CREATE INDEX "login_session_approves_idx" ON "login_session"("approves_session") WHERE "approves_session" IS NOT NULL;
