import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { RecoveryCodesScreen } from "@/components/recovery/recovery-codes.tsx";
import { login } from "@/lib/login.ts";

export const metadata: Metadata = { title: "Recovery codes" };

export default async function RecoveryPage() {
  const account = await login.recovery.ofAccount(await headers());
  if (!account) redirect("/login?callbackUrl=/dashboard/recovery");
  return <RecoveryCodesScreen codes={account.codes} holder={account.holder} />;
}
