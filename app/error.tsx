"use client";

import { Button } from "#packages/react/ui/button.tsx";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Container } from "#packages/react/ui/elements.tsx";
import { Unplug } from "#packages/react/ui/icons.tsx";

/** Only the log contains the cause. */
export default function ErrorPage({ retry }: { retry: () => void }) {
  return (
    <Container className="grid max-w-xl justify-items-center text-center">
      <span className="flex size-28 items-center justify-center rounded-full bg-warning-surface text-warning">
        <Unplug aria-hidden strokeWidth={1.25} className="size-14" />
      </span>
      <div role="alert">
        <h1 className="mt-6 font-semibold text-title">Something went wrong on our side</h1>
        <p className="mt-2 mb-6 text-muted-foreground">
          Your account is not affected. Try again in a moment. If this happens again, contact the people who
          run this site.
        </p>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        <Button variant="primary" onClick={retry}>
          Try again
        </Button>
        <ButtonLink href="/">Go to the home page</ButtonLink>
      </div>
    </Container>
  );
}
