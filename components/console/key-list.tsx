import { Badge } from "#components/ui/badge.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { EmptyState } from "./empty-state.tsx";
import { RevokeKey } from "./revoke-key.tsx";

export type KeyItem = {
  id: string;
  name: string;
  /** Its first characters. */
  prefix: string;
  /** ISO 8601, each. */
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

/** The keys of a mode, revoked ones last. */
export function KeyList({ mode, keys }: { mode: ApiMode; keys: KeyItem[] }) {
  if (keys.length === 0) {
    return (
      <EmptyState title="No key yet">
        Your server shows a key with every request. Create the first one above; it begins{" "}
        <code className="font-mono">svc_{mode}_</code>.
      </EmptyState>
    );
  }
  return (
    <ul className="-mb-4 divide-y border-t">
      {keys.map((key) => (
        <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
          <div className="min-w-0">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere">{key.name}</span>
              {key.revokedAt && <Badge tone="danger">Revoked</Badge>}
            </p>
            <p className="text-muted-foreground text-sm *:inline-block">
              <code className="font-mono">{key.prefix}…,</code>{" "}
              <span>
                created <LocalTime iso={key.createdAt} />,
              </span>{" "}
              <span>
                {key.revokedAt ? (
                  <>
                    revoked <LocalTime iso={key.revokedAt} />
                  </>
                ) : key.lastUsedAt ? (
                  <>
                    last used <LocalTime iso={key.lastUsedAt} />
                  </>
                ) : (
                  "never used"
                )}
              </span>
            </p>
          </div>
          {!key.revokedAt && <RevokeKey mode={mode} id={key.id} name={key.name} />}
        </li>
      ))}
    </ul>
  );
}
