"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import type { DeliveryItem } from "#lib/hosted/contract/event.ts";
import type { ListedSession } from "#lib/hosted/contract/session.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { Badge, TextLink } from "#packages/react/ui/elements.tsx";
import { TimeAgo } from "#packages/react/ui/time.tsx";
import { describeTarget } from "./console-page.tsx";
import { EventRow } from "./events.tsx";
import { useApiMode, useLiveData } from "./live.tsx";
import { OperationForm } from "./operation-form.tsx";
import { SessionBadge } from "./sessions.tsx";

type KeyItem = {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

type Items = { keys: KeyItem; domains: DomainItem; sessions: ListedSession; events: DeliveryItem };

/** A list operation's response. Its only array contains the page's items. */
export type ListAnswer = Record<string, unknown>;

/**
 * Newest first, and kept up to date.
 * @param props.path a path and query, or null if there is no list operation
 */
export function ItemList({
  name,
  path,
  answer: initial,
  at,
  empty,
}: {
  name: keyof Items;
  path: string | null;
  answer: ListAnswer;
  at: string;
  empty: React.ReactNode;
}) {
  const mode = useApiMode();
  const items = itemsOf(useLiveData(path, initial, isInProgress));
  useRefreshAfter(items);
  if (items.length === 0) return empty;
  // The list's name determines the type of its items.
  const rowOf = ROWS[name] as (item: unknown, page: Page) => React.ReactNode;
  return (
    <ul className="-mb-4 divide-y border-t">
      {items.map((item) => (
        <li key={item.id} className="py-2">
          {rowOf(item, { mode, at })}
        </li>
      ))}
    </ul>
  );
}

type AnyItem = { id: string; status?: string; revokedAt?: Date | null };

const itemsOf = (answer: ListAnswer): AnyItem[] => Object.values(answer).find(Array.isArray) ?? [];

const isInProgress = (answer: ListAnswer) => itemsOf(answer).some(({ status }) => status === "pending");

/** A failed attempt to send an event can disable the domain, whose state the page shows. */
function useRefreshAfter(items: AnyItem[]) {
  const router = useRouter();
  const settled = items.map(({ id, status }) => `${id} ${status}`).join();
  const lastSettled = useRef(settled);
  useEffect(() => {
    if (lastSettled.current === settled) return;
    lastSettled.current = settled;
    router.refresh();
  }, [settled, router]);
}

type Page = { mode: ApiMode; at: string };

const ROWS: { [Name in keyof Items]: (item: Items[Name], page: Page) => React.ReactNode } = {
  keys: ({ id, name, prefix, createdAt, lastUsedAt, revokedAt }) => (
    <Row
      title={name}
      badge={revokedAt && <Badge tone="danger">Revoked</Badge>}
      aside={!revokedAt && <OperationForm route="DELETE /keys/:id" of={id} describe={`Revoke ${name}`} />}
    >
      <code className="font-mono">{prefix}…</code>, created <TimeAgo iso={createdAt.toISOString()} />,{" "}
      {revokedAt ? "revoked " : lastUsedAt ? "last used " : "never used"}
      {(revokedAt ?? lastUsedAt) && <TimeAgo iso={(revokedAt ?? lastUsedAt ?? createdAt).toISOString()} />}
    </Row>
  ),
  domains: ({ id, domain, verified, webhook_url }, { mode }) => (
    <Row
      title={<TextLink href={`/console/${mode}/domains/${id}`}>{domain}</TextLink>}
      badge={
        <Badge tone={verified ? "success" : "warning"}>
          {verified ? "Ownership verified" : "Not verified"}
        </Badge>
      }
    >
      Events go to {describeTarget(webhook_url)}
    </Row>
  ),
  sessions: (session, { mode, at }) => (
    <Row
      title={
        <TextLink href={`/console/${mode}/sessions/${session.id}`} className="font-mono text-sm">
          {session.id}
        </TextLink>
      }
      badge={<SessionBadge session={session} at={at} />}
      aside={
        <p className="text-muted-foreground text-sm">
          <TimeAgo iso={session.created_at} />
        </p>
      }
    >
      {session.mode} at {session.domain}
    </Row>
  ),
  events: (delivery) => <EventRow delivery={delivery} />,
};

function Row({
  title,
  badge,
  aside,
  children,
}: {
  title: React.ReactNode;
  badge: React.ReactNode;
  aside?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-2">
      <div className="wrap-anywhere min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>{title}</span>
          {badge}
        </div>
        <p className="text-muted-foreground text-sm">{children}</p>
      </div>
      {aside}
    </div>
  );
}
