import { Card, CardHeader } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import type { DomainItem } from "#lib/hosted/contract/domain.ts";
import { KEY_VARIABLE, snippetOf } from "#lib/hosted/contract/snippet.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";

/** Lines for a terminal with the user's own identifiers in them. */
export function Snippets({
  base,
  mode,
  domain,
  sessionId,
}: {
  /** Of the API: origin and base path. */
  base: string;
  mode: ApiMode;
  domain: DomainItem | null;
  sessionId: string | null;
}) {
  return (
    <Card aria-labelledby="snippets">
      <CardHeader title="In your terminal" id="snippets">
        {domain ? `With your domain ${domain.domain}. ` : "Register a domain, and its name stands here. "}
        <TextLink href="/docs/api">The whole API</TextLink>
      </CardHeader>
      <div className="grid gap-4">
        <CodeBlock label="Your key, once" code={`export ${KEY_VARIABLE}=svc_${mode}_…`} />
        <CodeBlock
          label="Create a session"
          code={snippetOf("curl", {
            url: `${base}/sessions`,
            method: "POST",
            body: { domain: domain?.domain ?? (mode === "test" ? "localhost" : "login.example.com") },
          })}
        />
        <CodeBlock
          label="Read a session"
          code={snippetOf("curl", { url: `${base}/sessions/${sessionId ?? "SESSION_ID"}`, method: "GET" })}
        />
        {domain && (
          <CodeBlock
            label="Send a test event"
            code={snippetOf("curl", { url: `${base}/domains/${domain.id}/test-event`, method: "POST" })}
          />
        )}
      </div>
    </Card>
  );
}
