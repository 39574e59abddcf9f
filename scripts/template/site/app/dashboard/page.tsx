import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Browsers, WaysIn } from "@/components/account-lists.tsx";
import { RecoveryState } from "@/components/recovery-state.tsx";
import { Container } from "@/components/ui.tsx";
import { login } from "@/lib/login.ts";
import { Notes } from "./notes.tsx";

export const metadata: Metadata = { title: "Dashboard" };

/** A guarded page: ask for the session where the page is made, and send everybody else to the login. */
export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  const [recovery, account] = await Promise.all([
    login.recovery.ofAccount(await headers()),
    login.account.of(await headers()),
  ]);
  if (!session || !recovery || !account) redirect("/login?callbackUrl=/dashboard");
  return (
    <Container className="grid gap-6">
      <h1 className="font-semibold text-title">Dashboard</h1>
      <p>You are signed in as user {session.userId}.</p>
      <Notes userId={session.userId} />
      <WaysIn waysIn={account.waysIn} />
      <Browsers browsers={account.browsers} />
      <RecoveryState {...recovery} />
    </Container>
  );
}
