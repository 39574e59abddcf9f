import { answerCode } from "@svc/wallet/answer-code";
import { readPayload } from "@svc/wallet/read-payload";
import { toWalletRequest } from "@svc/wallet/request";
import { createTrialWallet } from "@svc/wallet/trial-wallet";
import { fetchJson, readField, readTextField } from "#packages/login/client/fetch-json.ts";

export type Outcome = { text: string; refusedBy?: "site" | "wallet" };

/** Every step sends real requests. */
type Attack = {
  title: string;
  text: string;
  steps: readonly string[];
  /** The index of the first step that must be refused. */
  refusedFrom: number;
  /** @throws if the site is unreachable */
  run: (attempt: Attempt) => Promise<void>;
};

type Attempt = {
  /** The domain that replaces the site's own. */
  domain: string;
  report: (outcome: Outcome) => void;
  /** Receives the QR code under attack. */
  show: (qr: string) => void;
};

export type AttackId = "steal" | "domain" | "replay";

/** The domain that replaces the site's own until the visitor enters another. */
export const OTHER_DOMAIN = "bank.example";

const READS_CODE = "This browser asks the site for a code.";

export const ATTACKS: Record<AttackId, Attack> = {
  steal: {
    title: "Show this code to someone else",
    text: "Anyone can photograph a code. A thief who has a photo of your code can wait until you approve, and then try to take over your session.",
    steps: [
      READS_CODE,
      "A thief photographs the code, and watches your login from another browser.",
      "You approve in your wallet.",
      "The thief asks for your session.",
    ],
    refusedFrom: 3,
    run: async ({ report, show }) => {
      const { sid, qr } = await issueCode({ report, show });
      report({ text: `The thief sees “${await statusOf(sid)}”.` });
      await answer(qr, report);
      const response = await fetch("/api/svc/sign-in", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        // Acts as another browser, which does not have this browser's cookies.
        credentials: "omit",
        body: JSON.stringify({ sid }),
      });
      report(
        await outcomeOf(
          response,
          "Only the browser that requested the code has the cookie that is needed to get the session.",
        ),
      );
    },
  },
  domain: {
    title: "Change the domain",
    text: "A code contains the name of the site that is asking. Replace the name, and see whether a wallet signs the code and whether a site accepts the answer.",
    steps: [
      READS_CODE,
      "You change the domain in the code.",
      "An honest wallet reads the changed code.",
      "A wallet that trusts everyone signs the changed code, and sends its answer to this site.",
    ],
    refusedFrom: 2,
    run: async ({ domain, report, show }) => {
      const { qr } = await issueCode({ report, show });
      const forged = withDomain(qr, domain);
      const payload = readPayload(forged);
      report({ text: payload.challenge });
      const read = toWalletRequest(payload, { now: payload.issuedAt });
      if (read.phase === "refused") report({ text: read.message, refusedBy: "wallet" });
      else report({ text: "The wallet asks its user, because this is the site’s real name." });
      await answer(forged, report, [new URL(payload.webhook).hostname]);
    },
  },
  replay: {
    title: "Replay the answer",
    text: "Your wallet’s answer travels over a network. Somebody records it, and sends the same bytes again.",
    steps: [
      READS_CODE,
      "You approve, and the site accepts the answer.",
      "A thief sends the recorded answer again.",
      "The thief sends the recorded signature for a new code.",
    ],
    refusedFrom: 2,
    run: async ({ report, show }) => {
      const { qr } = await issueCode({ report, show });
      const { webhook } = readPayload(qr);
      const recorded = await answer(qr, report);
      const post = (body: string) =>
        fetch(webhook, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          credentials: "omit",
          body,
        });
      report(await outcomeOf(await post(recorded), "A challenge works only once."));
      const next = await requestCode();
      const { challenge } = readPayload(next.qr);
      const mixedBody = JSON.stringify({ ...JSON.parse(recorded), challenge });
      report(await outcomeOf(await post(mixedBody), "A signature is valid for only one challenge."));
    },
  },
};

/** @throws if the site is unreachable */
async function requestCode(): Promise<{ sid: string; qr: string }> {
  const fetched = await fetchJson("/api/svc/qr?mode=register");
  const body = fetched.kind === "ok" ? fetched.body : null;
  const [sid, qr] = [readTextField(body, "sid"), readTextField(body, "qr")];
  if (!sid || !qr) throw new Error("The site did not issue a code.");
  return { sid, qr };
}

async function issueCode({ report, show }: Pick<Attempt, "report" | "show">) {
  const code = await requestCode();
  show(code.qr);
  report({ text: readPayload(code.qr).challenge });
  return code;
}

async function statusOf(sid: string): Promise<string> {
  const response = await fetch(`/api/svc/check?${new URLSearchParams({ sid })}`, { credentials: "omit" });
  return readTextField(await response.json(), "status") ?? "nothing";
}

/**
 * Uses a new temporary wallet.
 * @param trustedHosts hosts to which the wallet may send its responses for any site
 */
async function answer(
  qr: string,
  report: Attempt["report"],
  trustedHosts: readonly string[] = [],
): Promise<string> {
  const wallet = createTrialWallet(trustedHosts);
  let sentBody = "";
  try {
    const payload = readPayload(qr);
    const recording: typeof fetch = (url, init) => {
      sentBody = String(init?.body);
      return fetch(url, init);
    };
    const environment = { now: () => payload.issuedAt, fetch: recording };
    const { ok, status, message } = await answerCode(payload, wallet.unlock(), { trustedHosts }, environment);
    if (ok) report({ text: "The site accepted the answer (200)." });
    else
      report({
        text: `${message ?? "Refused."} (${status}) The site never issued this challenge.`,
        refusedBy: "site",
      });
  } finally {
    wallet.forget();
  }
  return sentBody;
}

/** Reports a vulnerability if the site did not refuse. */
async function outcomeOf(response: Response, rule: string): Promise<Outcome> {
  if (response.ok) return { text: `The site accepted the answer (${response.status}). Please report this.` };
  const message = readTextField(readField(await response.json(), "error"), "message");
  return { text: `${message ?? "Refused."} (${response.status}) ${rule}`, refusedBy: "site" };
}

function withDomain(qr: string, domain: string): string {
  const { challenge, domain: expectedDomain } = readPayload(qr);
  const forged = challenge.replace(`:${expectedDomain}:`, `:${domain}:`);
  return qr.replace(encodeURIComponent(challenge), encodeURIComponent(forged));
}
