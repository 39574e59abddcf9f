import type { Metadata } from "next";
import { FirstSteps, Snippets } from "#components/console/console-overview.tsx";
import { ConsolePage } from "#components/console/console-page.tsx";
import { requireConsole } from "#lib/console/require-console.ts";
import { BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { listDomains } from "#lib/hosted/domains/manage-domains.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { listKeys } from "#lib/hosted/keys/manage-keys.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { env } from "#lib/platform/env.ts";

export const metadata: Metadata = { title: "Console" };

/** What is set up, what comes next, and the lines to do it with. */
export default async function ConsoleHome({ params }: PageProps<"/console/[mode]">) {
  const tenant = await requireConsole((await params).mode);
  const { mode } = tenant;
  const [keys, { domains }, { sessions }, { deliveries }] = await Promise.all([
    listKeys(tenant),
    listDomains(tenant, { limit: 1 }),
    listSessions(tenant, { limit: 1 }),
    listDeliveries(tenant, { limit: 1, status: "delivered" }),
  ]);
  const hasKey = keys.some(({ revokedAt }) => revokedAt === null);
  return (
    <ConsolePage
      mode={mode}
      section=""
      title="Console"
      lead={
        mode === "test"
          ? "Test mode: for building. localhost needs no proof, and nothing here is seen by live keys."
          : "Live mode: for real users, on domains that you have proved to be yours."
      }
    >
      <FirstSteps
        mode={mode}
        hasKey={hasKey}
        hasDomain={domains.length > 0}
        hasSession={sessions.length > 0}
        hasEvent={deliveries.length > 0}
      />
      <Snippets
        base={env().APP_URL.origin + BASE_PATHS[mode]}
        mode={mode}
        domain={domains[0] ?? null}
        sessionId={sessions[0]?.id ?? null}
      />
    </ConsolePage>
  );
}
