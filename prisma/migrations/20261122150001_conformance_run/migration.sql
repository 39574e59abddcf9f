-- CreateTable
CREATE TABLE "conformance_run" (
    "id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "codes" JSONB NOT NULL DEFAULT '[]',
    "arrivals" JSONB NOT NULL DEFAULT '[]',
    "words" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "conformance_run_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "conformance_run_secret_hash_key" ON "conformance_run"("secret_hash");

-- CreateIndex
CREATE INDEX "conformance_run_expires_at_idx" ON "conformance_run"("expires_at");
