import { CardPage } from "@svc/react";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts.ts";

export default async function DashboardPage() {
  const session = await login.currentSession(await headers());
  if (!session) redirect("/login?callbackUrl=/dashboard");
  const texts = textsOf(await headers());
  return (
    <CardPage title={texts.dashboard}>
      <p>{texts.signedIn(session.userId)}</p>
    </CardPage>
  );
}
