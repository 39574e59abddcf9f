import { RecoverAccount } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";

/** Recovery for users who have lost their wallet and have a recovery code. */
export default async function RecoverPage({ searchParams }: PageProps<"/recover">) {
  const recovery = await login.recovery.ofBrowser(await headers(), (await searchParams).sid);
  return <RecoverAccount recovery={recovery} domain={await login.domain()} />;
}
