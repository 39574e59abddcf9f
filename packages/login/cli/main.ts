import { parseArgs } from "node:util";
import { type Application, readApplication, UnsupportedApplicationError } from "./application.ts";
import { examineApplication } from "./doctor.ts";
import { eject, updateEjectedFiles } from "./eject.ts";
import { explainStylesheetImport, planInit, writeFiles } from "./init.ts";

const HELP = `Adds the login to a Next.js application, and helps you to maintain it.

  npx svc-login init    shows and writes the files that it adds, at most four; does not change existing files
  npx svc-login doctor  names what is missing or out of date; exits 1 if anything is
  npx svc-login eject   copies the sources of @svc/react into components/svc-login
  npx svc-login update  brings copied files that you have not changed up to date

Options
  --dry-run  init: shows the files without writing them
  --help     this text`;

const COMMANDS = ["init", "doctor", "eject", "update"] as const;

export function main(args: string[]): void {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { "dry-run": { type: "boolean", default: false }, help: { type: "boolean", short: "h" } },
    });
    const command = COMMANDS.find((name) => name === positionals[0]);
    if (values.help) print(HELP);
    else if (command && positionals.length === 1) process.exitCode = run(command, values["dry-run"]);
    else fail(`Use one of these commands: ${COMMANDS.join(", ")}.\nRun npx svc-login --help for usage.`);
  } catch (error) {
    if (error instanceof UnsupportedApplicationError) fail(`${error.message}\nBy hand: ${error.page}`);
    else if (error instanceof TypeError && "code" in error) {
      fail(`${error.message}\nRun npx svc-login --help for usage.`);
    } else if (error instanceof Error && "syscall" in error) {
      fail(
        `Your files could not be read or written: ${error.message}\nGo to your application's folder and try again.`,
      );
    } else throw error;
  }
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

function run(command: (typeof COMMANDS)[number], isDryRun: boolean): 0 | 1 {
  const application = readApplication(process.cwd());
  if (command === "init") return runInit(application, isDryRun);
  if (command === "doctor") return runDoctor(application);
  if (command === "update") return runUpdate(application);
  const { folder, files } = eject(application);
  print(`Copied ${files.length} files to ${folder}. Import from there instead of @svc/react.`);
  return 0;
}

function runInit(application: Application, isDryRun: boolean): 0 {
  const { files, manualSteps } = planInit(application);
  for (const { path, text } of files) {
    print(`--- /dev/null\n+++ ${path}`);
    print(text.trimEnd().replace(/^/gm, "+"));
  }
  if (!isDryRun) writeFiles(application.root, files);
  if (files.length === 0) print("The login's files are there. Nothing was written.");
  else print(`${isDryRun ? "Would write" : "Wrote"} ${files.length} files.`);
  print(`\n${explainStylesheetImport(application)}`);
  print(`\nLeft to you:\n${manualSteps.map((step, index) => `${index + 1}. ${step}`).join("\n")}`);
  print("\nThen run npx svc-login doctor, start your site, and answer the code of its page with a wallet:");
  print("npx svc-wallet register '<Copy link>'");
  return 0;
}

function runDoctor(application: Application): 0 | 1 {
  const findings = examineApplication(application, process.env);
  for (const { what, fix } of findings) print(`- ${what}.\n  ${fix}`);
  if (findings.length === 0) print("Nothing is missing.");
  return findings.length === 0 ? 0 : 1;
}

function runUpdate(application: Application): 0 | 1 {
  const { replaced, left } = updateEjectedFiles(application);
  for (const path of replaced) print(`Updated ${path}.`);
  for (const path of left)
    print(`${path}: you have changed it. Compare it with node_modules/@svc/react/src.`);
  if (replaced.length + left.length === 0) print("All copied files are up to date.");
  return left.length === 0 ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
