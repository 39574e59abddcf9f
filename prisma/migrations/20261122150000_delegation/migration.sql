-- CreateEnum
CREATE TYPE "delegation_status" AS ENUM ('ok', 'missing', 'invalid', 'unchecked');

-- AlterTable
ALTER TABLE "domain" ADD COLUMN     "delegation_checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "delegation_reason" TEXT,
ADD COLUMN     "delegation_status" "delegation_status" NOT NULL DEFAULT 'unchecked';

-- CreateIndex
CREATE INDEX "domain_delegation_checked_at_idx" ON "domain"("delegation_checked_at");
