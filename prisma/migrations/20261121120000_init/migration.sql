-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('public_key', 'address');

-- CreateEnum
CREATE TYPE "flow" AS ENUM ('integrator', 'hosted', 'fast');

-- CreateEnum
CREATE TYPE "login_status" AS ENUM ('pending', 'unregistered', 'authenticated');

-- CreateEnum
CREATE TYPE "login_event_kind" AS ENUM ('issued', 'delivered', 'refused', 'unregistered', 'session_created', 'session_ended', 'credential_added', 'credential_removed');

-- CreateEnum
CREATE TYPE "api_mode" AS ENUM ('live', 'test');

-- CreateEnum
CREATE TYPE "event_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "user_account" (
    "id" SERIAL NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credential" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" "credential_kind" NOT NULL,
    "value" TEXT NOT NULL,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_session" (
    "sid" TEXT NOT NULL,
    "flow" "flow" NOT NULL,
    "browser_hash" BYTEA,
    "status" "login_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "challenged_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "user_id" INTEGER,
    "credential" TEXT,
    "adds_to_session" UUID,
    "signed_at" BIGINT,
    "device_info" JSONB,

    CONSTRAINT "login_session_pkey" PRIMARY KEY ("sid")
);

-- CreateTable
CREATE TABLE "challenge" (
    "text" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "spent_at" TIMESTAMPTZ(3),

    CONSTRAINT "challenge_pkey" PRIMARY KEY ("text")
);

-- CreateTable
CREATE TABLE "browser_session" (
    "id" UUID NOT NULL,
    "user_id" INTEGER NOT NULL,
    "credential" TEXT NOT NULL,
    "device_info" JSONB,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "browser_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_event" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "kind" "login_event_kind" NOT NULL,
    "sid" TEXT,
    "user_id" INTEGER,
    "reason" TEXT,
    "credential" TEXT,
    "device_info" JSONB,
    "user_agent" TEXT,

    CONSTRAINT "login_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "owner" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "mode" "api_mode" NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "domain" (
    "id" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "mode" "api_mode" NOT NULL,
    "domain" TEXT NOT NULL,
    "webhook_url" TEXT NOT NULL,
    "verification_token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "last_check" JSONB,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hosted_session" (
    "sid" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "mode" "api_mode" NOT NULL,
    "domain_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "webhook_url" TEXT,
    "return_url" TEXT,
    "custom_data" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hosted_session_pkey" PRIMARY KEY ("sid")
);

-- CreateTable
CREATE TABLE "idempotent_answer" (
    "owner_id" UUID NOT NULL,
    "mode" "api_mode" NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_answer_pkey" PRIMARY KEY ("owner_id","mode","key")
);

-- CreateTable
CREATE TABLE "webhook_event" (
    "id" TEXT NOT NULL,
    "domain_id" TEXT NOT NULL,
    "sid" TEXT,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" "event_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "id" BIGSERIAL NOT NULL,
    "event_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "latency_ms" INTEGER NOT NULL,
    "answer" TEXT,

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "demo_login" (
    "session_id" TEXT NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "event_id" TEXT,
    "public_key" TEXT,
    "authenticated_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),

    CONSTRAINT "demo_login_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "credential_value_key" ON "credential"("value");

-- CreateIndex
CREATE INDEX "credential_user_id_idx" ON "credential"("user_id");

-- CreateIndex
CREATE INDEX "login_session_browser_hash_challenged_at_idx" ON "login_session"("browser_hash", "challenged_at");

-- CreateIndex
CREATE INDEX "login_session_challenged_at_idx" ON "login_session"("challenged_at");

-- CreateIndex
CREATE INDEX "login_session_user_id_idx" ON "login_session"("user_id");

-- CreateIndex
CREATE INDEX "challenge_sid_idx" ON "challenge"("sid");

-- CreateIndex
CREATE INDEX "challenge_issued_at_idx" ON "challenge"("issued_at");

-- CreateIndex
CREATE INDEX "browser_session_user_id_created_at_idx" ON "browser_session"("user_id", "created_at");

-- CreateIndex
CREATE INDEX "browser_session_expires_at_idx" ON "browser_session"("expires_at");

-- CreateIndex
CREATE INDEX "login_event_user_id_at_idx" ON "login_event"("user_id", "at");

-- CreateIndex
CREATE INDEX "login_event_sid_idx" ON "login_event"("sid");

-- CreateIndex
CREATE INDEX "login_event_at_idx" ON "login_event"("at");

-- CreateIndex
CREATE UNIQUE INDEX "owner_name_key" ON "owner"("name");

-- CreateIndex
CREATE UNIQUE INDEX "owner_user_id_key" ON "owner"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_owner_id_created_at_idx" ON "api_key"("owner_id", "created_at");

-- CreateIndex
CREATE INDEX "domain_owner_id_mode_created_at_idx" ON "domain"("owner_id", "mode", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "domain_owner_id_mode_domain_key" ON "domain"("owner_id", "mode", "domain");

-- CreateIndex
CREATE INDEX "hosted_session_owner_id_mode_created_at_idx" ON "hosted_session"("owner_id", "mode", "created_at");

-- CreateIndex
CREATE INDEX "hosted_session_domain_id_idx" ON "hosted_session"("domain_id");

-- CreateIndex
CREATE INDEX "idempotent_answer_created_at_idx" ON "idempotent_answer"("created_at");

-- CreateIndex
CREATE INDEX "webhook_event_domain_id_created_at_idx" ON "webhook_event"("domain_id", "created_at");

-- CreateIndex
CREATE INDEX "webhook_event_sid_idx" ON "webhook_event"("sid");

-- CreateIndex
CREATE INDEX "webhook_event_created_at_idx" ON "webhook_event"("created_at");

-- CreateIndex
CREATE INDEX "webhook_attempt_event_id_at_idx" ON "webhook_attempt"("event_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "demo_login_event_id_key" ON "demo_login"("event_id");

-- CreateIndex
CREATE INDEX "demo_login_created_at_idx" ON "demo_login"("created_at");

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_session" ADD CONSTRAINT "login_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "challenge" ADD CONSTRAINT "challenge_sid_fkey" FOREIGN KEY ("sid") REFERENCES "login_session"("sid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "browser_session" ADD CONSTRAINT "browser_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "owner" ADD CONSTRAINT "owner_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain" ADD CONSTRAINT "domain_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hosted_session" ADD CONSTRAINT "hosted_session_sid_fkey" FOREIGN KEY ("sid") REFERENCES "login_session"("sid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hosted_session" ADD CONSTRAINT "hosted_session_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hosted_session" ADD CONSTRAINT "hosted_session_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "domain"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotent_answer" ADD CONSTRAINT "idempotent_answer_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owner"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_domain_id_fkey" FOREIGN KEY ("domain_id") REFERENCES "domain"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say:

-- Counters are worth nothing after a crash: not in the write-ahead log.
ALTER TABLE "rate_limit" SET UNLOGGED;

-- Of all owners who claim a live domain, the first to prove it holds it (contract 5).
CREATE UNIQUE INDEX "domain_verified_live_key" ON "domain"("domain") WHERE "mode" = 'live' AND "verified_at" IS NOT NULL;

-- Of all events, the sweep for due ones sees the few that are pending.
CREATE INDEX "webhook_event_due_idx" ON "webhook_event"("next_attempt_at") WHERE "status" = 'pending';
