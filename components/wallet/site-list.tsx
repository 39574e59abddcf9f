import { Card, CardHeader } from "#components/ui/card.tsx";
import type { Site } from "./vault.ts";

/** Where this wallet has been. */
export function SiteList({ sites }: { sites: readonly Site[] }) {
  return (
    <Card aria-labelledby="sites-title">
      <CardHeader title="Sites" id="sites-title">
        {sites.length === 0
          ? "None yet. A site appears here once it has accepted this wallet."
          : "Each knows this wallet by another key."}
      </CardHeader>
      {sites.length > 0 && (
        <ul className="divide-y border-t">
          {sites.map((site) => (
            <li
              key={`${site.domain} ${site.account}`}
              className="grid gap-x-4 py-3 min-[30rem]:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className="wrap-anywhere font-semibold">{site.domain}</span>
              <time
                dateTime={new Date(site.lastUsedAt).toISOString()}
                className="text-muted-foreground text-sm"
              >
                {new Date(site.lastUsedAt).toLocaleString()}
              </time>
              <span className="text-muted-foreground text-sm">
                Key <span className="font-mono">{site.fingerprint}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
