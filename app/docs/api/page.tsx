import type { Metadata } from "next";
import { FieldTable } from "#components/docs/field-table.tsx";
import { InlineCode } from "#components/docs/inline-code.tsx";
import { OperationCard } from "#components/docs/operation-card.tsx";
import { TryKeyProvider } from "#components/docs/try-key.tsx";
import { Container } from "#components/site/container.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { describeFields } from "#lib/hosted/contract/describe-fields.ts";
import { EventEnvelope } from "#lib/hosted/contract/event.ts";
import { OPENAPI_PATH, OPERATIONS } from "#lib/hosted/contract/operations.ts";
import { BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { env } from "#lib/platform/env.ts";

export const metadata: Metadata = { title: "API reference" };

/** The reference of the hosted API, made from the table that the API itself runs on. */
export default function ApiReferencePage() {
  const { origin } = env().APP_URL;
  const groups = [...Map.groupBy(OPERATIONS, ({ tag }) => tag)];
  return (
    <Container className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div>
        <h1 className="font-semibold text-title">Hosted login API</h1>
        <p className="mt-2 max-w-prose text-muted-foreground">
          Passwordless login for your own site: your server creates a session, your page shows its QR code, a
          wallet answers, and your webhook hears who signed in. Made from the table that the API itself runs
          on; the same as <TextLink href={BASE_PATHS.live + OPENAPI_PATH}>OpenAPI 3.1</TextLink>.
        </p>
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <Card aria-labelledby="calling" className="h-full">
          <CardHeader title="Calling it" id="calling" />
          <dl className="grid gap-3 text-sm">
            <Line name="Live">{origin + BASE_PATHS.live}</Line>
            <Line name="Sandbox, for test keys">{origin + BASE_PATHS.test}</Line>
            <Line name="Every request carries">Authorization: Bearer &lt;API key&gt;</Line>
            <Line name="Keys come from">
              <TextLink href="/console/test/keys">the console</TextLink>
            </Line>
          </dl>
        </Card>
        <Card aria-labelledby="error-body" className="h-full">
          <CardHeader title="Errors" id="error-body">
            Every error has this body. The code is for programs and stays; the message is for people.
          </CardHeader>
          <CodeBlock
            label="422"
            code={JSON.stringify(
              {
                error: {
                  code: "domain_not_registered",
                  message: "Register this domain first, with POST /domains.",
                  details: { domain: "login.example.com" },
                },
              },
              null,
              2,
            )}
          />
        </Card>
      </div>
      <nav aria-label="Operations" className="rounded-base border bg-card p-4 sm:p-6 print:hidden">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {groups.map(([tag, operations]) => (
            <li key={tag}>
              <p className="font-semibold text-sm">{tag}</p>
              <ul className="mt-1">
                {operations.map(({ id, summary }) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      className="flex min-h-9 items-center py-1 text-muted-foreground text-sm underline-offset-4 hover:text-foreground hover:underline"
                    >
                      <span>
                        <InlineCode text={summary.replace(/\.$/, "")} />
                      </span>{" "}
                    </a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </nav>
      <TryKeyProvider>
        {groups.map(([tag, operations]) => (
          <section key={tag} aria-labelledby={`tag-${tag}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <h2 id={`tag-${tag}`} className="mt-4 font-semibold text-title">
              {tag}
            </h2>
            {operations.map((operation) => (
              <OperationCard key={operation.id} operation={operation} origin={origin} />
            ))}
          </section>
        ))}
      </TryKeyProvider>
      <section aria-labelledby="events" className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h2 id="events" className="mt-4 font-semibold text-title">
          Events
        </h2>
        <Card aria-labelledby="event" className="grid gap-6">
          <header>
            <h3 id="event" className="font-semibold">
              What your webhook receives
            </h3>
            <p className="mt-2 max-w-prose text-sm">
              <InlineCode text="A POST to the domain's `webhook_url`. Check `x-svc-signature`, the hex of HMAC-SHA256 over the raw body keyed by the webhook secret, in constant time, and answer any 2xx within 15 seconds; everything else is tried again for about three days. The same event has the same `webhook-id`." />
            </p>
          </header>
          <FieldTable title="Body" fields={describeFields(EventEnvelope, "output")} />
        </Card>
      </section>
    </Container>
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
