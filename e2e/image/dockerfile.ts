/**
 * Our Dockerfile uses one form of each instruction. Anything else is an error, so the test runs the same steps as
 * Docker.
 */
const FORMS: Record<string, RegExp> = {
  FROM: /^(?<image>\S+)(?: AS (?<as>\S+))?$/,
  WORKDIR: /^(?<path>\S+)$/,
  COPY: /^(?:--from=(?<from>\S+) )?(?<sources>(?!--)\S+(?: (?!--)\S+)*) (?<target>(?!--)\S+)$/,
  // The builder keeps the contents of `cache` between builds. A path of the image in a command would be a path on this
  // machine.
  RUN: /^(?:--mount=type=cache,target=(?<cache>\/\S+) )?(?<command>(?!\[|--|\/|.*\s\/|.*\\$).+)$/,
  ENV: /^(?<key>[A-Z_]+)=(?<value>\S+)$/,
  USER: /^(?<user>\S+)$/,
  EXPOSE: /^(?<port>\d+)$/,
  HEALTHCHECK: /^(?:--\S+ )*CMD (?<argv>\[.*\])$/,
  CMD: /^(?<argv>\[.*\])$/,
};

/** An omitted part is "". */
export type Instruction = { name: string; parts: Record<string, string> };

export type Stage = { image: string; as: string; steps: Instruction[] };

/** @throws {Error} with the line that is not supported */
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
