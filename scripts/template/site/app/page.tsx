import { ButtonLink, Container } from "@/components/ui.tsx";

export default function Home() {
  return (
    <Container className="grid justify-items-start gap-4">
      <h1 className="font-semibold text-title">Your site</h1>
      <p className="text-muted-foreground">Visitors sign in with a wallet: no password, no e-mail.</p>
      <ButtonLink href="/login" variant="primary">
        Sign in
      </ButtonLink>
    </Container>
  );
}
