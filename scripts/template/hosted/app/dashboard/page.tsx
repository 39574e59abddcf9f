import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { Container } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  if (!session) redirect("/login?callbackUrl=/dashboard");
  const words = wordsOf(await headers()).dashboard;
  return (
    <Container className="grid gap-4">
      <h1 className="font-semibold text-title">{words.title}</h1>
      <p>{words.signedIn(session.userId)}</p>
    </Container>
  );
}
