import type { Metadata } from "next";
import { env } from "#lib/platform/env.ts";
import { now } from "#packages/login/process/state.ts";
import type { Action } from "#packages/login/protocol/challenge.ts";
import { unixSeconds } from "#packages/login/protocol/numbers.ts";
import type { Intent } from "#packages/login/protocol/qr-payload.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { CardPage, Notice } from "#packages/react/ui/elements.tsx";
import { ExternalLink, Wallet } from "#packages/react/ui/icons.tsx";
import { type AnyCode, readAnyCode } from "./read-any-code.ts";

export const metadata: Metadata = { title: "Open in a wallet", robots: { index: false } };

/** The phone's camera opens this page for an https QR code. The page never signs anyone in. */
export default async function OpenPage({ searchParams }: PageProps<"/open">) {
  const { APP_URL, DOMAIN, DEMO_WALLET } = env();
  const code = readAnyCode(await searchParams, APP_URL, unixSeconds(now()));
  return code.kind === "live" || code.kind === "fast" ? (
    <LiveCode domain={DOMAIN} demoWallet={DEMO_WALLET} code={code} />
  ) : (
    <DeadCode expired={code.kind === "expired"} register={"action" in code && code.action === "register"} />
  );
}

const REQUESTS: Record<Action | Intent, string> = {
  login: "Somebody wants to sign in to",
  register: "Somebody wants to create an account at",
  approve: "Somebody wants you to approve a change to your account at",
  add: "Somebody wants to link your key to an existing account at",
  recover: "Somebody wants to recover an existing account with your key at",
};

const CONSEQUENCES: Record<Action | Intent, string> = {
  login: "If you approve, the browser that is showing the code will be signed in.",
  register: "If you approve, the browser that is showing the code will be signed in.",
  approve: "If you approve, the browser that is showing the code can change how you sign in.",
  add: "If you approve, your key will be added to the account of the person who is signed in there.",
  recover:
    "If you approve, your key will be added to the account that is being recovered, and the browser that is showing the code will be signed in.",
};

/** A fast login's URL is copied, because the wallet signs it unchanged. Other URLs are links. */
function LiveCode({
  domain,
  demoWallet,
  code,
}: {
  domain: string;
  demoWallet: boolean;
  code: Extract<AnyCode, { kind: "live" | "fast" }>;
}) {
  const text = code.kind === "live" ? code.walletUri : code.url;
  // Few phones have a wallet app, so the trial wallet is the primary action.
  const other = demoWallet ? "secondary" : "primary";
  return (
    <CardPage>
      <div>
        <p className="text-muted-foreground text-sm">{REQUESTS[code.purpose]}</p>
        <h1 className="wrap-anywhere font-semibold text-title">{domain}</h1>
      </div>
      <p>
        You opened a login code with a camera.{" "}
        {code.kind === "live"
          ? "To answer the code, you need a wallet. The wallet shows you which site is asking, and signs only if you confirm."
          : "A wallet answers the code by signing this URL as a message, using a Bitcoin address that you choose. Signing a message does not move money."}
      </p>
      {demoWallet && (
        <ButtonLink variant="primary" href={`/wallet#${encodeURIComponent(text)}`}>
          <Wallet aria-hidden className="size-4 shrink-0" />
          Use a wallet in this browser
        </ButtonLink>
      )}
      {code.kind === "live" ? (
        <ButtonLink variant={other} href={text}>
          <ExternalLink aria-hidden className="size-4 shrink-0" />
          Open in a wallet app
        </ButtonLink>
      ) : (
        <CopyButton variant={other} text={text}>
          Copy the code for a wallet
        </CopyButton>
      )}
      <Notice tone="warning">
        Continue only if you opened {domain} yourself a moment ago. {CONSEQUENCES[code.purpose]}
        {code.kind === "live" &&
          " A code lasts 30 seconds. If you create a wallet first, scan the code on the screen again afterwards."}
      </Notice>
    </CardPage>
  );
}

function DeadCode({ expired, register }: { expired: boolean; register: boolean }) {
  return (
    <CardPage
      title={expired ? "This code has expired" : "This link is incomplete"}
      next={
        register ? { href: "/register", label: "Create an account" } : { href: "/login", label: "Sign in" }
      }
    >
      <p>
        {expired
          ? "Login codes expire quickly. The page where you scanned the code is showing a new one by now. Scan the new code."
          : "The link does not contain a login code from this site. Scan the code again, directly from the screen that shows it."}
      </p>
      <p className="text-muted-foreground">Or start on this device:</p>
    </CardPage>
  );
}
