import { expect, test } from "vitest";
import { parseDockerfile } from "./dockerfile.ts";

test("parses a Dockerfile step by step", () => {
  const text =
    '# a comment\nFROM a:1 AS build\nRUN make it\nRUN --mount=type=cache,target=/x/kept make more\n\nFROM b:2\nCOPY --from=build /x y ./\nCMD ["c", "d"]\n';
  expect(parseDockerfile(text)).toEqual([
    {
      image: "a:1",
      as: "build",
      steps: [
        { name: "RUN", parts: { command: "make it", cache: "" } },
        { name: "RUN", parts: { command: "make more", cache: "/x/kept" } },
      ],
    },
    {
      image: "b:2",
      as: "",
      steps: [
        { name: "COPY", parts: { from: "build", sources: "/x y", target: "./" } },
        { name: "CMD", parts: { argv: '["c", "d"]' } },
      ],
    },
  ]);
});

test.each([
  "RUN first",
  "FROM a\nADD x y",
  "FROM a\nRUN make \\",
  "FROM a\nRUN rm /etc/passwd",
  "FROM a\nRUN --mount=type=secret,id=x make",
  "FROM a\nCOPY --chown=node x y",
  "FROM a\nCMD node server.js",
  "FROM a\nHEALTHCHECK NONE",
  "FROM a\nENV A=1 B=2",
])("refuses a step that the test cannot reproduce: %j", (text) => {
  expect(() => parseDockerfile(text)).toThrow();
});
