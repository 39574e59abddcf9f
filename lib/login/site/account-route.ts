import { assertSameOrigin } from "../http/web-request.ts";
import { countClient, READ, type Route } from "./answer-login.ts";
import type { Site } from "./site.ts";

/** An endpoint of the account: counted by client, and changed by pages of the site alone. */
export function accountRoute(site: Site, methods: readonly string[], handle: Route["handle"]): Route {
  return {
    ...{ methods, limit: null, countedWithQuery: false, wallets: false },
    async handle(call) {
      const { core, request } = call;
      // First, so that another site's page uses up nobody's limit.
      if (!READ.includes(request.method)) assertSameOrigin(request, core.origin);
      await countClient(site, "account", call);
      return handle(call);
    },
  };
}
