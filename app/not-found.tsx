import type { Metadata } from "next";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <Container className="max-w-xl">
      <h1 className="font-semibold text-title">There is nothing here</h1>
      <p className="mt-2 mb-6 text-muted-foreground">
        The address may be mistyped, or the page has moved. From the start page you reach everything there is.
      </p>
      <ButtonLink variant="primary" href="/">
        Go to the start page
      </ButtonLink>
    </Container>
  );
}
