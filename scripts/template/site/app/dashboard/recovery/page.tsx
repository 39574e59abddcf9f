import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { RecoveryCodesScreen } from "@/components/recovery/recovery-codes.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).codes.title });

export default async function RecoveryPage() {
  const account = await login.recovery.ofAccount(await headers());
  if (!account) redirect("/login?callbackUrl=/dashboard/recovery");
  return <RecoveryCodesScreen codes={account.codes} holder={account.holder} />;
}
