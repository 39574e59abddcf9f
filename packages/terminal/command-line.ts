import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";

/**
 * Determines how arguments are parsed and refused, and what the help says. Node's parser has no commands and no help.
 */
export type CommandLine = {
  /** For example `npm run admin --`. */
  program: string;
  about: string;
  /** A program with a single purpose has one command, named "". */
  commands: Record<string, Command>;
  options: Record<string, Option>;
  notes?: string;
};

type Command = {
  /** `HOST` is one argument, `[FILE…]` any number. Absent if there are none. */
  takes?: string;
  /** `--help` lists these options next to the command. Every command accepts all of the program's options. */
  with?: string;
  does: string;
};

/** Without `value`, the option is a flag. */
type Option = { value?: string; multiple?: true; default?: string; does: string };

type Values<Options extends CommandLine["options"]> = {
  [Name in keyof Options]: Options[Name] extends { value: string }
    ? Options[Name] extends { multiple: true }
      ? string[]
      : Options[Name] extends { default: string }
        ? string
        : string | undefined
    : boolean;
};

export type Call<Line extends CommandLine> = {
  command: keyof Line["commands"] & string;
  subjects: string[];
  values: Values<Line["options"]>;
};

/** `message` names the mistake and the expected arguments. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * @returns null if the arguments ask for help
 * @throws {UsageError}
 */
export function readCommandLine<const Line extends CommandLine>(
  line: Line,
  args: readonly string[],
): Call<Line> | null {
  const { values, positionals } = parse(line, args);
  const names = Object.keys(line.commands);
  if (values.help || (positionals[0] === "help" && !names.includes(""))) return null;
  const command = names.find((name) => words(name).every((word, at) => positionals[at] === word));
  if (command === undefined) {
    const mistake =
      positionals.length > 0 ? `Unknown command "${positionals.slice(0, 2).join(" ")}".` : "No command.";
    throw new UsageError(
      `${mistake} Use ${new Intl.ListFormat("en", { type: "disjunction" }).format(names)}.`,
    );
  }
  const subjects = positionals.slice(words(command).length);
  const parameters = line.commands[command]?.takes;
  const fits =
    parameters === undefined
      ? subjects.length === 0
      : parameters.startsWith("[") || (subjects[0] && subjects.length === 1);
  if (!fits) {
    // The message does not repeat the argument, because the argument can be a secret.
    const expected = parameters === undefined ? "no argument" : "one argument, quoted where it has spaces";
    throw new UsageError(`It takes ${expected}: ${usage(line.program, command, parameters)}`);
  }
  return { command, subjects, values: values as Values<Line["options"]> };
}

export function formatHelp({ program, about, commands, options, notes }: CommandLine): string {
  const calls = Object.entries(commands).map(([name, { takes, with: often, does }]): [string, string] => [
    usage(program, name, takes, often),
    does,
  ]);
  const explained = Object.entries({ ...options, help: HELP_OPTION }).map(
    ([name, { value, default: usual, does }]: [string, Option]): [string, string] => [
      [`--${name}`, value].filter(Boolean).join(" "),
      !usual ? does : `${does} (${usual})`,
    ],
  );
  return `${[about, columns(calls, 36), `Options\n${columns(explained, 20)}`, notes].filter(Boolean).join("\n\n")}\n`;
}

/**
 * Prints the help or the error and ends the process if the arguments ask for help or are wrong.
 * @param understand converts texts to the values that the program needs; it may throw a {@link UsageError}
 * @param refused the exit status for wrong arguments
 */
export function readCommandLineOrExit<const Line extends CommandLine, Understood>(
  line: Line,
  understand: (call: Call<Line>) => Understood,
  refused = 1,
): Understood {
  try {
    const call = readCommandLine(line, process.argv.slice(2));
    if (call !== null) return understand(call);
    process.stdout.write(formatHelp(line));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${formatHelpHint(line)}\n`);
    process.exit(refused);
  }
}

export function formatHelpHint({ program }: CommandLine): string {
  return `Run ${program} --help for usage.`;
}

/** @throws {UsageError} */
export function readNumber(
  option: string,
  text: string,
  { least = 0, most, whole = false }: { least?: number; most: number; whole?: boolean },
): number {
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most && (!whole || Number.isInteger(number))) return number;
  throw new UsageError(`--${option} takes a ${whole ? "whole " : ""}number from ${least} to ${most}.`);
}

const HELP_OPTION: Option = { does: "this text" };

function parse({ options }: CommandLine, args: readonly string[]) {
  const declared = Object.entries(options).map(([name, { value, multiple = false, default: usual }]) =>
    value === undefined
      ? [name, { type: "boolean", default: false }]
      : [name, { type: "string", multiple, default: multiple ? [] : usual }],
  );
  const help: ParseArgsOptionDescriptor = { type: "boolean", short: "h" };
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...(Object.fromEntries(declared) as Record<string, ParseArgsOptionDescriptor>), help },
    });
  } catch (error) {
    // Node adds advice about arguments that begin with a dash.
    const [what = ""] = (error instanceof Error ? error.message : String(error)).split(/\. To specify|\.?\n/);
    const knownOptions = [...Object.keys(options), "help"].map((name) => `--${name}`);
    throw new UsageError(
      what.startsWith("Unknown") ? `${what}. There is: ${knownOptions.join(", ")}.` : `${what}.`,
    );
  }
}

function words(name: string): string[] {
  return name.split(" ").filter(Boolean);
}

function usage(program: string, ...parts: (string | undefined)[]): string {
  return [program, ...parts].filter(Boolean).join(" ").replace(/ --$/, "");
}

/** A text that is too wide for the first column gets its own line. */
function columns(rows: readonly [string, string][], widest: number): string {
  const width = Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widest), 0);
  return rows
    .map(
      ([left, right]) =>
        `  ${left.length > width ? `${left}\n  ${" ".repeat(width)}` : left.padEnd(width)}  ${right}`,
    )
    .join("\n");
}
