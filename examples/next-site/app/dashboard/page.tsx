import { Browsers, Container, RecoverySummary, SignInMethods } from "@svc/react";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";
import { Notes } from "./notes.tsx";

export const generateMetadata = async () => ({ title: textsOf(await headers()).dashboard.title });

/** A page for signed-in users. It reads the session itself, and redirects to the login if nobody is signed in. */
export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  const recovery = await login.recovery.ofAccount(await headers());
  const account = await login.account.of(await headers());
  const texts = textsOf(await headers()).dashboard;
  if (!session || !recovery || !account) redirect("/login?callbackUrl=/dashboard");
  return (
    <Container className="grid gap-6">
      <h1 className="font-semibold text-title">{texts.title}</h1>
      <p>{texts.signedIn(session.userId)}</p>
      <Notes userId={session.userId} />
      <SignInMethods account={account} />
      <Browsers account={account} />
      <RecoverySummary account={recovery} codesHref="/dashboard/recovery" />
    </Container>
  );
}
