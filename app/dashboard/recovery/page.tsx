import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RecoveryCodes } from "#components/recovery/recovery-codes.tsx";
import { Container } from "#components/site/container.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { currentSession } from "#lib/platform/current-session.ts";
import { env } from "#lib/platform/env.ts";
import { loginCore } from "#lib/platform/login.ts";
import { codesItem } from "#lib/recovery/account-recovery.ts";
import { codesState } from "#lib/recovery/recovery-codes.ts";

export const metadata: Metadata = { title: "Recovery codes" };

/** Restricted: makes the user's recovery codes, shows them once, and tries them. */
export default async function RecoveryPage() {
  const session = await currentSession();
  if (!session) redirect("/login?callbackUrl=%2Fdashboard%2Frecovery");
  const codes = codesItem(await codesState(loginCore(), session.userId));
  return (
    <Container className="grid max-w-xl gap-6 print:max-w-none print:py-6">
      <div className="print:hidden">
        <h1 className="font-semibold text-title">Recovery codes</h1>
        <p className="mt-2 text-muted-foreground">
          They bring your account back when your wallet is lost. They sign nobody in: they let you choose a
          new wallet.
        </p>
      </div>
      <RecoveryCodes
        codes={codes}
        holder={{ domain: env().DOMAIN, origin: env().APP_URL.origin, userId: session.userId }}
      />
      <p className="text-sm print:hidden">
        <TextLink href="/dashboard">Back to the dashboard</TextLink>
      </p>
    </Container>
  );
}
