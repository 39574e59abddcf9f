"use client";

import type { Account } from "@svc/login";
import { endBrowser, removeWayIn } from "@svc/login/account";
import { ChangeButton } from "@/components/approval/approval-provider.tsx";
import { Card, CardHeader, LocalTime } from "@/components/ui.tsx";

const ROW = "flex flex-wrap items-center justify-between gap-3 border-t py-3";

/** What the user signs in with; the last one stays. */
export function WaysIn({ waysIn }: Pick<Account, "waysIn">) {
  return (
    <Card aria-labelledby="ways-in">
      <CardHeader title="Ways to sign in" id="ways-in" />
      {waysIn.map(({ id, name, label, addedAt }) => (
        <div key={id} className={ROW}>
          <p className="wrap-anywhere">
            {label ?? name}, added <LocalTime iso={addedAt} />
          </p>
          {waysIn.length > 1 && (
            <ChangeButton ask={() => removeWayIn(id)} busy="Removing…" variant="danger">
              Remove
            </ChangeButton>
          )}
        </div>
      ))}
    </Card>
  );
}

/** Where the user is signed in. */
export function Browsers({ browsers }: Pick<Account, "browsers">) {
  return (
    <Card aria-labelledby="browsers">
      <CardHeader title="Where you are signed in" id="browsers" />
      {browsers.map(({ id, name, lastSeenAt, isCurrent }) => (
        <div key={id} className={ROW}>
          <p>
            {name}, {isCurrent ? "this browser" : <LocalTime iso={lastSeenAt} />}
          </p>
          {!isCurrent && (
            <ChangeButton ask={() => endBrowser(id)} busy="Signing out…" variant="danger">
              Sign out there
            </ChangeButton>
          )}
        </div>
      ))}
    </Card>
  );
}
