import type { z } from "zod";
import {
  ConsolePage,
  EmptyState,
  FindById,
  MODE_NAMES,
  TestLoginLink,
} from "#components/console/console-page.tsx";
import { ItemList, type ListAnswer } from "#components/console/item-list.tsx";
import { FilterNav, Pager } from "#components/console/list-nav.tsx";
import { OperationForm } from "#components/console/operation-form.tsx";
import { requireConsoleTenant } from "#lib/console/console-tenant.ts";
import { KEY_OPERATIONS } from "#lib/hosted/contract/console.ts";
import { DOMAIN_OPERATIONS } from "#lib/hosted/contract/domain.ts";
import { EVENT_OPERATIONS } from "#lib/hosted/contract/event.ts";
import { PageQuery, readListQuery } from "#lib/hosted/contract/page.ts";
import { describeFormFields, toJsonSchema } from "#lib/hosted/contract/reference.ts";
import { SESSION_OPERATIONS } from "#lib/hosted/contract/session.ts";
import type { ApiMode, Tenant } from "#lib/hosted/contract/tenant.ts";
import { listDomains } from "#lib/hosted/domains/manage-domains.ts";
import { listDeliveries } from "#lib/hosted/events/manage-deliveries.ts";
import { listApiKeys } from "#lib/hosted/keys/manage-keys.ts";
import { listSessions } from "#lib/hosted/sessions/manage-sessions.ts";
import { now } from "#packages/login/process/state.ts";
import { ButtonLink } from "#packages/react/ui/button-look.tsx";
import { Section } from "#packages/react/ui/elements.tsx";

type Query = PageQuery & z.output<typeof EVENT_OPERATIONS.listDeliveries.query>;

type Screen = {
  title: string;
  lead: (mode: ApiMode) => string;
  form?: {
    title: (mode: ApiMode) => string;
    operation: typeof KEY_OPERATIONS.createKey | typeof DOMAIN_OPERATIONS.createDomain;
  };
  noun: string;
  listTitle: (query: Partial<Query>) => string;
  /** The list operation. Its query parameters filter the list, and the page calls the operation to update the list. */
  operation?: { path: string; query: typeof PageQuery };
  read: (tenant: Tenant, query: Query) => Promise<ListAnswer & { next_cursor?: string | null }>;
  isSearchable?: boolean;
  empty: (mode: ApiMode) => React.ReactNode;
  firstStep?: (mode: ApiMode) => React.ReactNode;
};

const testLogin = (mode: ApiMode) => mode === "test" && <TestLoginLink variant="primary" />;

const SCREENS = {
  keys: {
    title: "API keys",
    lead: (mode) =>
      `${MODE_NAMES[mode]} keys. Use a different key on each server, so that you can revoke each one separately.`,
    form: { title: (mode) => `New ${mode} key`, operation: KEY_OPERATIONS.createKey },
    noun: "key",
    listTitle: () => "Your keys",
    read: async (tenant) => {
      const keys = await listApiKeys(tenant);
      return { keys: keys.toSorted((a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null)) };
    },
    empty: (mode) => (
      <>
        Your server sends a key with every request. Create the first one above. It will begin with{" "}
        <code className="font-mono">svc_{mode}_</code>.
      </>
    ),
  },
  domains: {
    title: "Domains",
    lead: () => "Your users sign in to these domains. Each domain has its own webhook and secret.",
    form: { title: () => "Register a domain", operation: DOMAIN_OPERATIONS.createDomain },
    noun: "domain",
    listTitle: () => "Your domains",
    operation: DOMAIN_OPERATIONS.listDomains,
    read: listDomains,
    empty: (mode) =>
      `Users sign in to a domain. Their wallets show the domain and create a key for it. Register your domain above${
        mode === "live"
          ? ", then prove with a TXT record or a file that you control it"
          : ", or localhost, which needs no verification"
      }.`,
  },
  sessions: {
    title: "Sessions",
    lead: () => "Logins from the last day. Open a login to see what happened, to the millisecond.",
    noun: "session",
    listTitle: () => "Newest first",
    operation: SESSION_OPERATIONS.listSessions,
    read: listSessions,
    isSearchable: true,
    empty: () =>
      "Your server creates a session for each login with POST /sessions. Each session has a QR code for your page and a challenge for the wallet.",
    firstStep: testLogin,
  },
  events: {
    title: "Events",
    lead: () => "Every request that we sent to your servers, with the response and how long it took.",
    noun: "event",
    listTitle: ({ domain_id, session_id }) =>
      domain_id ? "For a single domain" : session_id ? "For a single session" : "All events",
    operation: EVENT_OPERATIONS.listDeliveries,
    read: listDeliveries,
    isSearchable: true,
    empty: () =>
      "We send an event when a wallet answers one of your sessions. To send a test event, open your domain’s page.",
    firstStep: (mode) =>
      testLogin(mode) || <ButtonLink href={`/console/${mode}/domains`}>Go to your domains</ButtonLink>,
  },
} satisfies Record<string, Screen>;

export async function renderScreen(
  name: keyof typeof SCREENS,
  {
    params,
    searchParams,
  }: Pick<PageProps<"/console/[mode]">, "searchParams"> & { params: Promise<{ mode: string }> },
) {
  const section = `/${name}` as const;
  const tenant = await requireConsoleTenant((await params).mode, section);
  const { title, lead, form, noun, listTitle, operation, read, isSearchable, empty, firstStep }: Screen =
    SCREENS[name];
  const { mode } = tenant;
  const { texts, query } = readListQuery(operation?.query ?? PageQuery, await searchParams);
  const answer = await read(tenant, query as Query);
  const path = `/console/${mode}${section}`;
  const choices = Object.entries(operation ? (toJsonSchema(operation.query, "input").properties ?? {}) : {});
  return (
    <ConsolePage mode={mode} section={section} title={title} lead={lead(mode)}>
      {form && (
        <Section id={`new-${noun}`} title={form.title(mode)}>
          <OperationForm
            route={form.operation.route}
            fields={describeFormFields(form.operation)}
            variant="primary"
          />
        </Section>
      )}
      <Section id={name} title={listTitle(texts)} actions={isSearchable && <FindById mode={mode} />}>
        {choices.map(([parameter, schema]) =>
          typeof schema === "object" && schema.enum ? (
            <FilterNav
              key={parameter}
              path={path}
              query={texts}
              parameter={parameter}
              values={schema.enum.map(String)}
            />
          ) : null,
        )}
        <ItemList
          name={name}
          path={operation ? `${operation.path}?${new URLSearchParams(texts)}` : null}
          answer={answer}
          at={now().toISOString()}
          empty={
            Object.keys(texts).length > 0 ? (
              <EmptyState
                title={`No such ${noun}`}
                action={<ButtonLink href={path}>Show all {noun}s</ButtonLink>}
              >
                No {noun} matches these filters.
              </EmptyState>
            ) : (
              <EmptyState title={`No ${noun} yet`} action={firstStep?.(mode)}>
                {empty(mode)}
              </EmptyState>
            )
          }
        />
        <Pager path={path} query={texts} next={answer.next_cursor ?? null} />
      </Section>
    </ConsolePage>
  );
}
