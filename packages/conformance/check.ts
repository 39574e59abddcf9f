/** As in RFC 2119. Only a failed MUST fails a run. */
export type Level = "MUST" | "SHOULD" | "MAY";

/** The check's id begins with a section number of docs/protocol.md and never changes. */
export type Text = {
  level?: Exclude<Level, "MUST">;
  requirement: string;
  cause: string;
  /** By default, the family's `fix`. */
  fix?: string;
};

/** Checks that guard against the same danger. The texts say why the checks matter and how to fix failures. */
export type Family = {
  title: string;
  why: string;
  fix: string;
  /** On a site that uses `@svc/login`, the option or file to look at. */
  svcLogin?: string;
};

/** Keyed by the titles of the families. */
export type Texts = Readonly<
  Record<string, Omit<Family, "title"> & { checks: Readonly<Record<string, Text>> }>
>;

export type IdOf<Described extends Texts> = {
  [Title in keyof Described]: keyof Described[Title]["checks"] & string;
}[keyof Described];

/**
 * @throws {CheckFailure} if the site violates the rule; {BlockedError}, {NotApplicableError} or {PostponedError} if the
 * rule could not be checked
 */
type Run<Context> = (context: Context) => Promise<void>;

type ScheduledRun<Context> = {
  run: Run<Context>;
  startsEarly?: true;
  runsLast?: true;
  exhaustsLimits?: true;
};

export type Rule<Context> = Run<Context> | ScheduledRun<Context>;

/** Waits for time to pass, so it starts first, and other rules run in the meantime. */
export const startsEarly = <Context>(run: Run<Context>) => ({ run, startsEarly: true as const });
/** Examines the responses that other checks received, and therefore runs after them. */
export const runsLast = <Context>(run: Run<Context>) => ({ run, runsLast: true as const });
/** Runs only on request, because it uses up a limit and the site then refuses the kit's requests for a minute. */
export const exhaustsLimits = <Context>(run: Run<Context>) => ({ run, exhaustsLimits: true as const });

export type Rules<Context, Id extends string> = { readonly [Each in Id]?: Rule<Context> };

/** A rule in docs/protocol.md. */
export type Check<Context> = ScheduledRun<Context> &
  Required<Pick<Text, "requirement" | "cause">> & {
    id: string;
    level: Level;
    fix?: string;
    family: Family;
  };

/**
 * In the order of the rules. Every rule must have a text, and every text a rule.
 * @throws {Error} if an id appears in two families
 */
export function checksOf<Described extends Texts, Context>(
  texts: Described,
  rules: Readonly<Record<IdOf<Described>, Rule<Context>>>,
): readonly Check<Context>[] {
  const described = new Map<string, Omit<Check<Context>, "run">>();
  for (const [title, { checks, ...family }] of Object.entries(texts)) {
    for (const [id, text] of Object.entries(checks)) {
      if (described.has(id)) throw new Error(`Two texts are called ${id}.`);
      described.set(id, { id, level: "MUST", ...text, family: { title, ...family } });
    }
  }
  return Object.entries<Rule<Context>>(rules).map(([id, rule]) => {
    const text = described.get(id);
    if (!text) throw new Error(`The check ${id} has no text.`);
    return { ...text, ...(typeof rule === "function" ? { run: rule } : rule) };
  });
}

/** The tested side violates the requirement. */
export class CheckFailure extends Error {
  override name = "CheckFailure";
}

/** No response arrived, so the kit could not check the rule itself. */
export class NoResponseFailure extends CheckFailure {}

/** Something that the rule depends on does not work. Usually, another check reports that problem. */
export class BlockedError extends Error {
  override name = "BlockedError";
  /** Checks that are prevented by the same obstacle use the same text. */
  readonly obstacle: string;
  /** The check that reports the obstacle; null if no check does. */
  readonly fixFirst: string | null;

  constructor(obstacle: string, details?: string, fixFirst: string | null = null) {
    super(details === undefined ? `${obstacle}.` : `${obstacle}: ${details}`);
    this.obstacle = obstacle;
    this.fixFirst = fixFirst;
  }
}

/** The rule does not apply to this site or this run. */
export class NotApplicableError extends Error {
  override name = "NotApplicableError";
}

/** A limit was exceeded. The check starts again at `until`, in milliseconds as in `Date.now()`. */
export class PostponedError extends Error {
  override name = "PostponedError";
  readonly until: number;

  constructor(until: number) {
    super("The limit of requests is used up.");
    this.until = until;
  }
}

/** There is no server to test, or it is not the expected one. The message says what to do. */
export class CannotRun extends Error {
  override name = "CannotRun";
}

export function fail(message: string): never {
  throw new CheckFailure(message);
}

export function block(...how: ConstructorParameters<typeof BlockedError>): never {
  throw new BlockedError(...how);
}

export function skip(message: string): never {
  throw new NotApplicableError(message);
}
