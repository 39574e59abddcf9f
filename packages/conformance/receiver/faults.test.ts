import { describe, expect, test } from "vitest";
import { closeAfterTest } from "../testing/reference.fixture.ts";
import { type ReceiverFamily, startReferenceReceiver } from "../testing/reference-receiver.fixture.ts";
import type { ReceiverId } from "../texts/receiver.ts";
import { RECEIVER_CHECKS, runReceiver } from "./checks.ts";

const MADE_401: ReceiverId[] = [
  "5.6-unsigned-kinds",
  "5.6-changed-body",
  "5.6-keys",
  "5.6-other-secret",
  "5.6-signature-whole",
];

/** The signatures that the faulty receiver verifies, and the checks that must fail. */
const FAULTS: [fault: string, family: ReceiverFamily, fails: readonly ReceiverId[]][] = [
  ["rewritten", "svc", ["5.6-changed-body", "5.6-malformed", "5.6-raw-bytes"]],
  ["rewritten", "standard", ["5.6-changed-body", "5.6-malformed", "5.6-raw-bytes"]],
  ["refuses-403", "svc", [...MADE_401, "5.6-unsigned"]],
  ["any-signature", "svc", [...MADE_401, "5.6-error-body"]],
  ["unsigned-taken", "svc", ["5.6-unsigned", "5.6-unsigned-kinds"]],
  ["test-unsigned", "svc", ["5.6-unsigned-kinds"]],
  ["undone-unsigned", "standard", ["5.6-unsigned-kinds"]],
  ["length-believed", "svc", ["5.6-chunked"]],
  ["first-chunk", "standard", ["5.6-chunked"]],
  ["needs-length", "svc", []],
  ["prefix-taken", "svc", ["5.6-signature-whole"]],
  ["either-key", "svc", ["5.6-keys"]],
  ["needs-standard", "svc", ["5.6-svc-signature"]],
  ["parse-throws", "svc", ["5.6-malformed"]],
  ["twice-throws", "svc", ["5.6-again", "5.6-at-once"]],
  ["in-order", "svc", ["5.6-order"]],
  ["test-unknown", "svc", ["5.6-test-event"]],
  ["type-unknown", "svc", ["5.6-unknown-type"]],
  ["strict", "svc", ["5.6-unknown-fields"]],
  ["plain-errors", "svc", ["5.6-error-body"]],
  ["any-method", "svc", ["5.6-method"]],
  ["old-taken", "standard", ["5.6-old"]],
  ["future-taken", "standard", ["5.6-future"]],
  ["impatient", "standard", ["5.6-late", "5.6-order"]],
  ["id-unsigned", "standard", ["5.6-signed-id"]],
  ["timestamp-unsigned", "standard", ["5.6-signed-timestamp"]],
  ["one-signature", "standard", ["5.6-rotation"]],
  ["any-version", "standard", ["5.6-other-version"]],
  ...(["either", "both"] as const).flatMap((family): typeof FAULTS => [
    ["old-taken", family, ["5.6-old"]],
    ["future-taken", family, ["5.6-future"]],
    ["id-unsigned", family, ["5.6-signed-id"]],
    ["timestamp-unsigned", family, ["5.6-signed-timestamp"]],
    ["one-signature", family, ["5.6-rotation"]],
    ["any-version", family, ["5.6-other-version"]],
  ]),
];

async function tryOut(family: ReceiverFamily, faults: readonly string[]) {
  const { url, secret } = await closeAfterTest(startReferenceReceiver(family, faults));
  return (await runReceiver({ url, secret, timeoutSeconds: 30, lanes: 1 })).results;
}

test.each(["svc", "standard", "either", "both"] as const)(
  "passes a correct receiver that checks %s",
  async (family) => {
    const results = await tryOut(family, []);
    expect(results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([]);
    expect(results.length).toBe(RECEIVER_CHECKS.length);
  },
);

describe("a receiver with one fault", () => {
  test.each(FAULTS)(
    "fails exactly the checks that name this fault: %s (%s)",
    async (fault, family, expected) => {
      const results = await tryOut(family, [fault]);
      const failed = results.filter(({ outcome }) => outcome === "failed").map(({ check }) => check.id);
      expect(failed.toSorted()).toEqual(expected.toSorted());
    },
  );
});

test.each([
  ["redirects", "5.6-no-redirect"],
  ["session-unknown", "5.6-unknown-session"],
])("a receiver that rejects every event because it %s also fails %s", async (fault, id) => {
  const failed = (await tryOut("svc", [fault])).filter(({ outcome }) => outcome === "failed");
  expect(failed.map(({ check }) => check.id)).toEqual(expect.arrayContaining([id, "5.6-taken"]));
});
