"use client";

import { requestChange } from "@svc/login/recovery";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useSWRConfig } from "swr";
import { useApproval } from "#components/approval/approval-provider.tsx";
import { Button } from "#components/ui/button.tsx";
import type { ButtonLook } from "#components/ui/button-link.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readField } from "#lib/login/client/fetch-json.ts";
import { CONSOLE_API } from "./use-live.ts";

/** A change that a page of the console asks for: whether it is under way, and why the last one failed. */
export function useConsoleAction(mode: ApiMode) {
  const [pending, start] = useTransition();
  const ask = useApproval();
  const [failure, setFailure] = useState<ConsoleFailure | null>(null);
  const run = (
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    onDone: (answer: unknown) => void,
    onFailed?: () => void,
  ) =>
    start(async () => {
      setFailure(null);
      const answer = await ask(() => askConsole(mode, method, path, body), nameOf(method, path));
      if (answer.done) onDone(answer.body);
      else {
        setFailure(answer);
        onFailed?.();
      }
    });
  return { pending, failure, run };
}

const CHANGES: [RegExp, string][] = [
  [/^POST \/keys$/, "Create an API key"],
  [/^DELETE \/keys\//, "Revoke an API key"],
  [/^POST \/domains\/[^/]+\/rotate-secret$/, "Make a new webhook secret"],
  [/^PATCH \/domains\//, "Change where events are sent"],
  [/^DELETE \/domains\//, "Delete a domain"],
];

/** What the user approves, where a change needs it. */
function nameOf(method: string, path: string): string | undefined {
  return CHANGES.find(([request]) => request.test(`${method} ${path}`))?.[1];
}

/** Why a change did not happen, in words for people. */
type ConsoleFailure = {
  message: string;
  /** What is wrong with which field. */
  fields: Record<string, string>;
};

/** Asks the console's endpoints for a change; never throws. */
async function askConsole(mode: ApiMode, method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown) {
  const result = await requestChange(`${CONSOLE_API}${mode}${path}`, method, body);
  return result.done ? result : { ...result, fields: readFields(result.details) };
}

function readFields(details: unknown): Record<string, string> {
  const fields: object = Object(readField(details, "fields"));
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, String(text)]));
}

/** Why a change did not happen, if no field says it; read aloud when it appears. */
export function FailureLine({ failure }: { failure: ConsoleFailure | null }) {
  return (
    <p role="alert" className="text-danger text-sm empty:absolute">
      {failure && Object.keys(failure.fields).length === 0 && failure.message}
    </p>
  );
}

/** A button that asks for a change without a body. Whatever came of it, the server then shows. */
export function ActionButton({
  mode,
  path,
  label,
  pendingLabel,
  disabled = false,
  ...look
}: {
  mode: ApiMode;
  path: string;
  label: string;
  pendingLabel: string;
  disabled?: boolean;
} & ButtonLook) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction(mode);
  const { mutate } = useSWRConfig();
  // The page, and the lists on it that keep themselves up to date.
  const show = () => {
    void mutate((key) => typeof key === "string" && key.startsWith(CONSOLE_API));
    router.refresh();
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        {...look}
        disabled={pending || disabled}
        onClick={() => run("POST", path, undefined, show, show)}
      >
        {pending ? pendingLabel : label}
      </Button>
      <FailureLine failure={failure} />
    </div>
  );
}

/** A secret that is shown now and never again, until its owner says that it is kept. */
export function SecretOnce({
  title,
  secret,
  children,
  onKept,
}: {
  title: string;
  secret: string;
  children: React.ReactNode;
  onKept: () => void;
}) {
  return (
    <div role="status" className="grid gap-3 rounded-base border border-success p-4">
      <div>
        <p className="font-semibold">{title}</p>
        <p className="text-muted-foreground text-sm">{children}</p>
      </div>
      <code className="wrap-anywhere rounded-base bg-muted p-3 font-mono text-sm">{secret}</code>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret} variant="primary">
          Copy
        </CopyButton>
        <Button onClick={onKept}>I have stored it</Button>
      </div>
    </div>
  );
}
