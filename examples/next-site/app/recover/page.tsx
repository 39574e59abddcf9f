import { RecoverAccount } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";

/** Lets users who have lost their wallet recover their account with a recovery code. */
export default async function RecoverPage({ searchParams }: PageProps<"/recover">) {
  const recovery = await login.recovery.ofBrowser(await headers(), (await searchParams).sid);
  return <RecoverAccount recovery={recovery} domain={await login.domain()} />;
}
