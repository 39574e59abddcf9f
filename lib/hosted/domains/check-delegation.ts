import "server-only";
import { plusSeconds } from "#lib/login/protocol/time.ts";
import { now } from "#lib/platform/clock.ts";
import { env } from "#lib/platform/env.ts";
import { log } from "#lib/platform/log.ts";
import { outboundPolicy } from "#lib/platform/net/outbound-policy.ts";
import type { ApiMode } from "../contract/tenant.ts";
import { DELEGATION_CHECK_SECONDS } from "../numbers.ts";
import { findStaleDelegations, saveDelegation } from "../store/domain.ts";
import { lookForDelegation } from "./look-for-delegation.ts";

/** Domains of one run. A run a minute looks at every domain once a day while there are fewer than 144,000. */
const RUN_LIMIT = 100;
/** A run of domains that all hang is over after 15 s. */
const AT_ONCE = 20;

/** A domain whose delegation is looked at. */
type Checked = { id: string; domain: string; mode: ApiMode };

/**
 * Looks at what wallets find of a domain's delegation, and keeps it (docs/protocol.md#9-delegation).
 * @param signal ends it early; nothing is kept then
 */
export async function checkDelegation({ id, domain, mode }: Checked, signal?: AbortSignal): Promise<void> {
  const at = now();
  const found = await lookForDelegation(
    { domain, mode, apiHost: env().DOMAIN },
    outboundPolicy(mode),
    signal,
  );
  if (!signal?.aborted) await saveDelegation(id, at, found);
}

/**
 * Looks at verified domains that nobody has looked at for a day, side by side.
 * @returns how many there were
 */
export async function checkStaleDelegations(signal: AbortSignal): Promise<number> {
  const stale = await findStaleDelegations(plusSeconds(now(), -DELEGATION_CHECK_SECONDS), RUN_LIMIT);
  const waiting = stale.values();
  const checkNext = async () => {
    for (const domain of waiting) {
      if (signal.aborted) return;
      // A failure for one domain does not stop the others.
      await checkDelegation(domain, signal).catch((error: unknown) =>
        log().warn({ error, domain: domain.id }, "a delegation was not checked"),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
  return stale.length;
}
