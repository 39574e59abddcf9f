import { guardSite } from "../gate/site-gate.ts";
import { startNodeRuntime } from "../node/node-site.ts";
import { followShell } from "../process/follow-shell.ts";
import type { Plugin } from "../site/plugin.ts";
import { assertNodeVersion } from "../site/read-login-env.ts";
import { shutDownOnSignal } from "../site/runtime.ts";

/**
 * Provides the database tables and connections, a clock that all processes share, and the gate in front of the
 * framework's server. An application with its own server passes a `runtime` instead.
 * @param options.oneRoute true for a site whose only route is `app/api/[...path]/route.ts`. The route then also
 * receives requests to `/webhook/…`
 */
export function nextSite({ oneRoute = false } = {}): Plugin<"next-site"> {
  return {
    name: "next-site",
    prepare() {
      assertNodeVersion(process.versions.node);
      followShell();
    },
    async open(options) {
      guardSite({ ...options, oneRoute });
      const runtime = await startNodeRuntime(options);
      shutDownOnSignal();
      return runtime;
    },
  };
}
