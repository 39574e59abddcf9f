"use client";

import { useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";
import { ConfirmDialogButton } from "#packages/react/ui/dialog.tsx";
import { Card, Notice, Problem } from "#packages/react/ui/elements.tsx";
import { NewWallet } from "./new-wallet.tsx";
import { ProtectWallet } from "./protect-wallet.tsx";
import { RequestCard } from "./request-card.tsx";
import { describeStatus, UndoLogin } from "./request-words.tsx";
import { Scanner } from "./scan/scanner.tsx";
import { CodeWithoutCamera, ScanCard } from "./scan-card.tsx";
import { LockedSites, SiteList } from "./site-list.tsx";
import { useInstalledFiles, useOnline } from "./use-installed-app.ts";
import { useRequest } from "./use-request.ts";
import { type ReadyWallet, useAutoLock, useWallet, type WalletState } from "./use-wallet.ts";
import { sealUnsealedWallet } from "./vault.ts";

type ManagedWallet = Pick<ReturnType<typeof useWallet>, "refresh" | "wipe">;

/** @param props.note shown below the wallet once the wallet's content has loaded; the note would otherwise move */
export function WalletApp({ note }: { note: React.ReactNode }) {
  const { wallet, refresh, wipe } = useWallet();
  const requests = useRequest(refresh);
  const online = useOnline();
  const update = useInstalledFiles();
  const { request } = requests;

  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        {wallet.status === "ready" ? describeStatus(request) : ""}
      </p>
      {!online && (
        <Notice tone="warning" role="alert">
          This device is offline. You can open the wallet, but you cannot sign in to a site.
        </Notice>
      )}
      {update && !request && (
        <Notice>
          <p>A new version of this wallet is ready.</p>
          <Button size="small" className="mt-2" onClick={update}>
            Use the new version
          </Button>
        </Notice>
      )}
      {(wallet.status === "none" || wallet.status === "unsealed") && request && (
        <Notice>
          A sign-in is waiting. {wallet.status === "none" ? "Set up" : "Lock"} your wallet first. There’s no
          hurry.
        </Notice>
      )}
      {wallet.status === "ready" ? (
        <WalletHome wallet={wallet} requests={requests} refresh={refresh} wipe={wipe} />
      ) : (
        <WalletSetup status={wallet.status} refresh={refresh} wipe={wipe} />
      )}
      {wallet.status !== "loading" && note}
    </div>
  );
}

const OBSTACLES = {
  unavailable:
    "This browser does not store data for this page, so it cannot store a wallet. Leave private browsing or allow site data, then reload.",
  insecure:
    "This page was loaded without encryption, so the browser does not let it use the camera or lock keys. Open the page over HTTPS, or on localhost.",
};

function WalletSetup({ status, refresh, wipe }: { status: WalletState["status"] } & ManagedWallet) {
  switch (status) {
    case "none":
      return <NewWallet onCreated={refresh} />;
    case "unsealed":
      return (
        <>
          <Card>
            <ProtectWallet onLock={(lock) => sealUnsealedWallet(lock).then(refresh)}>
              This wallet has no lock yet. Choose how you want to unlock it.
            </ProtectWallet>
          </Card>
          <WipeWallet wipe={wipe} />
        </>
      );
    case "unavailable":
    case "insecure":
      return (
        <Notice tone="danger" role="alert">
          {OBSTACLES[status]}
        </Notice>
      );
    default:
      return (
        <Card aria-busy className="min-h-48 text-muted-foreground">
          Opening the wallet…
        </Card>
      );
  }
}

function WalletHome({
  wallet,
  requests,
  refresh,
  wipe,
}: { wallet: ReadyWallet; requests: ReturnType<typeof useRequest> } & ManagedWallet) {
  const [scanning, setScanning] = useState(false);
  const [unlocked, setUnlocked] = useState(false);
  const lock = () => setUnlocked(false);
  useAutoLock(unlocked, lock);
  const { request, undoable, open } = requests;

  if (request) {
    const close = () => {
      setScanning(false);
      requests.close();
    };
    return <RequestCard request={request} requests={requests} wallet={wallet} onClose={close} />;
  }
  if (scanning) {
    const found = (text: string) => {
      setScanning(false);
      void open(text);
    };
    return (
      <Scanner onFound={found} onStop={() => setScanning(false)}>
        <CodeWithoutCamera onOpen={found} />
      </Scanner>
    );
  }
  return (
    <>
      <ScanCard onScan={() => setScanning(true)} onOpen={open} />
      {undoable && (
        <Card>
          <p className="wrap-anywhere text-center">
            You approved {undoable.domain} for <strong className="font-semibold">{undoable.browser}</strong>.
          </p>
          <UndoLogin key={undoable.url} login={undoable} onUndone={requests.undone} />
        </Card>
      )}
      {unlocked ? (
        <SiteList wallet={wallet} onChanged={refresh} onLock={lock} />
      ) : (
        <LockedSites lock={wallet.lock} onUnlocked={() => setUnlocked(true)} />
      )}
      <WipeWallet wipe={wipe} />
    </>
  );
}

function WipeWallet({ wipe }: Pick<ManagedWallet, "wipe">) {
  const [failed, setFailed] = useState(false);
  const confirm = () => {
    setFailed(false);
    wipe().catch(() => setFailed(true));
  };
  return (
    <div className="grid justify-items-center gap-2">
      <ConfirmDialogButton
        button={{ variant: "danger", size: "small" }}
        label="Remove this wallet"
        title="Remove this wallet?"
        question="This deletes the wallet’s keys, its list of sites and its list of trusted services from this browser. Only the words that you wrote down can bring the keys back."
        confirmLabel="Remove it"
        cancelLabel="Keep it"
        onConfirm={confirm}
      />
      <Problem>
        {failed && "This browser could not remove the wallet. Reload this page and try again."}
      </Problem>
    </div>
  );
}
