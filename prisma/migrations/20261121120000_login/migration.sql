-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "credential_kind" AS ENUM ('public_key');

-- CreateEnum
CREATE TYPE "login_status" AS ENUM ('pending', 'unregistered', 'authenticated');

-- CreateEnum
CREATE TYPE "login_event_kind" AS ENUM ('issued', 'delivered', 'refused', 'unregistered', 'session_created', 'session_ended');

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
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credential_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_session" (
    "sid" TEXT NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "status" "login_status" NOT NULL DEFAULT 'pending',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "challenged_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3),
    "redeemed_at" TIMESTAMPTZ(3),
    "user_id" INTEGER,
    "credential" TEXT,
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

-- AddForeignKey
ALTER TABLE "credential" ADD CONSTRAINT "credential_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_session" ADD CONSTRAINT "login_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "challenge" ADD CONSTRAINT "challenge_sid_fkey" FOREIGN KEY ("sid") REFERENCES "login_session"("sid") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "browser_session" ADD CONSTRAINT "browser_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Counters are worth nothing after a crash: not in the write-ahead log.
ALTER TABLE "rate_limit" SET UNLOGGED;
