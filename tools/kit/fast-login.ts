import { z } from "zod";
import type { Fields } from "#packages/conformance/fast/bitcoin-wallet.ts";
import { Client, expectStatus } from "./client.ts";
import { FastWallet } from "./test-wallet.ts";

/** As specified (docs/protocol.md#61-get-apigetqrcode). */
const FastQr = z.strictObject({
  qr: z.string(),
  sid: z.string(),
  status: z.union([z.literal(0), z.literal(1)]),
});
type FastQr = z.infer<typeof FastQr>;

export async function requestFastQr(browser: Client, query: Record<string, string> = {}): Promise<FastQr> {
  const response = await expectStatus(await browser.fetch(`/api/getqrcode?${new URLSearchParams(query)}`));
  return FastQr.parse(await response.json());
}

export function postWalletForm(
  client: Client,
  qr: string,
  fields: Partial<Fields> & { platform?: string },
): Promise<Response> {
  const { pathname, search } = new URL(qr);
  return client.postForm(pathname + search, fields);
}

/** The wallet has a different IP address from the browser. */
export async function startFastLogin(url: string) {
  const browser = new Client(url);
  const { qr, sid } = await requestFastQr(browser);
  return { browser, qr, sid, wallet: new FastWallet(), phone: new Client(url) };
}

export async function checkFastLogin(client: Client, sid: string): Promise<unknown> {
  return (await client.fetch(`/api/checkfast?${new URLSearchParams({ sid })}`)).json();
}

/** The browser is not signed in yet. */
export async function answerFastLogin(
  url: string,
  wallet = new FastWallet(),
  browser = new Client(url),
  query: Record<string, string> = {},
) {
  const { qr, sid } = await requestFastQr(browser, query);
  await expectStatus(await postWalletForm(new Client(url), qr, wallet.fields(qr)));
  return { browser, wallet, sid, qr };
}

/** Returns the final path and the last response of `/dashboard?sid=`. */
export async function enterDashboard(
  browser: Client,
  sid: string,
): Promise<{ path: string; response: Response }> {
  let path = `/dashboard?${new URLSearchParams({ sid })}`;
  for (let hops = 0; hops < 5; hops++) {
    const response = await browser.fetch(path);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return { path, response };
    const next = new URL(location, new URL(path, browser.url));
    path = next.pathname + next.search;
  }
  throw new Error("too many redirects");
}
