import { randomBytes } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { countRequests } from "#scripts/kit/sql.ts";

/** Ways around the limits by client address (docs/protocol.md#24-limits), behind the one proxy that is trusted here. */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const LIMIT = 120;

/** Asks for codes, a hundred at once, by turns in both processes; how many were refused. */
async function refused(count: number, headersOf: (index: number) => Record<string, string>): Promise<number> {
  const answers: number[] = [];
  while (answers.length < count) {
    const batch = Array.from({ length: Math.min(100, count - answers.length) }, async (_, place) => {
      const index = answers.length + place;
      const response = await fetch(`${index % 2 ? url : otherUrl}/api/getqrcode`, {
        headers: headersOf(index),
      });
      await response.body?.cancel();
      return response.status;
    });
    answers.push(...(await Promise.all(batch)));
  }
  expect(answers.filter((status) => ![200, 429].includes(status))).toEqual([]);
  return answers.filter((status) => status === 429).length;
}

const hex = (bytes: number) =>
  randomBytes(bytes)
    .toString("hex")
    .replace(/(.{4})(?=.)/g, "$1:");

/** As the counters name the /48. */
const networkOf = (prefix: string) =>
  `${prefix
    .split(":")
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/48`;

describe("a flood from one place counts as one client", () => {
  test("that takes another address of its own /64 for each request", async () => {
    const network = `2001:db8:${hex(4)}`;
    expect(await refused(LIMIT + 10, () => ({ "X-Forwarded-For": `${network}:${hex(8)}` }))).toBe(10);
  });

  test("that writes one IPv6 address in all its spellings, and IPv4 as IPv6", async () => {
    const [a, b] = [hex(2).replace(/^0+/, "") || "1", randomBytes(1)[0] ?? 1];
    const spellings = [
      `2001:db8:${a}::1`,
      `2001:0DB8:${a.toUpperCase()}:0:0:0:0:1`,
      `[2001:db8:${a}::1]:443`,
      `2001:db8:${a}:0000::1`,
    ];
    expect(await refused(LIMIT + 4, (index) => ({ "X-Forwarded-For": spellings[index % 4] ?? "" }))).toBe(4);
    const low = (100 * 256 + b).toString(16);
    const ipv4 = [
      `198.51.100.${b}`,
      `198.51.100.${b}:5000`,
      `::ffff:198.51.100.${b}`,
      `::ffff:c633:${low}`,
      `0:0:0:0:0:FFFF:C633:${low.toUpperCase()}`,
      `64:ff9b::c633:${low}`,
      `2002:c633:${low}::1`,
    ];
    const count = ipv4.length;
    expect(await refused(LIMIT + count, (index) => ({ "X-Forwarded-For": ipv4[index % count] ?? "" }))).toBe(
      count,
    );
  });

  test("that takes another /64 of its own /48 for each request: eight clients' share", async () => {
    const network = `2001:db8:${hex(2)}`;
    await countRequests(databaseUrl, { limit: "getqrcode", who: networkOf(network), count: 8 * LIMIT - 30 });
    const from = (index: number) => ({ "X-Forwarded-For": `${network}:${index.toString(16)}::1` });
    expect(await refused(50, from)).toBe(20);
    const neighbour = { "X-Forwarded-For": `2001:db8:${hex(2)}::1` };
    expect(await refused(1, () => neighbour)).toBe(0);
  });

  test("that is one /64: it uses up no more of its /48 than its own share", async () => {
    const network = `2001:db8:${hex(2)}`;
    await countRequests(databaseUrl, { limit: "getqrcode", who: networkOf(network), count: 7 * LIMIT - 30 });
    expect(await refused(2 * LIMIT, () => ({ "X-Forwarded-For": `${network}::1` }))).toBe(LIMIT);
    const others = (index: number) => ({ "X-Forwarded-For": `${network}:${(1 + index).toString(16)}::1` });
    expect(await refused(35, others)).toBe(5);
  });

  test("that forges what a proxy, a cache or the gate itself would say of it", async () => {
    const address = `203.0.113.${randomBytes(1)[0]}`;
    const forged = (index: number) => {
      const other = `10.9.${index}.1`;
      return {
        "X-Forwarded-For": `${other}, ${address}`,
        Forwarded: `for=${other}`,
        "X-Real-IP": other,
        "X-Client-Address": other,
        "X-Client-IP": other,
        "CF-Connecting-IP": other,
        "True-Client-IP": other,
        "X-Request-Id": other,
      };
    };
    expect(await refused(LIMIT + 7, forged)).toBe(7);
  });

  test("that asks by another method, or of another spelling of the address", async () => {
    const address = `10.77.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
    const ways = [
      "/api/svc/qr",
      "/api/svc/qr?mode=register",
      "/api/svc/qr?x=1",
      "/api/svc/qr?sid=x&mode=login",
    ];
    const statuses = await Promise.all(
      Array.from({ length: LIMIT + 8 }, async (_, index) => {
        const method = index % 2 ? "GET" : "HEAD";
        const response = await fetch(url + (ways[index % 4] ?? ""), {
          method,
          headers: { "X-Forwarded-For": address },
        });
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });
});
