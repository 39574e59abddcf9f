CREATE TABLE "profile" (
    "user_id" INTEGER NOT NULL,
    "name" TEXT,
    "picture" BYTEA,
    "picture_at" TIMESTAMPTZ(3),

    CONSTRAINT "profile_pkey" PRIMARY KEY ("user_id")
);

ALTER TABLE "profile" ADD CONSTRAINT "profile_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "credential" ADD COLUMN     "device_info" JSONB;
