import { ButtonLink, Card, Container } from "@svc/react";
import { headers } from "next/headers";
import { textsOf } from "@/texts/languages.ts";

/** The first page. Describe your site in the `texts` folder. */
export default async function Home() {
  const { home } = textsOf(await headers());
  return (
    <Container className="grid gap-16 py-16 sm:py-24">
      <div className="mx-auto grid max-w-3xl justify-items-center gap-6 text-center">
        <h1 className="text-balance font-semibold text-display">{home.title}</h1>
        <p className="max-w-xl text-lg text-muted-foreground">{home.lead}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink href="/register" variant="primary">
            {home.create}
          </ButtonLink>
          <ButtonLink href="/login">{home.signIn}</ButtonLink>
        </div>
      </div>
      <div className="grid gap-4 md:grid-cols-3">
        {home.reasons.map(({ title, text }) => (
          <Card key={title}>
            <h2 className="font-semibold">{title}</h2>
            <p className="mt-1 text-muted-foreground text-sm">{text}</p>
          </Card>
        ))}
      </div>
    </Container>
  );
}
