import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "#app/current-person.ts";
import { loginCore } from "#lib/login.ts";
import { describeCodeHolder, toRecoveryCodesInfo } from "#packages/login/plugins/recovery/read-recovery.ts";
import { getRecoveryCodesState } from "#packages/login/plugins/recovery/recovery-codes.ts";
import { RecoveryCodes } from "#packages/react/recovery/recovery-codes.tsx";

export const metadata: Metadata = { title: "Recovery codes" };

export default async function RecoveryPage() {
  const session = await currentSession();
  if (!session) redirect("/login?callbackUrl=%2Fdashboard%2Frecovery");
  const codes = toRecoveryCodesInfo(await getRecoveryCodesState(loginCore(), session.userId));
  return <RecoveryCodes codes={codes} holder={describeCodeHolder(loginCore(), session.userId)} />;
}
