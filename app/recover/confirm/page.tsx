import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { ConfirmRecovery } from "#components/recovery/confirm-recovery.tsx";
import { Container } from "#components/site/container.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { browserSecret } from "#lib/account/browser-secret.ts";
import { recoveryDelaySeconds } from "#lib/account/take-recovery-effect.ts";
import { isSid } from "#lib/login/protocol/qr-payload.ts";
import { hashSecret } from "#lib/login/server/random.ts";
import { now } from "#lib/platform/clock.ts";
import { loginCore } from "#lib/platform/login.ts";
import { recoveryOf, statusOf } from "#lib/recovery/open-recovery.ts";
import { findRecoveringKey, type RecoveringKey } from "#lib/recovery/store/recovery.ts";
import { credentialName } from "../../dashboard/credential-name.ts";

export const metadata: Metadata = { title: "Confirm your new wallet", robots: { index: false } };

/** Shows what answered a recovery's code, for the person who recovers: whoever saw the code could have answered it. */
export default async function ConfirmRecoveryPage({ searchParams }: PageProps<"/recover/confirm">) {
  const recovery = await recoveryOf(loginCore(), await headers());
  if (!recovery || statusOf(recovery, now()) !== "open") redirect("/recover");
  const { sid } = await searchParams;
  const key = typeof sid === "string" ? await findKey(sid, recovery.id) : null;
  return (
    <Container className="max-w-xl">
      <Card className="grid gap-5">
        {key ? <NewKey sid={String(sid)} flow={key} userId={recovery.userId} /> : <Nothing />}
      </Card>
    </Container>
  );
}

async function findKey(sid: string, recoveryId: string): Promise<RecoveringKey | null> {
  const secret = await browserSecret();
  if (secret === null || !isSid(sid)) return null;
  const browserHash = hashSecret(secret);
  return findRecoveringKey(loginCore().database, { now: now(), sid, browserHash, recoveryId });
}

function NewKey({
  sid,
  flow: { flow, value },
  userId,
}: {
  sid: string;
  flow: RecoveringKey;
  userId: number;
}) {
  const what = flow === "fast" ? "address" : "wallet";
  const delayed = recoveryDelaySeconds() > 0;
  return (
    <>
      <h1 className="font-semibold text-title">Is this your new {what}?</h1>
      <p>
        It answered the code. Once confirmed, it opens the account of user {userId}
        {delayed
          ? ", after a time in which signed-in browsers can cancel it"
          : ", and every other browser is signed out"}
        .
      </p>
      <p className="wrap-anywhere rounded-base border bg-muted p-4 text-center font-mono">
        {credentialName(value)}
      </p>
      <p className="text-muted-foreground text-sm">
        Compare it with what your wallet shows{flow === "fast" ? "" : " as the key’s fingerprint"}, to the
        last character. Your code is used up {delayed ? "when it takes effect" : "by this"}.
      </p>
      <ConfirmRecovery sid={sid} provider={flow === "fast" ? "fast" : "svc"} />
    </>
  );
}

function Nothing() {
  return (
    <>
      <h1 className="font-semibold text-title">There is nothing to confirm</h1>
      <p>The code was not answered, was used, or is over. Your recovery code was not used up.</p>
      <ButtonLink variant="primary" href="/recover">
        Show a new code
      </ButtonLink>
    </>
  );
}
