import type { Check } from "../check.ts";
import { FAST_CHECKS } from "../fast/checks.ts";
import { HOSTED_CHECKS } from "../hosted/checks.ts";
import { RECEIVER_CHECKS } from "../receiver/checks.ts";
import { LOGIN_CHECKS } from "../server/checks.ts";
import { WALLET_CHECKS } from "../wallet/checks.ts";

/** The part of docs/conformance.md that says what each check proves. */
export function renderChecks(): string {
  const parts = [
    ["Checks of a site", LOGIN_CHECKS],
    ["Checks of a fast login", FAST_CHECKS],
    ["Checks of a hosted API", HOSTED_CHECKS],
    ["Checks of a receiver of events", RECEIVER_CHECKS],
    ["Checks of a wallet", WALLET_CHECKS],
  ] as const;
  return `## The checks\n\n${parts.map(([title, checks]) => renderPart(title, checks)).join("\n")}`;
}

function renderPart(title: string, checks: readonly Check<never>[]): string {
  const sorted = checks.toSorted((one, other) =>
    sectionOf(one) < sectionOf(other) ? -1 : Number(sectionOf(one) > sectionOf(other)),
  );
  const families = [...new Map(sorted.map(({ family }) => [family.title, family])).values()];
  const parts = families.map(({ title: name, why, mend }) => {
    const own = sorted.filter(({ family }) => family.title === name);
    return `#### ${name}\n\nWhy it matters: ${why}\n\nHow to mend it: ${mend}\n\n${own.map(renderCheck).join("\n")}`;
  });
  return `### ${title}\n\n${parts.join("\n")}`;
}

function renderCheck({ id, level, proves, cause, locksOut }: Check<never>): string {
  const when = locksOut ? " Runs with `--limits`." : "";
  return `##### ${id}\n\n${level}. ${proves}${when}\n\nUsual cause: ${cause}\n`;
}

const sectionOf = ({ id }: Check<never>) => id.split("-")[0] ?? "";
