"use client";

import type { Account, SignedInBrowser } from "@svc/login";
import { signOutBrowser } from "@svc/login/account";
import { fingerprintWords } from "@svc/login/protocol";
import { ChangeButton } from "../approval/approval-provider.tsx";
import { useTexts } from "../texts/texts.tsx";
import { Badge, Section } from "../ui/elements.tsx";
import { Monitor, Smartphone } from "../ui/icons.tsx";
import { TimeAgo } from "../ui/time.tsx";

/**
 * Lists this browser first. The user can sign out the others.
 * @param props.account the result of `login.account.of(headers)`; a site can replace `signedInWith` with its own text
 * @param props.actions shown next to the heading, such as a button that signs out all browsers
 */
export function Browsers({
  account: { browsers },
  actions,
  className,
}: {
  account: Pick<Account, "browsers">;
  actions?: React.ReactNode;
  className?: string;
}) {
  const { account } = useTexts();
  return (
    <Section
      id="browsers"
      title={account.browsers}
      text={account.browsersText(browsers.length - 1)}
      actions={actions}
      className={className}
    >
      <ul className="svc-rows">
        {[...browsers]
          .sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
          .map((browser) => (
            <Browser key={browser.id} {...browser} />
          ))}
      </ul>
    </Section>
  );
}

function Browser({ id, name, isMobile, signedInWith, signedInAt, lastSeenAt, isCurrent }: SignedInBrowser) {
  const { account, controls } = useTexts();
  const browserName = controls.browser(name);
  const Icon = isMobile ? Smartphone : Monitor;
  return (
    <li className="svc-row">
      <Icon aria-hidden className="svc-row-icon" strokeWidth={1.5} />
      <div className="svc-row-text">
        <p className="svc-strong">{browserName}</p>
        <p className="svc-note">
          {account.signedInWith(
            fingerprintWords(signedInWith)?.join(" ") ?? signedInWith,
            <TimeAgo iso={signedInAt} />,
          )}
        </p>
        {isCurrent ? (
          <p className="svc-badges">
            <Badge tone="success">{account.thisBrowser}</Badge>
          </p>
        ) : (
          <p className="svc-note">{account.lastSeen(<TimeAgo iso={lastSeenAt} />)}</p>
        )}
      </div>
      {!isCurrent && (
        <ChangeButton
          ask={() => signOutBrowser(id)}
          busyLabel={controls.signingOut}
          variant="danger"
          describe={`${account.signOutThere} ${browserName}`}
        >
          {account.signOutThere}
        </ChangeButton>
      )}
    </li>
  );
}
