"use client";

import { Container } from "#components/site/container.tsx";
import { Button } from "#components/ui/button.tsx";

/** A page failed on the server or in the browser. What failed is in the log, not here. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  return (
    <Container className="max-w-xl">
      <div role="alert">
        <h1 className="font-semibold text-title">Something went wrong on our side</h1>
        <p className="mt-2 mb-6 text-muted-foreground">
          Your account is not affected. Try again in a moment; if it stays like this, tell whoever runs this
          site.
        </p>
      </div>
      <Button variant="primary" onClick={retry}>
        Try again
      </Button>
    </Container>
  );
}
