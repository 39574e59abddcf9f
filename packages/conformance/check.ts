/** How much a rule binds, as in RFC 2119. Only a MUST that does not hold fails a run. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** One rule of docs/protocol.md, and what tries it. */
export type Check<Context> = {
  /** Begins with the rule's section in docs/protocol.md, and never changes: `3.1-answer`. */
  id: string;
  level: Level;
  /** One sentence: what holds where the check passes. */
  proves: string;
  /** One or two sentences: what usually makes it fail, for the people who have to find it. */
  cause: string;
  family: Family;
  /** It waits for time to pass, so it starts first and runs alongside the others. */
  waits?: true;
  /** It judges what the other checks have seen, so it runs after them. */
  looksBack?: true;
  /** It runs only where it is asked for, since it locks its caller out for a minute. */
  locksOut?: true;
  /** @throws {Failure} the rule does not hold; {Blocked}, {NotApplicable}, {Postponed}: it could not be tried */
  run(context: Context): Promise<void>;
};

/** Checks of one danger: why it matters, and how it is fixed. What breaks a single one is its own `cause`. */
export type Family = { title: string; why: string; mend: string };

/**
 * Families by their titles. `of` lists how the ids of a family's checks begin; if several families fit, the longest
 * beginning counts. `level` is for those of its checks that name none.
 */
export type Families = Readonly<
  Record<string, Omit<Family, "title"> & { of: readonly string[]; level?: Level }>
>;

/** A check as it is written down: a MUST, unless it or its family says otherwise. Its id tells its family. */
export type Rule<Context> = Omit<Check<Context>, "id" | "level" | "family"> & { level?: Level };

/** Rules by their ids. */
export type Rules<Context> = Readonly<Record<string, Rule<Context>>>;

/**
 * The checks of these rules, in their order.
 * @throws {Error} for an id that occurs twice, or that fits no family
 */
export function checksOf<Context>(
  families: Families,
  ...parts: readonly Rules<Context>[]
): readonly Check<Context>[] {
  const beginnings = Object.entries(families)
    .flatMap(([title, { of, level = "MUST", ...family }]) =>
      of.map((text) => ({ text, level, family: { title, ...family } })),
    )
    .toSorted((one, other) => other.text.length - one.text.length);
  const ids = new Set<string>();
  return parts
    .flatMap((part) => Object.entries(part))
    .map(([id, rule]) => {
      if (ids.has(id)) throw new Error(`Two checks are called ${id}.`);
      ids.add(id);
      const found = beginnings.find(({ text }) => id.startsWith(text));
      if (!found) throw new Error(`The check ${id} is of no family.`);
      const { level, family } = found;
      return { id, level, ...rule, family };
    });
}

/** The rule does not hold. */
export class Failure extends Error {
  override name = "Failure";
}

/** No answer came at all, which says nothing of the rule itself. */
export class NoAnswer extends Failure {}

/** The rule could not be tried because something before it does not work. Another check fails for that. */
export class Blocked extends Error {
  override name = "Blocked";
}

/** The rule does not concern this site, or this run. */
export class NotApplicable extends Error {
  override name = "NotApplicable";
}

/** The other side asked for patience: the check starts again at `until`, in milliseconds of `Date.now()`. */
export class Postponed extends Error {
  override name = "Postponed";
  readonly until: number;

  constructor(until: number) {
    super("The limit of requests is used up.");
    this.until = until;
  }
}

/** There is nothing to test, or something else is there. The message says what to do. */
export class CannotRun extends Error {
  override name = "CannotRun";
}

/** @throws {Failure} */
export function fail(message: string): never {
  throw new Failure(message);
}

/** The anchor of a check in docs/conformance.md. */
export function anchorOf({ id }: { id: string }): string {
  return id.replaceAll(".", "");
}
