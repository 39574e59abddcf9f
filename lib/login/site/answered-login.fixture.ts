import { VirtualWallet } from "../testing/virtual-wallet.ts";
import type { Login } from "./create-login.ts";

export const ORIGIN = "https://shop.example";

/** What every site of a test is set up with, besides its database. */
export const SETTINGS = {
  origin: new URL(ORIGIN),
  qrFormat: "svc",
  secrets: ["a secret of thirty-two characters"],
  trustedProxies: 0,
} as const;

/** A wallet response, as a request to the site. */
export function walletResponse(
  wallet: VirtualWallet,
  challenge: string,
  action: "login" | "register" = "register",
): Request {
  return new Request(`${ORIGIN}/webhook/${action}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wallet.sign(challenge)),
  });
}

/** A registration that a wallet has answered, and the cookie of the browser that started it. */
export async function answeredLogin(login: Pick<Login, "routes">, wallet = new VirtualWallet()) {
  const code = await login.routes.GET(new Request(`${ORIGIN}/api/svc/qr?mode=register`));
  const { sid, challenge }: { sid: string; challenge: string } = await code.json();
  const response = await login.routes.POST(walletResponse(wallet, challenge));
  if (response.status !== 200) throw new Error(`the wallet response was answered with ${response.status}`);
  return { sid, cookie: cookiesOf(code) };
}

/** The cookies that an answer sets, as the next request sends them. */
export function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
