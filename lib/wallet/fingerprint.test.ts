import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { deviceId } from "./device-info.ts";
import { fingerprint } from "./fingerprint.ts";
import vectors from "./vectors.json" with { type: "json" };

test("a fingerprint is the first 8 bytes of SHA-256 over the uncompressed key, in groups of four", () => {
  for (const key of vectors.keys) {
    expect(fingerprint(key.public_key)).toBe(key.fingerprint);
    const hash = createHash("sha256").update(key.public_key, "hex").digest("hex");
    expect(key.fingerprint.replaceAll(" ", "")).toBe(hash.slice(0, 16));
  }
});

test("a compressed key and capitals have the same fingerprint", () => {
  for (const { public_key, fingerprint: expected } of vectors.keys) {
    const parity = Number.parseInt(public_key.slice(-1), 16) % 2 ? "03" : "02";
    expect(fingerprint(parity + public_key.slice(2, 66))).toBe(expected);
    expect(fingerprint(public_key.toUpperCase())).toBe(expected);
  }
});

test.each(["", "04", "zz", `04${"1".repeat(128)}`])("%j is refused", (text) =>
  expect(() => fingerprint(text)).toThrow(expect.objectContaining({ code: "public_key_malformed" })),
);

test("a device id is stable for a domain, another at the next, and tells nothing of the installation", () => {
  const { installation, domain, device_id } = vectors.device_id;
  expect(deviceId(installation, domain)).toBe(device_id);
  expect(deviceId(installation, "example.org")).not.toBe(device_id);
  expect(device_id).not.toContain(installation.slice(0, 8));
});
