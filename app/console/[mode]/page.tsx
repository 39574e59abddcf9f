import type { Metadata } from "next";
import { ConsolePage, TestLoginLink } from "#components/console/console-page.tsx";
import { LoginChart } from "#components/console/login-chart.tsx";
import { CodeSample } from "#components/docs/code-sample.tsx";
import { listTenantDomains, requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { countLoginsPerHour } from "#lib/console/logins.ts";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import { API_KEY_VARIABLE, type ApiRequest, formatSnippet } from "#lib/hosted/contract/snippet.ts";
import { API_BASE_PATHS, type ApiMode } from "#lib/hosted/contract/tenant.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { listApiKeys } from "#lib/hosted/keys/manage-keys.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { env } from "#lib/platform/env.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Card, Section, TextLink } from "#packages/react/ui/elements.tsx";
import { CircleCheck } from "#packages/react/ui/icons.tsx";

export const metadata: Metadata = { title: "Console" };

export default async function ConsoleHome({ params }: PageProps<"/console/[mode]">) {
  const tenant = await requireConsoleTenant((await params).mode);
  const { mode } = tenant;
  const [keys, { domains, usable }, { sessions }, { deliveries }, hours] = await Promise.all([
    listApiKeys(tenant),
    listTenantDomains(tenant),
    listSessions(tenant, { limit: 1 }),
    listDeliveries(tenant, { limit: 1, status: "delivered" }),
    countLoginsPerHour(tenant),
  ]);
  return (
    <ConsolePage
      mode={mode}
      section=""
      title="Console"
      lead={
        mode === "test"
          ? "Test mode: safe to experiment. Nothing here reaches your live data, and localhost needs no verification."
          : `Live mode, for real users.${env().REQUIRE_VERIFIED_DOMAINS ? " It requires verified domains." : ""}`
      }
    >
      {mode === "test" && <TestLoginIntroduction isFirst={sessions.length === 0} />}
      {hours.some(({ logins }) => logins > 0) && <LoginChart hours={hours} mode={mode} />}
      <FirstSteps
        mode={mode}
        done={{
          key: keys.some(({ revokedAt }) => revokedAt === null),
          domain: domains.length > 0,
          session: sessions.length > 0,
          event: deliveries.length > 0,
        }}
      />
      <Snippets
        base={env().APP_URL.origin + API_BASE_PATHS[mode]}
        mode={mode}
        domain={usable}
        sessionId={sessions[0]?.id ?? null}
      />
    </ConsolePage>
  );
}

function TestLoginIntroduction({ isFirst }: { isFirst: boolean }) {
  return (
    <Card
      aria-labelledby="see"
      className="grid items-center gap-x-10 gap-y-5 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <div>
        <h2 id="see" className="font-semibold">
          See a login, from the code to the event
        </h2>
        <p className="mt-1 max-w-prose text-muted-foreground text-sm">
          The page shows a code, provides a wallet that can answer the code, and receives the event in your
          test inbox. You do not need a key, a domain or a server to try it.
        </p>
      </div>
      <TestLoginLink variant={isFirst ? "primary" : "secondary"} />
    </Card>
  );
}

function FirstSteps({
  mode,
  done,
}: {
  mode: ApiMode;
  done: { key: boolean; domain: boolean; session: boolean; event: boolean };
}) {
  const steps = [
    {
      title: done.key ? "API key created" : "Create an API key",
      text: "Your server sends the key with every request.",
      done: done.key,
      href: "/keys",
      label: done.key ? "See keys" : "Create a key",
    },
    {
      title: done.domain ? "Domain registered" : "Register a domain",
      text: `Wallets show this name. The domain’s events go to your server${mode === "test" ? ", or to your test inbox" : ""}.`,
      done: done.domain,
      href: "/domains",
      label: done.domain ? "See domains" : "Register a domain",
    },
    {
      title: done.session ? "Session created" : "Create a session",
      text: "Your server creates a session for each login. Show the session’s qr_data as a QR code.",
      done: done.session,
      href: "/sessions",
      label: "See sessions",
    },
    {
      title: done.event ? "Event received" : "Receive the event",
      text: "The event says who signed in. Your server checks its signature, then signs the user in.",
      done: done.event,
      href: "/events",
      label: "See events",
    },
  ];
  const next = steps.findIndex(({ done }) => !done);
  // A screen has only one primary action. In test mode, this is the test login until the first session exists.
  const primary = mode === "test" && !done.session ? -1 : next;
  return (
    <Section id="steps" title={next === -1 ? "You are set up" : "First steps"}>
      <ol className="-mb-4 divide-y border-t">
        {steps.map(({ title, text, done, href, label }, index) => (
          <li key={href} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
            <div className="flex min-w-0 flex-1 basis-60 gap-3">
              <span
                aria-hidden="true"
                className="flex size-7 shrink-0 items-center justify-center rounded-base border font-semibold text-sm tabular-nums"
              >
                {done ? <CircleCheck className="size-4 text-success" /> : index + 1}
              </span>
              <div>
                <p>{title}</p>
                <p className="text-muted-foreground text-sm">{text}</p>
              </div>
            </div>
            <ButtonLink
              size="small"
              variant={index === primary ? "primary" : "secondary"}
              href={`/console/${mode}${href}`}
              className="ml-10 sm:ml-0"
            >
              {label}
            </ButtonLink>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const WITHOUT_DOMAIN: Record<ApiMode, string> = {
  test: "To use localhost, register it first. ",
  live: "Replace login.example.com with your domain once you have verified it. ",
};

function Snippets({
  base,
  mode,
  domain,
  sessionId,
}: {
  /** The API's origin and base path. */
  base: string;
  mode: ApiMode;
  domain: DomainItem | null;
  sessionId: string | null;
}) {
  const name = domain?.domain ?? (mode === "test" ? "localhost" : "login.example.com");
  const requests: [string, ApiRequest | null][] = [
    ["Create a session", { method: "POST", url: "/sessions", body: { domain: name } }],
    ["Read a session", { method: "GET", url: `/sessions/${sessionId ?? "SESSION_ID"}` }],
    ["Send a test event", domain && { method: "POST", url: `/domains/${domain.id}/test-event` }],
  ];
  return (
    <Section
      id="snippets"
      title="In your terminal"
      text={
        <>
          {domain ? `With your domain ${domain.domain}. ` : WITHOUT_DOMAIN[mode]}
          <TextLink href="/docs/api">The complete API</TextLink>
        </>
      }
    >
      <div className="grid gap-4">
        <CodeSample language="sh" label="Set your key" code={`export ${API_KEY_VARIABLE}=svc_${mode}_…`} />
        {requests.map(
          ([label, request]) =>
            request && (
              <CodeSample
                key={label}
                language="sh"
                label={label}
                code={formatSnippet("curl", { ...request, url: base + request.url })}
              />
            ),
        )}
      </div>
    </Section>
  );
}
