import { Fingerprint, KeyRound, QrCode } from "lucide-react";
import { ButtonLink, Container } from "@/components/ui.tsx";

const REASONS = [
  {
    Icon: QrCode,
    title: "Scan to sign in",
    text: "No form to fill in: a code, a look at your phone, and you are in.",
  },
  { Icon: Fingerprint, title: "Nothing to remember", text: "Your wallet confirms with your finger or face." },
  {
    Icon: KeyRound,
    title: "Nothing to steal",
    text: "We keep a public key. The private one never leaves your device.",
  },
];

/** The first page: say here what your site is for. */
export default function Home() {
  return (
    <Container className="grid gap-16 py-16! sm:py-24!">
      <div className="mx-auto grid max-w-3xl justify-items-center gap-6 text-center">
        <h1 className="font-semibold text-display">The start of something good</h1>
        <p className="max-w-xl text-lg text-muted-foreground">
          Say in a sentence what people do here. They sign in with a wallet: no password, no e-mail.
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink href="/register" variant="primary">
            Create an account
          </ButtonLink>
          <ButtonLink href="/login">Sign in</ButtonLink>
        </div>
      </div>
      <ul className="grid gap-4 md:grid-cols-3">
        {REASONS.map(({ Icon, title, text }) => (
          <li key={title} className="rounded-base border bg-card p-6">
            <Icon aria-hidden className="size-6 text-primary" />
            <h2 className="mt-4 font-semibold">{title}</h2>
            <p className="mt-1 text-muted-foreground text-sm">{text}</p>
          </li>
        ))}
      </ul>
    </Container>
  );
}
