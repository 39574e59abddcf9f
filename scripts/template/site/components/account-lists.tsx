"use client";

import type { Account } from "@svc/login";
import { endBrowser, removeSignInMethod } from "@svc/login/account";
import { ChangeButton } from "@/components/approval/approval-provider.tsx";
import { LocalTime, Section } from "@/components/ui.tsx";
import { useWords } from "@/components/words/words.tsx";

const ROW = "flex flex-wrap items-center justify-between gap-3 border-t py-3 last:pb-0";

/** The user's sign-in methods. The last one cannot be removed. */
export function SignInMethods({ signInMethods }: Pick<Account, "signInMethods">) {
  const { dashboard } = useWords();
  return (
    <Section id="sign-in-methods" title={dashboard.signInMethods}>
      {signInMethods.map(({ id, name, label, addedAt }) => (
        <div key={id} className={ROW}>
          <p className="wrap-anywhere">
            {label ?? name}, {dashboard.added(<LocalTime iso={addedAt} />)}
          </p>
          {signInMethods.length > 1 && (
            <ChangeButton ask={() => removeSignInMethod(id)} busy={dashboard.removing} variant="danger">
              {dashboard.remove}
            </ChangeButton>
          )}
        </div>
      ))}
    </Section>
  );
}

/** The browsers in which the user is signed in. */
export function Browsers({ browsers }: Pick<Account, "browsers">) {
  const { controls, dashboard } = useWords();
  return (
    <Section id="browsers" title={dashboard.browsers}>
      {browsers.map(({ id, name, lastSeenAt, isCurrent }) => (
        <div key={id} className={ROW}>
          <p>
            {controls.browser(name)},{" "}
            {isCurrent ? dashboard.thisBrowser : dashboard.lastSeen(<LocalTime iso={lastSeenAt} />)}
          </p>
          {!isCurrent && (
            <ChangeButton ask={() => endBrowser(id)} busy={dashboard.signingOut} variant="danger">
              {dashboard.signOutThere}
            </ChangeButton>
          )}
        </div>
      ))}
    </Section>
  );
}
