"use client";

import type { Account } from "@svc/login";
import { endBrowser } from "@svc/login/account";
import { ChangeButton } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Badge, Section } from "../ui/elements.tsx";
import { LocalTime } from "../ui/time.tsx";

/**
 * The browsers in which the user is signed in. All but this one can be signed out.
 * @param props.account as `login.account.of(headers)` returns it
 */
export function Browsers({
  account: { browsers },
  className,
}: {
  account: Pick<Account, "browsers">;
  className?: string;
}) {
  const { account, controls } = useTexts();
  return (
    <Section
      id="browsers"
      title={account.browsers}
      text={account.browsersText(browsers.length - 1)}
      className={className}
    >
      <ul className="svc-rows">
        {browsers.map(({ id, name, lastSeenAt, isCurrent }) => (
          <li key={id} className="svc-row">
            <div className="svc-row-text">
              <p className="svc-strong">{controls.browser(name)}</p>
              {isCurrent ? (
                <p className="svc-badges">
                  <Badge tone="success">{account.thisBrowser}</Badge>
                </p>
              ) : (
                <p className="svc-note">{account.lastSeen(<LocalTime iso={lastSeenAt} />)}</p>
              )}
            </div>
            {!isCurrent && (
              <ChangeButton ask={() => endBrowser(id)} busyLabel={controls.signingOut} variant="danger">
                {account.signOutThere}
              </ChangeButton>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
