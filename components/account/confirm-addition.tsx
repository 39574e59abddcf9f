"use client";

import { addSignInMethod } from "@svc/login/account";
import { useRefusal } from "#packages/react/approval/approval-provider.tsx";
import { ConfirmChoice } from "#packages/react/login/confirm-key.tsx";

/** Asks the user to confirm the key or address that answered the code. */
export function ConfirmAddition({ sid }: { sid: string }) {
  const refusal = useRefusal();
  const confirm = async () => {
    const result = await addSignInMethod(sid);
    // An approval would renew the session, which would end the code with the old session.
    if (!result.done) return result.approval ? TOO_LATE : refusal(result);
    window.location.assign("/dashboard");
    return null;
  };
  return (
    <ConfirmChoice declineHref="/dashboard" busy="Adding…" confirm={confirm}>
      Add it
    </ConfirmChoice>
  );
}

const TOO_LATE =
  "Nothing was added, because your approval is more than ten minutes old. Go back to the dashboard and start again.";
