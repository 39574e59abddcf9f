import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { AttackCard } from "#components/cheat/attack-card.tsx";
import { env } from "#lib/platform/env.ts";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { RequiresJavaScript, TextLink } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = {
  title: "Now try to cheat",
  description: "Try three attacks on a real login in your browser. See who refuses them, and why.",
};

/** Returns 404 if DEMO_WALLET turns off the trial wallet, which the page needs. */
export default async function CheatPage() {
  await connection();
  const { APP_URL, DEMO_WALLET } = env();
  if (!DEMO_WALLET) notFound();
  return (
    <div data-wide className="mx-auto w-full max-w-7xl px-4 py-10 sm:px-6 sm:py-16">
      <h1 className="font-semibold text-display">Now try to cheat</h1>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-prose text-lg text-muted-foreground">
          Try three attacks on a real login of this site. Each attack sends real requests and uses a temporary
          wallet in this tab. See who refuses it, and why.
        </p>
        <CopyButton text={`${APP_URL.origin}/cheat`} size="small">
          Copy the link to this page
        </CopyButton>
      </div>
      <RequiresJavaScript
        title="Turn on JavaScript to attack the login"
        why="The attacks run in your browser."
      >
        <div className="mt-8 grid gap-6">
          <AttackCard id="steal" number={1} />
          <AttackCard id="domain" number={2} />
          <AttackCard id="replay" number={3} />
        </div>
      </RequiresJavaScript>
      <section aria-labelledby="remains" className="mt-12 max-w-prose border-t pt-8">
        <h2 id="remains" className="font-semibold text-title">
          What no site can prevent
        </h2>
        <p className="mt-2">
          Somebody can show you <em>their</em> code, and you might approve it. The signature is yours, so the
          site accepts it. That is why your wallet shows which browser is asking, and from which network,
          before you approve. It is also why you can undo the sign-in for ten minutes afterwards.
        </p>
        <p className="mt-4">
          <TextLink href="/docs/guides/threats">All attacks and defences</TextLink>
        </p>
      </section>
    </div>
  );
}
