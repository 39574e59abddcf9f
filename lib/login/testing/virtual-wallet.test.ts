import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { VirtualWallet } from "./virtual-wallet.ts";

test.each(["approve", "add", "recover", null])(
  "says that it showed the code's intent: %s",
  async (intent) => {
    const received: unknown[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      received.push(JSON.parse(Buffer.concat(parts).toString()));
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : null;
    const challenge = `svc:login:localhost:1700000000:${"A".repeat(32)}`;
    const webhook = `http://localhost:${port}/webhook/login`;
    const asked: Record<string, string> = intent === null ? {} : { intent };
    const codes = [
      `svc://auth?${new URLSearchParams({ webhook, session: "s", challenge, ...asked })}`,
      `${webhook}?${new URLSearchParams({ s: "s", c: challenge, ...asked })}`,
    ];
    for (const code of codes) expect(await new VirtualWallet().respond(code)).toBe(200);
    expect(received).toMatchObject([
      { challenge, intent },
      { challenge, intent },
    ]);
  },
);
