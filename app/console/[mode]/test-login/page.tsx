import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { ConsolePage } from "#components/console/console-page.tsx";
import { TestLogin } from "#components/console/test-login.tsx";
import { requireConsoleTenant } from "#lib/console/console-tenant.ts";

export const metadata: Metadata = { title: "Test login" };

export default async function TestLoginPage({
  params,
  searchParams,
}: PageProps<"/console/[mode]/test-login">) {
  const { domain } = await searchParams;
  const requestedDomain = typeof domain === "string" ? domain : null;
  const query = requestedDomain === null ? "" : `?${new URLSearchParams({ domain: requestedDomain })}`;
  const { mode } = await requireConsoleTenant((await params).mode, `/test-login${query}`);
  if (mode !== "test") redirect(`/console/test/test-login${query}`);
  // Links on other sites must not start a test login, which can register a domain.
  const starts = (await headers()).get("sec-fetch-site") === "same-origin";
  return (
    <ConsolePage
      mode={mode}
      section="/test-login"
      title="Test login"
      lead="This is a real API session, from the code to the event. Approve it in the wallet next to the code."
    >
      <TestLogin domain={requestedDomain} starts={starts} />
    </ConsolePage>
  );
}
