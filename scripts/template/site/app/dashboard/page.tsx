import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { SignOutButton } from "@/components/account/sign-out-button.tsx";
import { RecoveryState } from "@/components/recovery-state.tsx";
import { Container } from "@/components/ui.tsx";
import { login } from "@/lib/login.ts";

export const metadata: Metadata = { title: "Dashboard" };

/** A guarded page: ask for the session where the page is made, and send everybody else to the login. */
export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  const account = await login.recovery.ofAccount(await headers());
  if (!session || !account) redirect("/login?callbackUrl=/dashboard");
  return (
    <Container className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-semibold text-title">Dashboard</h1>
        <SignOutButton />
      </div>
      <p>You are signed in as user {session.userId}.</p>
      <RecoveryState {...account} />
    </Container>
  );
}
