import type { Metadata } from "next";
import { cookies } from "next/headers";
import { CodeSample } from "#components/docs/code-sample.tsx";
import { WidePage } from "#components/docs/guide-page.tsx";
import { FieldList, InlineCode, OperationSection, ReferenceSection } from "#components/docs/reference.tsx";
import { ReferenceNav } from "#components/docs/reference-nav.tsx";
import { LanguageProvider, RequestSample } from "#components/docs/request-sample.tsx";
import { KeySample, TryKeyField, TryKeyProvider, TryOperation } from "#components/docs/try-operation.tsx";
import { findConsoleTenant, listTenantDomains } from "#lib/console/console-tenant.ts";
import { EventEnvelope } from "#lib/hosted/contract/event.ts";
import { OPENAPI_PATH, OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { createSampleOutput, describeFields } from "#lib/hosted/contract/reference.ts";
import { isSnippetLanguage } from "#lib/hosted/contract/snippet.ts";
import { API_BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { env } from "#lib/platform/env.ts";
import { LANGUAGE_COOKIE } from "#lib/platform/http/preference-cookies.ts";
import { TextLink } from "#packages/react/ui/elements.tsx";
import { CONTENTS } from "./contents.ts";

export const metadata: Metadata = { title: "API reference" };

export default async function ApiReferencePage() {
  const { origin } = env().APP_URL;
  const remembered = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  const readerDomain = await ownDomain();
  return (
    <WidePage className="[overflow-anchor:none] lg:grid lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-x-10">
      <ReferenceNav groups={NAVIGATION} />
      <LanguageProvider initial={isSnippetLanguage(remembered) ? remembered : "curl"}>
        <TryKeyProvider>
          <div className="min-w-0 py-8">
            <h1 className="font-semibold text-title">Hosted login API</h1>
            <p className="mt-2 mb-8 max-w-prose text-muted-foreground">
              Passwordless login for your own site: your server creates a session, your page shows its QR
              code, a wallet answers, and your webhook receives an event that says who signed in. New here?
              Start with <TextLink href="/docs/guides/api">the five-minute path</TextLink>. To generate a
              client, use the <TextLink href={API_BASE_PATHS.live + OPENAPI_PATH}>OpenAPI 3.1</TextLink>{" "}
              description.
              {readerDomain && ` The examples use your domain, ${readerDomain.domain}.`}
            </p>
            <Basics origin={origin} />
            {[...Map.groupBy(OPERATIONS, ({ tag }) => tag)].map(([tag, operations]) => (
              <section key={tag} aria-labelledby={`tag-${tag}`}>
                <GroupTitle id={`tag-${tag}`}>{tag}</GroupTitle>
                {operations.map((operation) => (
                  <OperationSection
                    key={operation.id}
                    operation={operation}
                    base={origin + API_BASE_PATHS.test}
                    own={readerDomain}
                  />
                ))}
              </section>
            ))}
            <Events />
          </div>
        </TryKeyProvider>
      </LanguageProvider>
    </WidePage>
  );
}

const NAVIGATION = CONTENTS.map(({ title, entries }) => ({
  title,
  entries: entries.map(({ id, name }) => ({ id, name })),
}));

const FIRST_ANSWER = JSON.stringify({ domains: [], next_cursor: null }, null, 2);

/** Returns the signed-in user's newest verified test domain for the examples, or null. */
async function ownDomain() {
  const tenant = await findConsoleTenant("test").catch(() => null);
  const readerDomain = tenant && (await listTenantDomains(tenant).catch(() => null));
  return readerDomain?.usable ?? null;
}

function GroupTitle({ id, children }: { id: string; children: React.ReactNode }) {
  return (
    <h2 id={id} className="scroll-mt-16 pt-8 pb-4 font-semibold text-title lg:scroll-mt-0">
      {children}
    </h2>
  );
}

function Basics({ origin }: { origin: string }) {
  const error = {
    error: {
      code: "domain_not_registered",
      message: "Register this domain first, with POST /domains.",
      details: { domain: "shop.example" },
    },
  };
  return (
    <section aria-labelledby="basics">
      <h2 id="basics" className="sr-only">
        Basics
      </h2>
      <ReferenceSection
        id="authentication"
        title="Authentication"
        beside={
          <>
            <KeySample />
            <RequestSample
              title="A first request"
              request={{ method: "GET", url: `${origin}${API_BASE_PATHS.test}/domains` }}
            />
            <CodeSample language="json" label="Response 200" code={FIRST_ANSWER} />
          </>
        }
        below={<TryOperation id="first request" method="GET" path="/domains" query={[]} body={null} />}
      >
        <dl className="grid gap-3 text-sm">
          <Line name="Live">{origin + API_BASE_PATHS.live}</Line>
          <Line name="Sandbox, for test keys">{origin + API_BASE_PATHS.test}</Line>
          <Line name="Header sent with every request">Authorization: Bearer &lt;API key&gt;</Line>
        </dl>
        <p className="max-w-prose text-sm">
          Don’t have a key yet? <TextLink href="/console/test/keys">The console</TextLink> creates one in a
          few seconds. Paste it here to use it in the examples and to send requests from this page.
        </p>
        <TryKeyField />
      </ReferenceSection>
      <ReferenceSection
        id="error-body"
        title="Errors"
        beside={<CodeSample language="json" label="Response 422" code={JSON.stringify(error, null, 2)} />}
      >
        <p className="max-w-prose">
          Every error has this body. The code is for programs and does not change. The message is for people
          and says what to do next.{" "}
          <InlineCode text="`details` is always an object. Every response has an `X-Request-Id`, which identifies the request in our log." />
        </p>
        <p className="max-w-prose text-sm">
          <InlineCode text="Any operation can return 400 `invalid_request`, 401 `invalid_api_key`, 429 `rate_limited` with `Retry-After`, 500 `internal_error` and 503 `service_unavailable`. Operations that change something can also return 413 `payload_too_large`, and operations with a body can also return 415 `unsupported_media_type`." />
        </p>
      </ReferenceSection>
    </section>
  );
}

function Events() {
  return (
    <section aria-labelledby="events">
      <GroupTitle id="events">Events</GroupTitle>
      <ReferenceSection
        id="event"
        title="What your webhook receives"
        beside={
          <CodeSample
            language="json"
            label="POST to your webhook_url"
            code={JSON.stringify(createSampleOutput(EventEnvelope), null, 2)}
          />
        }
      >
        <p className="max-w-prose">
          <InlineCode text="A POST to the domain's `webhook_url`, signed as in Standard Webhooks: `webhook-signature` is `v1,` followed by the base64-encoded HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}`. Check it in constant time before you read the body, refuse timestamps that are more than five minutes off, and process each `webhook-id` once." />
        </p>
        <p className="max-w-prose text-sm">
          <InlineCode text="`x-svc-signature` is an additional header with the hex-encoded HMAC-SHA256 of the body only. It covers neither the time nor the `webhook-id` that identifies duplicates." />
        </p>
        <p className="max-w-prose text-sm">
          Respond with any 2xx status within 15 seconds. After any other response, we retry for about three
          days. <TextLink href="/docs/guides/events">Receiving events</TextLink> shows the code.
        </p>
        <FieldList title="Body" fields={describeFields(EventEnvelope, "output")} />
      </ReferenceSection>
    </section>
  );
}

function Line({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="wrap-anywhere font-mono">{children}</dd>
    </div>
  );
}
