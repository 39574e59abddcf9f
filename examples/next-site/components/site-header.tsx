import { ButtonLink, SignOutButton } from "@svc/react";
import { headers } from "next/headers";
import { login } from "@/lib/login.ts";
import { textsOf } from "@/texts/languages.ts";

export async function SiteHeader() {
  const { site } = textsOf(await headers());
  const session = await login.currentSession(await headers());
  return (
    <header className="border-b bg-card">
      <div className="mx-auto flex min-h-16 max-w-5xl flex-wrap items-center justify-between gap-x-4 px-4 sm:px-6">
        <a href="/" className="flex min-h-11 items-center gap-2 font-semibold">
          <img src="/icon.svg" alt="" className="size-6" />
          {site.name}
        </a>
        <nav aria-label={site.menu} className="flex items-center gap-2">
          <ButtonLink href={session ? "/dashboard" : "/login"} variant="quiet" size="small">
            {session ? site.user(session.userId) : site.signIn}
          </ButtonLink>
          {session ? (
            <SignOutButton userId={session.userId} />
          ) : (
            <ButtonLink href="/register" variant="primary" size="small">
              {site.getStarted}
            </ButtonLink>
          )}
        </nav>
      </div>
    </header>
  );
}
