import { expect, test } from "vitest";
import { de } from "./de.tsx";
import { en } from "./en.tsx";
import { preferredLanguage } from "./preferred-language.ts";

const language = (header: string) =>
  preferredLanguage(new Headers({ "Accept-Language": header }), ["en", "de"]);

test.each(["de", "de-AT,de;q=0.9,en;q=0.8", "fr, EN;q=0.4 , DE ; q=0.5", "en;q=0,de;q=0.1"])(
  "returns German texts if the browser prefers German: %j",
  (header) => expect(language(header)).toBe("de"),
);

test.each(["en,de", "fr", "*", "de;q=0", "de;q=x", "constructor", ";;,=;q=q=,", "en;q=1;q=0,de;q=0.5"])(
  "returns texts in the default language for any other Accept-Language: %j",
  (header) => expect(language(header)).toBe("en"),
);

test("returns texts in the default language if Accept-Language is missing", () => {
  expect(preferredLanguage(new Headers(), ["de", "en"])).toBe("de");
});

test("reads only the beginning of Accept-Language", () => {
  expect(language(`${"fr,".padEnd(254)}de`)).toBe("de");
  expect(language(`${"fr,".padEnd(255)}de`)).toBe("en");
});

function textsIn(part: unknown, path = ""): [string, unknown][] {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return [[path, part]];
  return Object.entries(part).flatMap(([name, value]) => textsIn(value, `${path}.${name}`));
}

test("contains a German text of the same type for each English text", () => {
  const german = new Map(textsIn(de));
  for (const [path, text] of textsIn(en)) {
    if (text !== null) expect(typeof german.get(path), path).toBe(typeof text);
  }
});
