/**
 * The part of a Dockerfile's language that ours uses. Anything else is an error, so that what the test runs stays what
 * Docker would run.
 */

export type Instruction =
  | { name: "WORKDIR"; path: string }
  | { name: "COPY"; from: string | null; sources: string[]; target: string }
  /** `cache` is a folder that the builder keeps from one build to the next. */
  | { name: "RUN"; command: string; cache: string | null }
  | { name: "ENV"; key: string; value: string }
  | { name: "USER"; user: string }
  | { name: "EXPOSE"; port: number }
  | { name: "HEALTHCHECK"; argv: string[] }
  | { name: "CMD"; argv: string[] };

/** A stage: what it starts from, and its steps in order. */
export type Stage = { image: string; as: string | null; steps: Instruction[] };

/**
 * Reads a Dockerfile.
 * @throws {Error} naming the line that it does not understand
 */
export function parseDockerfile(text: string): Stage[] {
  const stages: Stage[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const from = /^FROM (\S+)(?: AS (\S+))?$/.exec(line);
    if (from) {
      stages.push({ image: from[1] ?? "", as: from[2] ?? null, steps: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!stage) throw new Error(`before any FROM: ${line}`);
    stage.steps.push(parseInstruction(line));
  }
  return stages;
}

function parseInstruction(line: string): Instruction {
  const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
  switch (name) {
    case "WORKDIR":
      return { name, path: rest };
    case "COPY":
      return parseCopy(rest, line);
    case "RUN": {
      const [, cache = null, command = ""] = /^(?:--mount=type=cache,target=(\/\S+) )?(.+)$/.exec(rest) ?? [];
      // Paths of the image's own would be this machine's here.
      if (/^\[|^--|(^|\s)\/|\\$/.test(command)) break;
      return { name, command, cache };
    }
    case "ENV": {
      const [, key, value] = /^([A-Z_]+)=(\S+)$/.exec(rest) ?? [];
      if (key === undefined || value === undefined) break;
      return { name, key, value };
    }
    case "USER":
      return { name, user: rest };
    case "EXPOSE":
      return { name, port: Number(rest) };
    case "HEALTHCHECK": {
      const [, argv] = /^(?:--\S+ )*CMD (\[.*\])$/.exec(rest) ?? [];
      if (argv === undefined) break;
      return { name, argv: JSON.parse(argv) };
    }
    case "CMD":
      return { name, argv: JSON.parse(rest) };
  }
  throw new Error(`not understood: ${line}`);
}

function parseCopy(rest: string, line: string): Instruction {
  const words = rest.split(" ");
  const from = words[0]?.startsWith("--from=") ? (words.shift()?.slice("--from=".length) ?? null) : null;
  const target = words.pop();
  if (target === undefined || words.length === 0 || words.some((word) => word.startsWith("--"))) {
    throw new Error(`not understood: ${line}`);
  }
  return { name: "COPY", from, sources: words, target };
}
