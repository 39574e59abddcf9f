import { RecoveryCodes } from "@svc/react";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { login } from "@/lib/login.ts";

export default async function RecoveryPage() {
  const account = await login.recovery.ofAccount(await headers());
  if (!account) redirect("/login?callbackUrl=/dashboard/recovery");
  return <RecoveryCodes codes={account.codes} holder={account.holder} />;
}
