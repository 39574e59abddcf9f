import { ArrowRight, Fingerprint, type LucideIcon, MonitorCheck, QrCode } from "lucide-react";
import { Container } from "#components/site/container.tsx";
import { ChallengeAnatomy } from "#components/site/what-is-signed.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { env } from "#lib/platform/env.ts";

const STEPS: { Icon: LucideIcon; title: string; text: string }[] = [
  {
    Icon: QrCode,
    title: "The site shows a code",
    text: "It holds a one-time challenge that lasts 30 seconds, for this browser alone.",
  },
  {
    Icon: Fingerprint,
    title: "Your wallet asks you",
    text: "It names the domain, and signs with a key made for that domain when you confirm.",
  },
  {
    Icon: MonitorCheck,
    title: "The browser goes on",
    text: "The server checks the signature against your public key, and you are signed in.",
  },
];

/** What this is, in one screen, and the way in. */
export default function HomePage() {
  const { DOMAIN, DEMO_WALLET, HOSTED_DEMO } = env();
  return (
    <Container className="grid gap-10">
      <div className="grid items-center gap-x-16 gap-y-10 lg:grid-cols-2">
        <div>
          <h1 className="font-semibold text-title">Sign in with a key, not a password</h1>
          <p className="mt-4 max-w-prose text-muted-foreground">
            Scan a code, check who asks, confirm with your fingerprint or face. Your wallet answers with a
            signature; the private key stays on your device. There is no password to forget, to phish or to
            leak.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <ButtonLink variant="primary" href="/login">
              Sign in
            </ButtonLink>
            <ButtonLink href="/register">Create an account</ButtonLink>
          </div>
        </div>
        <ChallengeAnatomy
          challenge={{ action: "login", domain: DOMAIN, issuedAt: "1767225600", nonce: "q7Zt…x4Lw" }}
        />
      </div>
      <section aria-labelledby="steps" className="border-t pt-6">
        <h2 id="steps" className="mb-4 font-semibold">
          What happens when you sign in
        </h2>
        <ol className="grid gap-x-8 gap-y-6 md:grid-cols-3">
          {STEPS.map(({ Icon, title, text }, index) => (
            <li key={title} className="flex gap-4">
              <Icon aria-hidden strokeWidth={1.5} className="size-7 shrink-0 text-primary" />
              <div>
                <h3 className="font-semibold">
                  {index + 1}. {title}
                </h3>
                <p className="mt-1 text-muted-foreground text-sm">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="flows" className="border-t pt-6">
        <h2 id="flows" className="mb-4 font-semibold">
          See it work
        </h2>
        <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(17rem,100%),1fr))] gap-4">
          <FlowCard href="/login" title="Sign in by QR code">
            The site issues its own codes and checks the answers itself. Works with any wallet that speaks the
            protocol.
          </FlowCard>
          <FlowCard href="/fast" title="Sign in with an address">
            A Bitcoin wallet signs the code’s own address as a message: its address is the account.
          </FlowCard>
          {HOSTED_DEMO && (
            <FlowCard href="/login/hosted" title="A customer’s login page">
              On the hosted API, with an API key and a webhook: the API issues codes, checks answers, and
              sends an event.
            </FlowCard>
          )}
          <FlowCard href="/console" title="The console">
            For developers on the hosted API: keys, domains, events with every attempt, and each login’s
            timeline.
          </FlowCard>
          {DEMO_WALLET && (
            <FlowCard href="/wallet" title="A wallet in this browser">
              Stands in for the app on your phone: it keeps a seed, shows who asks, and signs.
            </FlowCard>
          )}
        </ul>
      </section>
    </Container>
  );
}

/** One thing to try, as a list item; the whole card is the link. */
function FlowCard({ href, title, children }: { href: string; title: string; children: React.ReactNode }) {
  return (
    <li className="relative rounded-base border bg-card p-4 hover:bg-muted">
      <h3 className="flex items-center justify-between gap-3 font-semibold">
        <a href={href} className="after:absolute after:inset-0 after:rounded-base">
          {title}
        </a>
        <ArrowRight aria-hidden className="size-4 shrink-0 text-primary" />
      </h3>
      <p className="mt-1 text-muted-foreground text-sm">{children}</p>
    </li>
  );
}
