"use client";

import { requestChange, signInAgainPath } from "@svc/login/client";
import { useParams, useRouter } from "next/navigation";
import type { FormEvent } from "react";
import useSWR, { mutate, useSWRConfig } from "swr";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { fetchJson, readField } from "#packages/login/client/fetch-json.ts";
import { useChange } from "#packages/react/approval/approval-provider.tsx";
import { useTexts } from "#packages/react/texts/texts.tsx";
import { Button } from "#packages/react/ui/button.tsx";
import type { ButtonLook } from "#packages/react/ui/button-look.tsx";
import { CopyButton } from "#packages/react/ui/copy-button.tsx";
import { Notice, TextLink } from "#packages/react/ui/elements.tsx";

const UNDER_WAY_MS = 1_000;
const AT_REST_MS = 5_000;

/** The prefix of the endpoints. Every page of the console uses the one of its own mode. */
export const CONSOLE_API = "/api/console/";

/** The SWR key under which a page notes whether the sign-in has ended. The notice above the page reads it. */
const SIGN_IN_ENDED = "the sign-in has ended";

/** Shows above a page of the console that it is no longer updated. */
export function SignInEnded() {
  const { status, signInAgain } = useTexts();
  const { data: ended } = useSWR<boolean>(SIGN_IN_ENDED, null);
  return (
    <div role="status" className="empty:absolute">
      {ended && (
        <Notice tone="warning" title={status.ended.title}>
          {status.ended.detail} <TextLink href={signInAgainPath()}>{signInAgain}</TextLink>
        </Notice>
      )}
    </div>
  );
}

/** The mode of the page, by its address. */
export const useMode = () => useParams<{ mode: ApiMode }>().mode;

/**
 * Keeps the data that the server rendered up to date. It polls while the page is visible, more often while something
 * is pending. After a failure SWR retries automatically with growing pauses.
 * @param path below the mode's endpoint; null sends no requests
 * @param initial the data that the page was rendered with
 */
export function useLive<Shown>(
  path: string | null,
  initial: Shown,
  isInProgress: (shown: Shown) => boolean,
): Shown {
  const url = CONSOLE_API + useMode();
  const { data } = useSWR<Shown>(path === null ? null : url + path, readLive, {
    fallbackData: initial,
    revalidateOnMount: initial === undefined,
    refreshInterval: (latest) => (isInProgress(latest ?? initial) ? UNDER_WAY_MS : AT_REST_MS),
    dedupingInterval: UNDER_WAY_MS / 2,
    keepPreviousData: true,
  });
  return data ?? initial;
}

async function readLive<Shown>(url: string): Promise<Shown> {
  const fetched = await fetchJson(url);
  await mutate(SIGN_IN_ENDED, fetched.kind === "ended", { revalidate: false });
  if (fetched.kind !== "ok") throw new Error(`${url}: ${fetched.kind}`);
  return fetched.body as Shown;
}

/** A change that a page of the console requests: whether it is in progress, and why the last one failed. */
export function useConsoleAction() {
  const mode = useMode();
  const { pending, refused, problem, change } = useChange();
  function run<Answer>(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: object | undefined,
    onDone: (answer: Answer) => void,
    onRefused?: () => void,
  ) {
    const request = () => requestChange(`${CONSOLE_API}${mode}${path}`, method, body);
    change(request, (answer) => onDone(answer as Answer), nameOf(method, path), onRefused);
  }
  const fields = sentences(Object(readField(refused?.details, "fields")));
  return { pending, failure: refused && { message: problem, fields }, run };
}

/** The error of each field as a sentence, because the API's texts are only parts of a sentence. */
function sentences(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, text.charAt(0).toUpperCase() + text.slice(1)]),
  );
}

/** The changes that need an approval, each in the words that the user approves. */
const CHANGES: [RegExp, string][] = [
  [/^POST \/keys$/, "Create an API key"],
  [/^DELETE \/keys\//, "Revoke an API key"],
  [/^POST \/domains\/[^/]+\/rotate-secret$/, "Make a new webhook secret"],
  [/^PATCH \/domains\//, "Change where events are sent"],
  [/^DELETE \/domains\//, "Delete a domain"],
];

function nameOf(method: string, path: string): string | undefined {
  return CHANGES.find(([request]) => request.test(`${method} ${path}`))?.[1];
}

/** Why a change failed, in plain text; `fields` contains the error of each field. */
type ConsoleFailure = { message: React.ReactNode; fields: Record<string, string> };

/** A submit handler that hands the form's fields to `ask`. */
export function onSubmit(ask: (fields: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask(new FormData(event.currentTarget));
  };
}

/** Why a change failed, unless a field shows it. A screen reader announces it when it appears. */
export function FailureLine({ failure }: { failure: ConsoleFailure | null }) {
  return (
    <p role="alert" className="text-danger text-sm empty:absolute">
      {failure && Object.keys(failure.fields).length === 0 && failure.message}
    </p>
  );
}

/** A button that requests a change without a body. The page is then refreshed, whether the change succeeded or not. */
export function ActionButton({
  path,
  label,
  pendingLabel,
  disabled = false,
  ...look
}: {
  path: string;
  label: string;
  pendingLabel: string;
  disabled?: boolean;
} & ButtonLook) {
  const router = useRouter();
  const { pending, failure, run } = useConsoleAction();
  const { mutate } = useSWRConfig();
  // Refresh the page and its lists.
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

/** A secret that is shown only once, until the user confirms that they have stored it. */
export function SecretOnce({
  title,
  secret,
  children,
  onStored,
}: {
  title: string;
  secret: string;
  children: React.ReactNode;
  onStored: () => void;
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
        <Button onClick={onStored}>I have stored it</Button>
      </div>
    </div>
  );
}
