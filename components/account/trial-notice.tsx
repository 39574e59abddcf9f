import { ButtonLink } from "#components/ui/button-link.tsx";
import { Notice } from "#components/ui/notice.tsx";

/** Tells whose only key was a trial wallet's what that means, and how to keep the account. */
export function TrialNotice() {
  return (
    <Notice tone="warning">
      <p>
        You signed in with a wallet for trying out, and it went with the page that made it. This browser is
        the only way into your account now: when you sign out, the account is out of reach for good.
      </p>
      <p className="mt-2">
        To keep it, add a wallet that lasts within ten minutes of signing in. Later that takes the approval of
        a wallet that the account knows already, and you have none.
      </p>
      <ButtonLink variant="primary" size="small" href="/dashboard/add" className="mt-3">
        Add a lasting wallet
      </ButtonLink>
    </Notice>
  );
}
