import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Browsers, SignInMethods } from "@/components/account-lists.tsx";
import { RecoveryState } from "@/components/recovery-state.tsx";
import { Container } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";
import { Notes } from "./notes.tsx";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).dashboard.title });

/** A guarded page reads the session itself, and redirects to the login if there is none. */
export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  const [recovery, account] = await Promise.all([
    login.recovery.ofAccount(await headers()),
    login.account.of(await headers()),
  ]);
  const words = wordsOf(await headers()).dashboard;
  if (!session || !recovery || !account) redirect("/login?callbackUrl=/dashboard");
  return (
    <Container className="grid gap-6">
      <h1 className="font-semibold text-title">{words.title}</h1>
      <p>{words.signedIn(session.userId)}</p>
      <Notes userId={session.userId} />
      <SignInMethods signInMethods={account.signInMethods} />
      <Browsers browsers={account.browsers} />
      <RecoveryState {...recovery} />
    </Container>
  );
}
