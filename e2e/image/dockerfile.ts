/**
 * The part of the Dockerfile language that ours uses, each instruction in one supported form. Anything else is an
 * error, so that the test runs the same steps as Docker.
 */
const FORMS: Record<string, RegExp> = {
  FROM: /^(?<image>\S+)(?: AS (?<as>\S+))?$/,
  WORKDIR: /^(?<path>\S+)$/,
  COPY: /^(?:--from=(?<from>\S+) )?(?<sources>(?!--)\S+(?: (?!--)\S+)*) (?<target>(?!--)\S+)$/,
  // The builder keeps a `cache` from one build to the next. The image's own paths would be this machine's paths here.
  RUN: /^(?:--mount=type=cache,target=(?<cache>\/\S+) )?(?<command>(?!\[|--|\/|.*\s\/|.*\\$).+)$/,
  ENV: /^(?<key>[A-Z_]+)=(?<value>\S+)$/,
  USER: /^(?<user>\S+)$/,
  EXPOSE: /^(?<port>\d+)$/,
  HEALTHCHECK: /^(?:--\S+ )*CMD (?<argv>\[.*\])$/,
  CMD: /^(?<argv>\[.*\])$/,
};

/** An instruction and the parts of its form; "" for an omitted part. */
export type Instruction = { name: string; parts: Record<string, string> };

/** A stage: its base image and its steps in order. */
export type Stage = { image: string; as: string; steps: Instruction[] };

/**
 * Reads a Dockerfile.
 * @throws {Error} naming the line that it does not understand
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
