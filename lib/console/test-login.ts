import type { Tenant } from "#lib/hosted/contract/tenant.ts";
import { findDomainByName, registerDomain } from "#lib/hosted/domains/register-domain.ts";
import { testInboxUrl } from "#lib/hosted/events/assert-webhook-url.ts";
import { createSession } from "#lib/hosted/sessions/create-session.ts";
import { ApiError } from "#lib/login/http/api-error.ts";
import { requireClient } from "#lib/login/http/client-address.ts";
import type { SentHeaders } from "#lib/login/server/sent-headers.ts";
import { userAgentOf } from "#lib/login/server/sent-headers.ts";
import type { RunChange } from "#lib/platform/database/db.ts";

/** Registered for whoever has no domain yet: it is every machine's name, and needs no verification in test mode. */
const FIRST_DOMAIN = "localhost";

/**
 * Creates a session as a customer's server would, for the signed-in user to answer: for the domain named, or for
 * `localhost`, which is registered with the test inbox where it is new.
 * @throws {ApiError} 404 in live mode, where every login is a user's; what registering and creating throw
 */
export async function startTestLogin(
  tenant: Tenant,
  { domain = FIRST_DOMAIN }: { domain?: string | undefined },
  { headers, requestId, change }: { headers: SentHeaders; requestId: string; change: RunChange },
) {
  if (tenant.mode !== "test") {
    throw new ApiError("not_found", "Test logins are for test mode. Switch the console to Test.");
  }
  if (domain === FIRST_DOMAIN && !(await findDomainByName(tenant, domain))) {
    await registerDomain(tenant, domain, testInboxUrl(), change).catch((error: unknown) => {
      // Another request has just registered it.
      if (!(error instanceof ApiError && error.code === "domain_already_registered")) throw error;
    });
  }
  const client = {
    user_agent: userAgentOf(headers) ?? undefined,
    address: requireClient({ headers }).replace(/\/64$/, ""),
  };
  return createSession(tenant, { domain, mode: "login", client }, { requestId });
}
