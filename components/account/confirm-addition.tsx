"use client";

import { addSignInMethod, nameSignInMethod } from "@svc/login/account";
import { useState } from "react";
import { readTextField } from "#packages/login/client/fetch-json.ts";
import { useRefusal } from "#packages/react/approval/approval-provider.tsx";
import { KeyConfirmation } from "#packages/react/login/confirm-key.tsx";
import { TextField } from "#packages/react/ui/text-field.tsx";

const LABEL_LENGTH = 60;

export function ConfirmAddition({ sid, example }: { sid: string; example: string }) {
  const refusal = useRefusal();
  const [name, setName] = useState("");
  const confirm = async () => {
    const result = await addSignInMethod(sid);
    // An approval would replace the browser session, so the QR code would no longer be valid.
    if (!result.done) return result.approval ? TOO_LATE : refusal(result);
    const id = readTextField(result.body, "id");
    // If naming fails, the key has still been added, and the user can name it on the dashboard.
    if (id && name.trim()) await nameSignInMethod(id, name);
    window.location.assign("/dashboard");
    return null;
  };
  return (
    <>
      <TextField
        label="Name (optional)"
        hint={`A name that you will recognise later, such as “${example}”`}
        autoComplete="off"
        maxLength={LABEL_LENGTH}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <KeyConfirmation declineHref="/dashboard" busyLabel="Adding…" confirm={confirm}>
        Add it
      </KeyConfirmation>
    </>
  );
}

const TOO_LATE =
  "Nothing was added, because your approval is more than ten minutes old. Go back to the dashboard and start again.";
