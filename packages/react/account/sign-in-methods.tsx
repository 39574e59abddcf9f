"use client";

import type { Account, SignInMethod } from "@svc/login";
import { nameSignInMethod, removeSignInMethod } from "@svc/login/account";
import { fingerprintWords } from "@svc/login/protocol";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Badge, Problem, Section } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";

/**
 * The user's sign-in methods. They can be named, and all but the last removed.
 * @param props.account as `login.account.of(headers)` returns it
 * @param props.actions shown next to the heading, such as a link to a page that adds one
 */
export function SignInMethods({
  account: { signInMethods, signedInWith },
  actions,
  className,
}: {
  account: Pick<Account, "signInMethods" | "signedInWith">;
  actions?: React.ReactNode;
  className?: string;
}) {
  const { account } = useTexts();
  return (
    <Section
      id="sign-in-methods"
      title={account.signInMethods}
      text={account.signInMethodsText}
      actions={actions}
      className={className}
    >
      <ul className="svc-rows">
        {signInMethods.map((method) => (
          <Method
            key={method.id}
            method={method}
            isCurrent={method.name === signedInWith}
            isLast={signInMethods.length === 1}
          />
        ))}
      </ul>
    </Section>
  );
}

/** Longer names are cut by the server. */
const LABEL_LENGTH = 60;

function Method({
  method,
  isCurrent,
  isLast,
}: {
  method: SignInMethod;
  isCurrent: boolean;
  isLast: boolean;
}) {
  const { id, name, label, addedAt, lastUsedAt } = method;
  const router = useRouter();
  const { account, controls } = useTexts();
  const [isNaming, setNaming] = useState(false);
  const { pending, problem, change, forgetProblem } = useChange();
  const fingerprint = fingerprintWords(name)?.join(" ") ?? name;
  const shown = label ?? fingerprint;
  const onDone = () => {
    setNaming(false);
    router.refresh();
  };
  const rename = (form: FormData) =>
    change(() => nameSignInMethod(id, String(form.get("label"))), onDone, account.rename);
  return (
    <li className="svc-row">
      <div className="svc-row-text">
        <p className="svc-strong" title={name}>
          {shown}
        </p>
        <p className="svc-note">
          {label !== null && <span className="svc-note">{fingerprint}</span>}
          {lastUsedAt
            ? account.lastUsed(<LocalTime iso={lastUsedAt} />)
            : account.added(<LocalTime iso={addedAt} />)}
        </p>
        <p className="svc-badges">
          {isCurrent && <Badge tone="success">{account.current}</Badge>}
          {method.isFromBeforeRecovery && <Badge tone="warning">{account.beforeRecovery}</Badge>}
        </p>
      </div>
      {isNaming ? (
        <form
          className="svc-inline"
          onSubmit={(event) => {
            event.preventDefault();
            rename(new FormData(event.currentTarget));
          }}
        >
          <input
            name="label"
            aria-label={account.name}
            defaultValue={label ?? ""}
            maxLength={LABEL_LENGTH}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
            autoFocus
            className="svc-input svc-small"
          />
          <Button type="submit" size="small" disabled={pending}>
            {account.save}
          </Button>
          <Button
            size="small"
            disabled={pending}
            onClick={() => {
              setNaming(false);
              forgetProblem();
            }}
          >
            {controls.cancel}
          </Button>
          <Problem>{problem}</Problem>
        </form>
      ) : (
        <div className="svc-inline">
          <Button size="small" aria-label={`${account.rename}: ${shown}`} onClick={() => setNaming(true)}>
            {account.rename}
          </Button>
          {!isLast && (
            <ConfirmButton
              label={account.remove}
              describe={`${account.remove}: ${shown}`}
              question={account.removeQuestion}
              confirmLabel={account.removeConfirm}
              busy={account.removing}
              pending={pending}
              problem={problem}
              onConfirm={() => change(() => removeSignInMethod(id), onDone, `${account.remove}: ${shown}`)}
            />
          )}
        </div>
      )}
    </li>
  );
}
