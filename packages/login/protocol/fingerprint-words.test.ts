import { expect, test } from "vitest";
import { fingerprintWords } from "./fingerprint-words.ts";

test.each(["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "", "1A2B 3C4D 5E6F 7081", "1a2b3c4d5e6f7081"])(
  "returns null for text that is not a fingerprint: %j",
  (name) => {
    expect(fingerprintWords(name)).toBeNull();
  },
);
