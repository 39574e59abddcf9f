-- AlterEnum
ALTER TYPE "login_event_kind" ADD VALUE 'approved';
ALTER TYPE "login_event_kind" ADD VALUE 'api_key_created';
ALTER TYPE "login_event_kind" ADD VALUE 'api_key_revoked';
ALTER TYPE "login_event_kind" ADD VALUE 'webhook_secret_rotated';
ALTER TYPE "login_event_kind" ADD VALUE 'webhook_url_changed';
ALTER TYPE "login_event_kind" ADD VALUE 'domain_deleted';
ALTER TYPE "login_event_kind" ADD VALUE 'signed_out_everywhere';

-- AlterTable
ALTER TABLE "login_session" ADD COLUMN     "approves_session" UUID;

-- AlterTable
-- Null until something is approved: the sign-in counts as an approval, so that whoever is signed in while this runs
-- has one of the time of their sign-in.
ALTER TABLE "browser_session" ADD COLUMN     "approved_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "login_event" ADD COLUMN     "by_session" UUID,
ADD COLUMN     "dismissed_in" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "subject" TEXT;
