import { parseEnv } from "#lib/platform/env.ts";
import { shutDown } from "#packages/login/process/state.ts";
import { Refusal } from "#packages/login/protocol/errors.ts";
import { ConfigurationError } from "#packages/login/site/options.ts";
import { formatHelp, formatHelpHint, UsageError } from "#packages/terminal/command-line.ts";
import { toVisibleText } from "#packages/terminal/visible-text.ts";
import { type AdminCall, type AdminResult, COMMAND_LINE, readArguments } from "./admin/commands.ts";
import { prepareRuntime } from "./server/prepare.ts";

/** `npm run admin`: manages API keys and domains. */

process.exitCode = await main(process.argv.slice(2));

/** The exit status: 0 on success, or 1 with the reason on stderr. */
async function main(args: string[]): Promise<0 | 1> {
  const json = args.includes("--json");
  try {
    const call = readArguments(args);
    if (call === null) return print(formatHelp(COMMAND_LINE).trimEnd());
    const result = await inDatabase(call);
    return print(json ? JSON.stringify(result.json) : result.text);
  } catch (error) {
    if (json) print(JSON.stringify({ error: { code: codeOf(error), message: describe(error) } }));
    process.stderr.write(`${describe(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`${formatHelpHint(COMMAND_LINE)}\n`);
    return 1;
  }
}

// Progress goes to stderr, because stdout contains only the result.
async function inDatabase({ command, act }: AdminCall): Promise<AdminResult> {
  const config = { ...parseEnv(process.env), LOG_LEVEL: "silent" as const };
  if (command === "migrate") config.MIGRATE_ON_START = true;
  const database = await prepareRuntime(config, (text) => process.stderr.write(`${text}\n`));
  try {
    return await act(database.applied);
  } finally {
    await shutDown(async () => {});
    await database.close();
  }
}

function print(text: string): 0 {
  process.stdout.write(`${toVisibleText(text)}\n`);
  return 0;
}

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  if (error instanceof ConfigurationError) return "configuration";
  return error instanceof UsageError ? "usage" : "unexpected";
}

function describe(error: unknown): string {
  if (error instanceof Refusal) {
    const { fields } = error.details;
    return typeof fields === "object" && fields !== null
      ? [error.message, ...Object.entries(fields).map(([name, text]) => `  ${name}: ${text}`)].join("\n")
      : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
