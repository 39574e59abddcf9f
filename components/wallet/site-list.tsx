"use client";

import { useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";
import { ConfirmDialogButton } from "#packages/react/ui/dialog.tsx";
import { Card, Section } from "#packages/react/ui/elements.tsx";
import { Lock, Trash2 } from "#packages/react/ui/icons.tsx";
import { LocalTime } from "#packages/react/ui/time.tsx";
import { type Confirmation, explainLockError, type LockKind } from "./lock.ts";
import { ConfirmForm } from "./protect-wallet.tsx";
import type { ReadyWallet } from "./use-wallet.ts";
import { openWallet } from "./vault.ts";
import { removeSite, removeTrustedHost, type Site, siteKey } from "./wallet-storage.ts";

export function SiteList({
  wallet: { sites, trusts },
  onChanged,
  onLock,
}: {
  wallet: ReadyWallet;
  onChanged: () => void;
  onLock: () => void;
}) {
  return (
    <Card aria-labelledby="sites-title">
      <header className="mb-4 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id="sites-title" className="font-semibold text-lg">
            Sites
          </h2>
          <p className="text-muted-foreground text-sm">
            {sites.length === 0
              ? "None yet. A site appears here once it has accepted this wallet."
              : "Each site sees a different key from this wallet, or the address that you chose."}
          </p>
        </div>
        <Button size="small" onClick={onLock} className="shrink-0">
          <Lock aria-hidden className="size-4" />
          Lock
        </Button>
      </header>
      {sites.length > 0 && (
        <ul className="divide-y border-t">
          {sites.map((site) => (
            <li key={siteKey(site)} className={ROW}>
              <div className="min-w-0 grow">
                <p className="wrap-anywhere font-semibold">{site.domain}</p>
                <p className="text-muted-foreground text-sm">
                  {accountName(site)}, last used <LocalTime iso={new Date(site.lastUsedAt).toISOString()} />
                </p>
                <p className="text-muted-foreground text-sm">
                  {site.address ? "Address" : "Key"}{" "}
                  <span className="wrap-anywhere font-mono">{site.address ?? site.fingerprint}</span>
                </p>
              </div>
              <ConfirmDialogButton
                button={forgetLook(`Forget ${site.domain}, ${accountName(site).toLowerCase()}`)}
                label={<Trash2 aria-hidden className="size-4 shrink-0" />}
                title={`Forget ${site.domain}?`}
                question="This only removes the site from the list. Your account at the site is kept, and this wallet will use the same key if you come back."
                confirmLabel="Forget it"
                cancelLabel="Keep it"
                onConfirm={() => void removeSite(site).then(onChanged)}
              />
            </li>
          ))}
        </ul>
      )}
      {trusts.length > 0 && (
        <section aria-labelledby="trusts-title" className="mt-6">
          <h3 id="trusts-title" className="font-semibold">
            Trusted login services
          </h3>
          <p className="text-muted-foreground text-sm">
            Each service can receive your answers for only one site.
          </p>
          <ul className="mt-3 divide-y border-t">
            {trusts.map((trust) => (
              <li key={`${trust.domain} ${trust.host}`} className={ROW}>
                <p className="wrap-anywhere min-w-0 grow">
                  <span className="font-mono text-sm">{trust.host}</span>
                  <span className="block text-muted-foreground text-sm">for {trust.domain}</span>
                </p>
                <Button
                  {...forgetLook(`Stop trusting ${trust.host} for ${trust.domain}`)}
                  onClick={() => void removeTrustedHost(trust).then(onChanged)}
                >
                  <Trash2 aria-hidden className="size-4 shrink-0" />
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  );
}

const ROW = "flex items-center gap-3 py-3 last:pb-0";

function accountName({ account, address }: Site): string {
  return address ? "Your address" : `Account ${account + 1}`;
}

function forgetLook(label: string) {
  return { variant: "quiet", "aria-label": label, title: label, className: "size-11 shrink-0" } as const;
}

/** Someone else with the device cannot see the list. */
export function LockedSites({ lock, onUnlocked }: { lock: LockKind; onUnlocked: () => void }) {
  const [asking, setAsking] = useState(lock !== "passphrase");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const unlock = async (confirmation: Confirmation) => {
    setBusy(true);
    setProblem(null);
    try {
      const wallet = await openWallet(confirmation);
      // Opens the wallet only to verify its owner. The seed is not needed.
      wallet?.seed.fill(0);
      onUnlocked();
    } catch (error) {
      setProblem(explainLockError(error) ?? "The browser could not open the wallet. Reload this page.");
      setBusy(false);
    }
  };

  return (
    <Section
      id="sites-title"
      title="Sites"
      text="Locked. Unlock to see the sites that this wallet knows and the services that it trusts."
    >
      {problem && (
        <p role="alert" className="mb-3 text-danger text-sm">
          {problem}
        </p>
      )}
      {asking ? (
        <ConfirmForm
          lock={lock}
          label={busy ? "Unlocking…" : "Unlock"}
          onConfirm={unlock}
          disabled={busy}
          quiet
        />
      ) : (
        <Button onClick={() => setAsking(true)} className="w-full">
          Unlock
        </Button>
      )}
    </Section>
  );
}
