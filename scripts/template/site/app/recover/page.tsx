import { headers } from "next/headers";
import { RecoveryScreen } from "@/components/recovery/recovery-screen.tsx";
import { wordsOf } from "@/components/words/languages.ts";
import { login } from "@/lib/login.ts";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).recovery.title });

/** The way back for users who have lost their wallet and kept a recovery code. */
export default async function RecoverPage({ searchParams }: PageProps<"/recover">) {
  const recovery = await login.recovery.ofBrowser(await headers(), (await searchParams).sid);
  return <RecoveryScreen recovery={recovery} domain={await login.domain()} />;
}
