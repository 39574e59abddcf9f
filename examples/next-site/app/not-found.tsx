import { ButtonLink, Container } from "@svc/react";
import { headers } from "next/headers";
import { textsOf } from "@/texts/languages.ts";

export const generateMetadata = async () => ({ title: textsOf(await headers()).notFound.title });

export default async function NotFound() {
  const texts = textsOf(await headers()).notFound;
  return (
    <Container className="grid justify-items-center gap-4 py-24 text-center">
      <p className="font-semibold text-display text-primary">404</p>
      <h1 className="font-semibold text-title">{texts.title}</h1>
      <p className="text-muted-foreground">{texts.text}</p>
      <ButtonLink href="/" variant="primary">
        {texts.home}
      </ButtonLink>
    </Container>
  );
}
