import { ChallengeAnatomy } from "#components/site/challenge-anatomy.tsx";
import { WhatTheSiteGets } from "#components/site/what-the-site-gets.tsx";
import type { ChallengePayload } from "#lib/wallet/read-payload.ts";
import { challengeParts } from "./request.ts";

/** What is signed and what the site gets, for people who want to know; open once it has been `told` to the site. */
export function RequestStory({ payload, told }: { payload: ChallengePayload; told: boolean }) {
  return (
    <details className="mt-4 border-t pt-2" open={told}>
      <summary className="flex min-h-11 cursor-pointer items-center rounded-base text-sm underline underline-offset-4">
        {told ? "What was signed, and what the site got" : "What is signed, and what the site gets"}
      </summary>
      <div className="grid gap-4 pt-2">
        <ChallengeAnatomy
          challenge={challengeParts(payload)}
          title={told ? "All that your wallet signed" : "All that your wallet signs"}
          className=""
        />
        <WhatTheSiteGets domain={payload.challenge.domain} over={told} />
      </div>
    </details>
  );
}
