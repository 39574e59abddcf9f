import { Card } from "#components/ui/card.tsx";
import { Moment } from "./moment.tsx";
import { type Site, siteKey } from "./vault.ts";

/** Where this wallet has been. */
export function SiteList({ sites }: { sites: readonly Site[] }) {
  return (
    <Card aria-labelledby="sites-title">
      <h2 id="sites-title" className="font-semibold">
        Sites
      </h2>
      <p className="text-muted-foreground text-sm">
        {sites.length === 0
          ? "None yet. A site appears here once it has accepted this wallet."
          : "Each knows this wallet by another key, or by the address that you chose."}
      </p>
      {sites.length > 0 && (
        <ul className="mt-4 divide-y border-t">
          {sites.map((site) => (
            <li
              key={siteKey(site)}
              className="grid gap-x-4 py-3 last:pb-0 min-[30rem]:grid-cols-[minmax(0,1fr)_auto]"
            >
              <span className="wrap-anywhere font-semibold">{site.domain}</span>
              <Moment at={site.lastUsedAt} className="text-muted-foreground text-sm" />
              <span className="text-muted-foreground text-sm">
                {site.address ? "Address" : "Key"}{" "}
                <span className="wrap-anywhere font-mono">{site.address ?? site.fingerprint}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
