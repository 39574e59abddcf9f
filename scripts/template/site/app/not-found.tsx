import { ButtonLink, Container } from "@/components/ui.tsx";

export const metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <Container className="grid justify-items-center gap-4 py-24! text-center">
      <p className="font-semibold text-display text-primary">404</p>
      <h1 className="font-semibold text-title">Page not found</h1>
      <p className="text-muted-foreground">The address may be mistyped, or the page has moved.</p>
      <ButtonLink href="/" variant="primary">
        Go to the home page
      </ButtonLink>
    </Container>
  );
}
