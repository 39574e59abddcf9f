import { describeAskingBrowser, OTHER_NETWORK_WARNING } from "../asking-browser.ts";
import { type AddressType, describeAddress } from "../bitcoin-address.ts";
import { delegationUrl } from "../delegation-file.ts";
import { describeKey } from "../derive-key.ts";
import { fingerprintWords } from "../fingerprint-words.ts";
import { LINK_WARNINGS, REQUEST_TEXTS } from "../purpose.ts";
import { type Action, countSecondsLeft, type Payload, readPayload } from "../read-payload.ts";
import type { SiteRecords } from "../request.ts";
import { RequestFlow } from "../request-flow.ts";
import type { SendResult } from "../send-response.ts";
import { WalletError } from "../wallet-error.ts";
import type { SeedFileContent } from "./seed-file.ts";
import type { ReceiverList } from "./site-records-file.ts";

export type CommandContext = {
  opened: SeedFileContent;
  account: number;
  addressType: AddressType;
  siteRecords: SiteRecords & ReceiverList;
  say: (line: string) => void;
  platform: string;
  version: string;
};

/** The output of `wallet show`. */
export type DomainKeyOutput = {
  domain: string;
  account: number;
  path: string;
  public_key: string;
  fingerprint: string;
};

export type AnswerResult = Omit<SendResult, "signedIn"> &
  Partial<DomainKeyOutput> & {
    address?: string;
    address_type?: AddressType;
    action?: Action;
    webhook: string;
    /** Absent if the service does not report which browser is signed in. */
    browser?: { name: string };
    new_browser?: boolean;
    undo?: string | null;
  };

/**
 * By running the command, the user agrees to the answer, and to asking the domain about the host if needed.
 * @throws WalletError before anything is signed
 */
export async function answerScannedCode(
  verb: Action | "fast",
  scanned: string,
  context: CommandContext,
): Promise<AnswerResult> {
  const { opened, account, addressType, siteRecords, say, platform, version } = context;
  const payload = readPayload(scanned);
  refuseOtherCommand(payload, verb);
  const { kind, domain, webhook } = payload;
  const action = verb === "fast" ? undefined : verb;
  const flow = new RequestFlow({ siteRecords, action });
  await flow.ask(payload);
  await settleReceiver(payload, flow, say);
  if (flow.state().request?.phase !== "asking") throw reasonOf(flow);
  await printQuestion(payload, flow, context);
  const { seed, installation } = opened;
  const answer = await flow.approve(
    () => ({ seed, account, addressType, device: { platform, version, installation } }),
    {
      onRetry: ({ reason, waitSeconds }) =>
        say(
          `${reason === "unreachable" ? "No answer" : "The site has a problem"}; trying again in ${waitSeconds} s`,
        ),
    },
  );
  if (!answer) throw reasonOf(flow);
  const { key, signedIn, ...result } = answer;
  const { publicKey, fingerprint, address, path } = key;
  const signer = { account, path, public_key: publicKey };
  if (kind === "fast") return { ...result, address, address_type: addressType, ...signer, webhook };
  const browser = signedIn && {
    browser: { name: signedIn.name },
    new_browser: signedIn.isNew,
    undo: signedIn.undo,
  };
  return { ...result, domain, ...signer, fingerprint, action, webhook, ...browser };
}

/** One fact for the user's decision per line. Facts that do not apply are omitted. */
async function printQuestion(
  payload: Payload,
  flow: RequestFlow,
  { opened, account, addressType, siteRecords, say }: CommandContext,
): Promise<void> {
  const { kind, domain, intent, action, issuedAt, endsAt } = payload;
  const { hostname, host } = new URL(payload.webhook);
  const now = flow.siteClock.now(payload);
  const browser = flow.state().asking;
  const trustedHosts = await siteRecords.trustedHosts(domain);
  const previousReceiver = await siteRecords.findReceiver(domain);
  // The code passed the check, so the site itself allows this host.
  const isNamed = hostname !== domain && !trustedHosts.includes(hostname);
  const caution = intent && LINK_WARNINGS[intent];
  const remaining = `${countSecondsLeft(payload, now)} of ${endsAt - issuedAt} s`;
  const facts =
    kind === "fast"
      ? [
          ["Host", host],
          ["Action", intent ? REQUEST_TEXTS[intent] : "sign in with an address"],
          ["Caution", caution],
          ["Address", describeAddress(opened.seed, addressType, account).address],
          ["Left", remaining],
        ]
      : [
          ["Domain", domain],
          ["Action", intent ? REQUEST_TEXTS[intent] : action],
          ["Caution", caution],
          ["Webhook", host],
          ["Left", remaining],
          ["Key", formatKeyName(createDomainKeyOutput(domain, { opened, account }))],
          ["Browser", browser && describeAskingBrowser(browser, now)],
          ["Caution", browser?.network === "other" && OTHER_NETWORK_WARNING],
          ["Named", isNamed && `${domain} says that ${hostname} may receive its answers`],
          [
            "Changed",
            previousReceiver &&
              previousReceiver !== hostname &&
              `until now, answers for ${domain} went to ${previousReceiver}`,
          ],
        ];
  for (const [name, value] of facts) if (value) say(`${String(name).padEnd(9)}${value}`);
}

function refuseOtherCommand({ kind }: Payload, verb: Action | "fast"): void {
  if (kind === "fast" && verb !== "fast") {
    throw new WalletError("wrong_action", "This is a fast login code: use wallet fast.");
  }
  if (kind !== "fast" && verb === "fast") {
    throw new WalletError(
      "wrong_action",
      "This is not a fast login code: use wallet login or wallet register.",
    );
  }
}

/**
 * For a code that is allowed only with the site's consent.
 * @throws WalletError if the code expires in the meantime
 */
async function settleReceiver(
  payload: Payload,
  flow: RequestFlow,
  print: CommandContext["say"],
): Promise<void> {
  if (flow.state().request?.phase !== "elsewhere") return;
  print(`Asking   ${delegationUrl(payload.domain)}`);
  await flow.checkReceiver();
  if (countSecondsLeft(payload, flow.siteClock.now(payload)) > 0) return;
  throw new WalletError(
    "challenge_expired",
    `The code expired while the wallet was asking ${payload.domain} which servers may receive its answers. The reply is stored, so run this again with the new code.`,
  );
}

function reasonOf(flow: RequestFlow): unknown {
  const { request } = flow.state();
  return request?.phase === "refused" ? request.error : new Error("The wallet did not answer this code.");
}

/** As sites show it, so that the user can compare the wallet's key with the site's. */
export function formatKeyName({ fingerprint }: Pick<DomainKeyOutput, "fingerprint">): string {
  return `${fingerprintWords(fingerprint)}, ${fingerprint}`;
}

export function createDomainKeyOutput(
  domain: string,
  { opened, account }: Pick<CommandContext, "opened" | "account">,
): DomainKeyOutput {
  const { publicKey, ...identity } = describeKey(opened.seed, domain, account);
  return { ...identity, public_key: publicKey };
}
