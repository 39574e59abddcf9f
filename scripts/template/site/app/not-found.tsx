import { headers } from "next/headers";
import { ButtonLink, Container } from "@/components/ui.tsx";
import { wordsOf } from "@/components/words/languages.ts";

export const generateMetadata = async () => ({ title: wordsOf(await headers()).notFound.title });

export default async function NotFound() {
  const words = wordsOf(await headers()).notFound;
  return (
    <Container className="grid justify-items-center gap-4 py-24! text-center">
      <p className="font-semibold text-display text-primary">404</p>
      <h1 className="font-semibold text-title">{words.title}</h1>
      <p className="text-muted-foreground">{words.text}</p>
      <ButtonLink href="/" variant="primary">
        {words.home}
      </ButtonLink>
    </Container>
  );
}
