"use client";

import { dismissChanges, removeSignInMethod, signOutBrowser } from "@svc/login/account";
import { type ChangeResult, requestChange } from "@svc/login/client";
import { useEffect, useState } from "react";
import { ChangeButton } from "#packages/react/approval/approval-provider.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import { ButtonLink, joinClassNames } from "#packages/react/ui/button-look.tsx";
import { Modal } from "#packages/react/ui/dialog.tsx";
import { Card, CardHeader } from "#packages/react/ui/elements.tsx";
import { CircleCheck, Square, SquareCheck, TriangleAlert } from "#packages/react/ui/icons.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { recordDismissed } from "./seen-changes.ts";

export type NoticeFix = {
  /** The change's name, if the notice is about several changes. */
  what: string | null;
  label: string;
} & ({ endsBrowser: string } | { removesSignInMethod: string } | { href: string });

export type NoticeItem = {
  /** The history entries, which are dismissed together. */
  ids: string[];
  at: string;
  what: string;
  /** The browser and other details. */
  detail: string;
  advice: string;
  fixes: NoticeFix[];
};

/** A notice that is dismissed here is still shown in other browsers. */
export function AccountNotices({ items }: { items: NoticeItem[] }) {
  if (items.length === 0) return null;
  const all = items.flatMap(({ ids }) => ids);
  return (
    <section
      aria-labelledby="changes"
      className="flex gap-4 rounded-base border border-warning/40 bg-warning-surface p-4 sm:px-6"
    >
      <TriangleAlert aria-hidden strokeWidth={1.75} className="size-7 shrink-0 text-warning max-sm:hidden" />
      <div className="min-w-0 grow">
        <h2 id="changes" className="font-semibold">
          {items.length === 1 ? "One thing" : `${items.length} things`} happened since you were last here
        </h2>
        <ul className="mt-1 divide-y divide-warning/25">
          {items.map((item) => (
            <NoticeRow key={item.ids.join()} item={item} />
          ))}
        </ul>
        {items.length > 1 && (
          <div className="mt-1 border-warning/25 border-t pt-3">
            <ChangeButton ask={() => dismiss(all)} busyLabel="Dismissing…">
              All mine
            </ChangeButton>
          </div>
        )}
      </div>
    </section>
  );
}

async function dismiss(ids: readonly string[]): Promise<ChangeResult> {
  const result = await dismissChanges(ids);
  if (result.done) recordDismissed(ids);
  return result;
}

function NoticeRow({ item }: { item: NoticeItem }) {
  const { ids, at, what, detail } = item;
  const [asking, setAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <p className="wrap-anywhere min-w-0 grow basis-72 text-sm">
        <span className="block font-semibold">{what}</span>
        <span className="text-muted-foreground">
          {detail} · <TimeAgo iso={at} />
        </span>
      </p>
      <span className="flex gap-2">
        <Button size="small" aria-label={`Not me: ${what}`} onClick={() => setAsking(true)}>
          Not me
        </Button>
        <ChangeButton ask={() => dismiss(ids)} busyLabel="OK" describe={`OK: ${what}`}>
          OK
        </ChangeButton>
      </span>
      {asking && <UnrecognisedChangeButton item={item} onClose={() => setAsking(false)} />}
    </li>
  );
}

function UnrecognisedChangeButton({
  item: { ids, what, advice, fixes },
  onClose,
}: {
  item: NoticeItem;
  onClose: () => void;
}) {
  const fixed = async (fix: Promise<ChangeResult>) => {
    const result = await fix;
    return result.done ? dismiss(ids) : result;
  };
  return (
    <Modal
      title="That wasn’t you?"
      text={`${what}. ${advice}`}
      onCancel={onClose}
      className="max-w-md bg-card"
    >
      <ul className="mt-4 grid gap-3">
        {fixes.map((fix) => (
          <li
            key={fix.what ?? fix.label}
            className="flex flex-wrap items-center justify-between gap-3 text-sm"
          >
            {fix.what && <span className="wrap-anywhere min-w-0">{fix.what}</span>}
            {"href" in fix ? (
              <ButtonLink size="small" href={fix.href}>
                {fix.label}
              </ButtonLink>
            ) : (
              <ChangeButton
                ask={() =>
                  fixed(
                    "endsBrowser" in fix
                      ? signOutBrowser(fix.endsBrowser)
                      : removeSignInMethod(fix.removesSignInMethod),
                  )
                }
                busyLabel="One moment…"
                variant="danger"
              >
                {fix.label}
              </ChangeButton>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink size="small" href="#browsers" onClick={onClose}>
          See where you are signed in
        </ButtonLink>
        <Button size="small" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </Modal>
  );
}

const DONE_SHOWN_MS = 6_000;

/** Overlays the page, so that the page's content does not move. */
export function DoneNotice({ what }: { what: string | null }) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-30 flex justify-center sm:bottom-8"
    >
      {what && !isOver && (
        <p className="flex items-center gap-2 rounded-base bg-foreground px-4 py-3 font-semibold text-background text-sm">
          <CircleCheck aria-hidden className="size-5 shrink-0" />
          {what}
        </p>
      )}
    </div>
  );
}

const revokeApiKeys = () => requestChange("/api/account/api-keys", "DELETE");

/** Shown until the user makes new recovery codes. */
export function AfterRecovery({
  ids,
  apiKeys,
  oldMethods,
}: {
  /** The ids of the history entries that this card covers. */
  ids: string[];
  /** The number of API keys that the recovery did not revoke. */
  apiKeys: number;
  /** The sign-in methods that existed before the recovery. */
  oldMethods: { id: string; name: string }[];
}) {
  return (
    <Card aria-labelledby="recovered">
      <CardHeader id="recovered" title="You recovered this account">
        The code is used up, and every other browser is signed out. Three things are left to do:
      </CardHeader>
      <ul className="-mb-4 divide-y border-t">
        <Task
          title="Create new recovery codes"
          text="The one that you used no longer works."
          action={
            <ButtonLink
              variant="primary"
              size="small"
              href="/dashboard/recovery"
              onClick={() => recordDismissed(ids)}
            >
              Create new recovery codes
            </ButtonLink>
          }
        />
        <Task
          title="Remove the old sign-in methods"
          text={
            oldMethods.length === 0
              ? "None are left."
              : "The old sign-in methods still work. If your wallet was stolen, or someone could find it, remove them now."
          }
          isDone={oldMethods.length === 0}
        >
          {oldMethods.map(({ id, name }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-3 text-sm">
              <span className="wrap-anywhere min-w-0">{name}</span>
              <ChangeButton
                ask={() => removeSignInMethod(id)}
                busyLabel="Removing…"
                variant="danger"
                describe={`Remove old ${name}`}
              >
                Remove
              </ChangeButton>
            </li>
          ))}
        </Task>
        <Task
          title="Revoke the API keys"
          text={
            apiKeys === 0 ? "None are left." : "Anyone who had access to your account may have copied them."
          }
          isDone={apiKeys === 0}
          action={
            apiKeys > 0 && (
              <ChangeButton ask={revokeApiKeys} busyLabel="Revoking…" variant="danger">
                {apiKeys === 1 ? "Revoke your API key" : `Revoke your ${apiKeys} API keys`}
              </ChangeButton>
            )
          }
        />
      </ul>
    </Card>
  );
}

function Task({
  title,
  text,
  isDone = false,
  action,
  children,
}: {
  title: string;
  text: string;
  isDone?: boolean;
  action?: React.ReactNode;
  children?: React.ReactNode[];
}) {
  const Box = isDone ? SquareCheck : Square;
  return (
    <li className="grid gap-3 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 gap-3">
          <Box
            aria-hidden
            className={joinClassNames(
              "mt-0.5 size-5 shrink-0",
              isDone ? "text-success" : "text-muted-foreground",
            )}
          />
          <div className="min-w-0">
            <h3 className="font-semibold">
              {title}
              {isDone && <span className="sr-only"> (done)</span>}
            </h3>
            <p className="text-muted-foreground text-sm">{text}</p>
          </div>
        </div>
        {action}
      </div>
      {children && children.length > 0 && <ul className="grid gap-3 sm:pl-8">{children}</ul>}
    </li>
  );
}
