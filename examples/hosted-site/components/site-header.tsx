import { ButtonLink, SignOutButton } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts.ts";

export async function SiteHeader() {
  const texts = textsOf(await headers());
  const session = await login.currentSession(await headers());
  return (
    <header className="site-header">
      <a href="/">
        <img src="/icon.svg" alt="" width="24" height="24" />
        {texts.name}
      </a>
      <nav aria-label={texts.menu}>
        {session ? (
          <>
            <ButtonLink href="/dashboard" variant="quiet" size="small">
              {texts.user(session.userId)}
            </ButtonLink>
            <SignOutButton userId={session.userId} />
          </>
        ) : (
          <ButtonLink href="/login" variant="primary" size="small">
            {texts.signIn}
          </ButtonLink>
        )}
      </nav>
    </header>
  );
}
