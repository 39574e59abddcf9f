import type { Metadata } from "next";
import { KeyPicture } from "#components/site/key-picture.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Container } from "#packages/react/ui/elements.tsx";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFoundPage() {
  return (
    <Container className="grid max-w-xl justify-items-center text-center">
      <KeyPicture className="w-full max-w-md" />
      <h1 className="mt-6 font-semibold text-title">Page not found</h1>
      <p className="mt-2 mb-6 text-muted-foreground">
        There is no page at this URL. The URL may be mistyped, or the page has moved.
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <ButtonLink variant="primary" href="/">
          Go to the home page
        </ButtonLink>
        <ButtonLink href="/docs">Read the docs</ButtonLink>
      </div>
    </Container>
  );
}
