import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../../tools/kit/receiver.ts";
import { VirtualWallet } from "./virtual-wallet.ts";

test.each(["approve", "add", "recover", null])(
  "reports the code's intent as the one that it showed: %s",
  async (intent) => {
    const server = await startReceiver("127.0.0.1", 0, (response) => response.end());
    onTestFinished(() => server.close());
    const challenge = `svc:login:localhost:1700000000:${"A".repeat(32)}`;
    const webhook = `${server.url}/webhook/login`;
    const query: Record<string, string> = intent === null ? {} : { intent };
    const codes = [
      `svc://auth?${new URLSearchParams({ webhook, session: "s", challenge, ...query })}`,
      `${webhook}?${new URLSearchParams({ s: "s", c: challenge, ...query })}`,
    ];
    for (const code of codes) expect(await new VirtualWallet().respond(code)).toBe(200);
    expect(server.received.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([
      { challenge, intent },
      { challenge, intent },
    ]);
  },
);
