import { headers } from "next/headers";
import { createElement } from "react";
import { ButtonLink, Container, Fingerprint, KeyRound, QrCode } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";

const ICONS = [QrCode, Fingerprint, KeyRound];

/** The first page: say in `components/words` what your site is for. */
export default async function Home() {
  const { home } = wordsOf(await headers());
  return (
    <Container className="grid gap-16 py-16! sm:py-24!">
      <div className="mx-auto grid max-w-3xl justify-items-center gap-6 text-center">
        <h1 className="font-semibold text-display">{home.title}</h1>
        <p className="max-w-xl text-lg text-muted-foreground">{home.lead}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink href="/register" variant="primary">
            {home.create}
          </ButtonLink>
          <ButtonLink href="/login">{home.signIn}</ButtonLink>
        </div>
      </div>
      <ul className="grid gap-4 md:grid-cols-3">
        {home.reasons.map(({ title, text }, index) => (
          <li key={title} className="rounded-base border bg-card p-6">
            {createElement(ICONS[index] ?? KeyRound, {
              "aria-hidden": true,
              className: "size-6 text-primary",
            })}
            <h2 className="mt-4 font-semibold">{title}</h2>
            <p className="mt-1 text-muted-foreground text-sm">{text}</p>
          </li>
        ))}
      </ul>
    </Container>
  );
}
