import { Fact, Facts } from "#components/ui/details.tsx";
import { type ApiMode, TEST_INBOX_PATH } from "#lib/hosted/contract/tenant.ts";
import type { VerifiedSignature } from "#lib/hosted/contract/verify.ts";
import { Notice } from "#packages/react/ui/elements.tsx";

type Text = string | Record<ApiMode, string>;

/** The default hint is the description in the schema. */
type FieldTexts = { label: string; hint?: Text; placeholder?: Text; type?: "url"; rows?: number } & {
  /** Returns the value that is sent if the field is empty in test mode. */
  fallback?: () => string;
  /** Corrects common mistakes in pasted text. */
  clean?: (text: string) => string;
};

/** The method, path and fields come from the API's contract. */
export type OperationTexts = {
  label: string;
  /** The button's text while the request is running. */
  busy: string;
  /** Describes the change to the user who must approve it. */
  change?: string;
  /** Asked before an irreversible change. */
  confirm?: { question: string; confirmLabel: string };
  fields?: Record<string, FieldTexts>;
  /** The field of the response that is shown only once. */
  secret?: { name: string; title: string; text: string };
  /** The field's hint after the change. */
  done?: string;
  /** Shown below the form. */
  explain?: (answer: unknown) => React.ReactNode;
  /** Opened once the user has stored the secret: a path below the mode. */
  next?: (answer: unknown) => string;
};

const trimmed = (text: string) => text.trim();

const WEBHOOK_URL = "We post an event to this URL when a user has signed in.";

/** The keys are routes in the API's contract. */
export const OPERATION_TEXTS = {
  "POST /keys": {
    label: "Create key",
    busy: "Creating…",
    change: "Create an API key",
    fields: {
      name: {
        label: "Name",
        placeholder: "Laptop",
        hint: "Where you will use the key, so that you know later which key to revoke.",
      },
    },
    secret: {
      name: "key",
      title: "Your new key",
      text: "Copy the key now. We store only its hash and cannot show it again. Use it only on a server, never in a page or an app.",
    },
  },
  "DELETE /keys/:id": {
    label: "Revoke",
    busy: "Revoking…",
    change: "Revoke an API key",
    confirm: {
      question: "Everything that uses this key will stop working immediately.",
      confirmLabel: "Revoke key",
    },
  },
  "POST /domains": {
    label: "Register domain",
    busy: "Registering…",
    fields: {
      domain: {
        label: "Domain",
        placeholder: { live: "login.example.com", test: "localhost" },
        hint: {
          live: "The hostname that wallets will show.",
          test: "localhost and names under .test need no verification. Other names do, as in live mode.",
        },
        clean: hostnameOf,
      },
      webhook_url: {
        label: "Webhook URL",
        type: "url",
        placeholder: "https://login.example.com/webhook/events",
        hint: { live: WEBHOOK_URL, test: `${WEBHOOK_URL} Leave it empty to use your test inbox.` },
        fallback: () => window.location.origin + TEST_INBOX_PATH,
      },
    },
    secret: {
      name: "webhook_secret",
      title: "Registered. This is the domain’s webhook secret",
      text: "Your server uses it to check that an event comes from us. Copy it now, because it will not be shown again. You can create a new one at any time.",
    },
    next: (answer) => `/domains/${(answer as { id: string }).id}`,
  },
  "PATCH /domains/:id": {
    label: "Save URL",
    busy: "Saving…",
    change: "Change where events are sent",
    fields: { webhook_url: { label: "URL", type: "url", hint: "" } },
    done: "Saved. Pending events will be sent there too.",
  },
  "DELETE /domains/:id": {
    label: "Delete domain",
    busy: "Deleting…",
    change: "Delete a domain",
    confirm: {
      question: "This permanently deletes the domain’s sessions and events.",
      confirmLabel: "Delete it",
    },
    next: () => "/domains",
  },
  "POST /domains/:id/verify": { label: "Verify now", busy: "Looking…" },
  "POST /domains/:id/test-event": { label: "Send test event", busy: "Sending…" },
  "POST /domains/:id/rotate-secret": {
    label: "Rotate secret",
    busy: "Rotating…",
    change: "Create a new webhook secret",
    confirm: { question: "Your server will need the new secret.", confirmLabel: "Create a new secret" },
    secret: {
      name: "webhook_secret",
      title: "The new webhook secret",
      text: "Copy it now, because it will not be shown again. For 24 hours, webhook-signature also contains a signature made with the previous secret. x-svc-signature uses the new secret from now on.",
    },
  },
  "POST /deliveries/:id/resend": { label: "Send again", busy: "Sending…" },
  "POST /verify": {
    label: "Check signature",
    busy: "Checking…",
    fields: {
      // Text copied from a log often ends with a line break, which is not valid hex.
      public_key: { label: "Public key", rows: 2, clean: trimmed },
      signature: { label: "Signature", rows: 2, clean: trimmed },
      message: {
        label: "Message",
        rows: 2,
        hint: "The challenge, exactly as it was signed. It is hashed once with SHA-256.",
      },
    },
    explain: (answer) => <Verdict {...(answer as VerifiedSignature)} />,
  },
} satisfies Record<string, OperationTexts>;

export type ConsoleRoute = keyof typeof OPERATION_TEXTS;

/** Returns text that is not a URL unchanged. */
function hostnameOf(text: string): string {
  if (!/^https?:/i.test(text.trim())) return text;
  try {
    return new URL(text).hostname;
  } catch {
    return text;
  }
}

function Verdict({ valid, public_key, message_hash }: VerifiedSignature) {
  return (
    <>
      <Notice tone={valid ? "success" : "warning"}>
        {valid
          ? "Valid: the holder of this key signed exactly this message."
          : "Not valid: the key and the signature are well-formed, but this key did not sign this message."}
      </Notice>
      <Facts>
        <Fact name="Key, as we store it">
          <code className="font-mono">{public_key}</code>
        </Fact>
        <Fact name="Hash of the message">
          <code className="font-mono">{message_hash}</code>
        </Fact>
      </Facts>
    </>
  );
}
