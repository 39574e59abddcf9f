"use client";

import type { Account, SignInMethod } from "@svc/login";
import { nameSignInMethod, removeSignInMethod } from "@svc/login/account";
import { fingerprintWords } from "@svc/login/protocol";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useChange } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Button } from "../ui/button.tsx";
import { joinClassNames } from "../ui/button-look.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { ConfirmButton } from "../ui/dialog.tsx";
import { Badge, Problem, Section } from "../ui/elements.tsx";
import { Bitcoin, ChevronRight, Ellipsis, Smartphone, TimerOff } from "../ui/icons.tsx";
import { TimeAgo } from "../ui/time.tsx";

export type ListedSignInMethod = SignInMethod & {
  /** Names the method until the user chooses a name. */
  device?: string;
  /** For example for a temporary wallet's key, which can no longer sign in. */
  isGone?: boolean;
};

/**
 * The user can rename each method, and remove all but the last one that works.
 * @param props.account the result of `login.account.of(headers)`
 * @param props.actions shown next to the heading, such as a link to a page that adds a sign-in method
 * @param props.children further items in the list
 */
export function SignInMethods({
  account: { signInMethods, signedInWith },
  actions,
  className,
  children,
}: {
  account: { signInMethods: ListedSignInMethod[]; signedInWith: Account["signedInWith"] };
  actions?: React.ReactNode;
  className?: string;
  children?: React.ReactNode;
}) {
  const { account } = useTexts();
  const working = signInMethods.filter(({ isGone }) => !isGone).length;
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
            isLast={signInMethods.length === 1 || (working === 1 && !method.isGone)}
          />
        ))}
        {children}
      </ul>
    </Section>
  );
}

type MethodProps = { method: ListedSignInMethod; isCurrent: boolean; isLast: boolean };

function Method({ method, isCurrent, isLast }: MethodProps) {
  const { kind, name, label, device, isGone = false, addedAt, lastUsedAt } = method;
  const { account } = useTexts();
  const words = fingerprintWords(name)?.join(" ") ?? null;
  const title = label ?? device ?? words ?? name;
  const Icon = isGone ? TimerOff : kind === "address" ? Bitcoin : Smartphone;
  return (
    <li className="svc-row">
      <Icon aria-hidden className="svc-row-icon" strokeWidth={1.5} />
      <div className="svc-row-text">
        <p className="svc-strong">{title}</p>
        {words && words !== title && <p className="svc-small-text">{words}</p>}
        {label && device && kind !== "address" && <p className="svc-note">{device}</p>}
        <p className="svc-note">
          {lastUsedAt
            ? account.lastUsed(<TimeAgo iso={lastUsedAt} />)
            : account.added(<TimeAgo iso={addedAt} />)}
        </p>
        <p className="svc-badges">
          {isCurrent && <Badge tone="success">{account.current}</Badge>}
          {isGone && <Badge tone="warning">{account.gone}</Badge>}
          {method.isFromBeforeRecovery && <Badge tone="warning">{account.beforeRecovery}</Badge>}
        </p>
        {kind === "address" ? (
          <CopyableName name={name} />
        ) : (
          <details className="svc-small-text">
            <summary className="svc-summary">
              <ChevronRight aria-hidden className="svc-icon" />
              {account.showFingerprint}
            </summary>
            <CopyableName name={name} />
          </details>
        )}
      </div>
      <MethodActions
        method={method}
        name={label ?? (device ? `${device}, ${name}` : (words ?? name))}
        isLast={isLast}
      />
    </li>
  );
}

function CopyableName({ name }: { name: string }) {
  const { account } = useTexts();
  return (
    <div className="svc-inline svc-one-line">
      <span className="svc-mono svc-small-text">{name}</span>
      <CopyButton text={name} iconOnly>
        {account.copy}
      </CopyButton>
    </div>
  );
}

/** The server refuses longer names. */
const LABEL_LENGTH = 60;

function MethodActions({
  method: { id, label },
  name,
  isLast,
}: {
  method: SignInMethod;
  name: string;
  isLast: boolean;
}) {
  const router = useRouter();
  const { account, controls } = useTexts();
  const [isNaming, setNaming] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const { pending, problem, change, forgetProblem } = useChange();
  const removal = `${account.remove} ${name}`;
  const onDone = () => {
    setNaming(false);
    router.refresh();
  };
  const cancel = () => {
    setNaming(false);
    forgetProblem();
  };
  const rename = (form: FormData) =>
    change(() => nameSignInMethod(id, String(form.get("label"))), onDone, account.rename);
  if (isNaming) {
    return (
      <form
        className="svc-inline svc-unfolded"
        onSubmit={(event) => {
          event.preventDefault();
          rename(new FormData(event.currentTarget));
        }}
      >
        <label className="svc-inline svc-one-line">
          <span className="svc-label">{account.name}</span>
          <input
            name="label"
            defaultValue={label ?? ""}
            maxLength={LABEL_LENGTH}
            autoComplete="off"
            // biome-ignore lint/a11y/noAutofocus: the field takes the place of the button that was pressed
            autoFocus
            onKeyDown={({ key }) => key === "Escape" && cancel()}
            className="svc-input svc-small"
          />
        </label>
        <Button type="submit" size="small" disabled={pending}>
          {account.save}
        </Button>
        <Button size="small" disabled={pending} onClick={cancel}>
          {controls.cancel}
        </Button>
        <Problem>{problem}</Problem>
      </form>
    );
  }
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        className="svc-icon-only svc-unfold"
        aria-label={account.actions(name)}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden className="svc-icon" />
      </Button>
      <div className={joinClassNames("svc-inline", isOpen ? "svc-unfolded" : "svc-folded")}>
        <Button size="small" aria-label={`${account.rename} ${name}`} onClick={() => setNaming(true)}>
          {account.rename}
        </Button>
        {!isLast && (
          <ConfirmButton
            label={account.remove}
            describe={removal}
            question={account.removeQuestion}
            confirmLabel={account.remove}
            busy={account.removing}
            pending={pending}
            problem={problem}
            onConfirm={() => change(() => removeSignInMethod(id), onDone, removal)}
          />
        )}
      </div>
    </>
  );
}
