/**
 * The instructions that our Dockerfile uses, each in the one form that this parser supports. Any other instruction or
 * form is an error, so the test runs exactly the steps that Docker would run.
 */
const FORMS: Record<string, RegExp> = {
  FROM: /^(?<image>\S+)(?: AS (?<as>\S+))?$/,
  WORKDIR: /^(?<path>\S+)$/,
  COPY: /^(?:--from=(?<from>\S+) )?(?<sources>(?!--)\S+(?: (?!--)\S+)*) (?<target>(?!--)\S+)$/,
  // The builder keeps the contents of `cache` between builds. A command must not contain the image's own paths, because
  // they would be paths on this machine.
  RUN: /^(?:--mount=type=cache,target=(?<cache>\/\S+) )?(?<command>(?!\[|--|\/|.*\s\/|.*\\$).+)$/,
  ENV: /^(?<key>[A-Z_]+)=(?<value>\S+)$/,
  USER: /^(?<user>\S+)$/,
  EXPOSE: /^(?<port>\d+)$/,
  HEALTHCHECK: /^(?:--\S+ )*CMD (?<argv>\[.*\])$/,
  CMD: /^(?<argv>\[.*\])$/,
};

/** An instruction, and the named parts of its form. A part that is not in the Dockerfile is "". */
export type Instruction = { name: string; parts: Record<string, string> };

/** A stage of the build: its base image, and its instructions in order. */
export type Stage = { image: string; as: string; steps: Instruction[] };

/**
 * Parses a Dockerfile.
 * @throws {Error} with the first line that is not supported
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.split("\n").map((rawLine) => rawLine.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    const found = FORMS[name]?.exec(rest)?.groups;
    if (!found) throw new Error(`not understood: ${line}`);
    const parts = Object.fromEntries(Object.entries(found).map(([part, value]) => [part, value ?? ""]));
    if (name === "FROM") stages.push({ image: parts.image ?? "", as: parts.as ?? "", steps: [] });
    else if (stages.length === 0) throw new Error(`before any FROM: ${line}`);
    else stages.at(-1)?.steps.push({ name, parts });
  }
  return stages;
}
