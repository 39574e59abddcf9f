-- A rotation within the 24 hours of another ended the secret before it, though it had been promised to sign along.
ALTER TABLE "domain" ADD COLUMN     "earlier_secrets" BYTEA[] DEFAULT ARRAY[]::BYTEA[],
ADD COLUMN     "earlier_secrets_until" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];
