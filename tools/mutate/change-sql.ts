/**
 * Makes small mistakes in a file of SQL functions: it drops a condition, changes a comparison, removes a lock, or makes
 * a clause or a write ineffective. These functions are pure.
 */

type Change = { start: number; end: number; line: number; original: string; replacement: string };

type Token = { kind: "word" | "symbol"; text: string; start: number; end: number };
type Group = { kind: "group"; text: string; start: number; end: number; items: Item[] };
type Item = Token | Group;

const LEXEME = /--[^\n]*|\s+|'(?:[^']|'')*'|\$\d+|[A-Za-z_][\w.]*|\d+|::|[<>]=|<>|./gs;
/** These never occur inside a condition. */
const ENDS_CONDITION = new Set(
  "AND OR IF ELSIF WHERE ON WHEN THEN ELSE END CASE SELECT SET FROM RETURN RETURNING ORDER GROUP LIMIT FOR UNION LEFT JOIN USING VALUES AS DO , ;".split(
    " ",
  ),
);
const ENDS_WHERE = new Set("RETURNING ORDER GROUP LIMIT FOR UNION ON".split(" "));
const BEGINS_CONDITION = new Set("IF ELSIF WHERE ON WHEN AND OR".split(" "));
const BORDERS: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** In the order of their places in the file. */
export function findSqlChanges(source: string): Change[] {
  const changes = statementsOf(source)
    .flatMap((tokens) => sequences(tokens))
    .flatMap((items) => [
      ...droppedConditions(items, source),
      ...items.flatMap(movedBorder),
      ...leftOutLocks(items),
      ...emptyClauses(items, source),
      ...idleWrite(items, source),
      ...forgottenAssignments(items, source),
    ]);
  const line = (offset: number) => source.slice(0, offset).split("\n").length;
  return changes
    .map(({ start, end, replacement }) => {
      const original = source.slice(start, end);
      return { start, end, line: line(start + original.search(/\S|$/)), original, replacement };
    })
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}

const ENDS_STATEMENT = new Set([";", "BEGIN", "DECLARE", "THEN", "ELSE"]);

/** The condition of an `IF` ends like a statement. `THEN` and `ELSE` in a `CASE` end nothing. */
function statementsOf(source: string): Token[][] {
  const statements: Token[][] = [[]];
  let open = 0;
  for (const token of lex(source)) {
    if (/^(?:\(|CASE)$/.test(token.text)) open++;
    else if (/^(?:\)|END)$/.test(token.text)) open = Math.max(0, open - 1);
    if (open === 0 && ENDS_STATEMENT.has(token.text)) statements.push([]);
    else statements.at(-1)?.push(token);
  }
  return statements;
}

function lex(source: string): Token[] {
  return [...source.matchAll(LEXEME)]
    .filter(([text]) => !/^(?:--|\s)/.test(text))
    .map(({ 0: text, index }) => {
      const kind = /^[A-Za-z_]/.test(text) ? "word" : "symbol";
      return { kind, text, start: index, end: index + text.length };
    });
}

/** The outermost sequence, and the sequence inside each pair of parentheses. */
function sequences(tokens: readonly Token[]): Item[][] {
  const all: Item[][] = [];
  const rest = [...tokens];
  const read = (): { items: Item[]; end: number } => {
    const items: Item[] = [];
    all.push(items);
    for (let token = rest.shift(); token; token = rest.shift()) {
      if (token.text === ")") return { items, end: token.end };
      items.push(token.text === "(" ? { kind: "group", text: "(…)", start: token.start, ...read() } : token);
    }
    return { items, end: items.at(-1)?.end ?? 0 };
  };
  read();
  return all;
}

type Replacement = Pick<Change, "start" | "end" | "replacement">;

/**
 * Makes each condition always true. A condition that is joined to others only by `OR` becomes always false instead. The
 * original text stays in the statement, as in every change, because PostgreSQL refuses a statement that does not use
 * one of its parameters.
 */
function droppedConditions(items: readonly Item[], source: string): Replacement[] {
  return segments(items).flatMap(({ before, condition, after }) => {
    const joined = [before, after].filter((word) => word === "AND" || word === "OR");
    const [first] = condition;
    const last = condition.at(-1);
    const isOne = joined.length > 0 || (before !== null && BEGINS_CONDITION.has(before));
    if (!isOne || !first || !last || /^(?:true$|CONFLICT$|')/.test(first.text)) return [];
    const value = joined.length > 0 && !joined.includes("AND") ? "false AND" : "true OR";
    const replacement = `(${value} ${source.slice(first.start, last.end)})`;
    return [{ start: first.start, end: last.end, replacement }];
  });
}

/** The keywords that end a condition are `before` and `after` each part. */
function segments(items: readonly Item[]) {
  const found: { before: string | null; condition: Item[]; after: string | null }[] = [];
  let current: (typeof found)[number] = { before: null, condition: [], after: null };
  for (const [index, item] of items.entries()) {
    if (!isEndOfCondition(item, items[index - 1])) {
      current.condition.push(item);
      continue;
    }
    current.after = item.text;
    found.push(current);
    current = { before: item.text, condition: [], after: null };
  }
  return [...found, current];
}

function isEndOfCondition(item: Item, previous: Item | undefined): boolean {
  if (item.text === "FROM") return previous?.text !== "DISTINCT";
  return ENDS_CONDITION.has(item.text);
}

function movedBorder({ kind, text, start, end }: Item): Replacement[] {
  const replacement = kind === "symbol" ? BORDERS[text] : undefined;
  return replacement === undefined ? [] : [{ start, end, replacement }];
}

function leftOutLocks(items: readonly Item[]): Replacement[] {
  return items.flatMap((item, index) => {
    if (item.text !== "FOR" || !/^(?:UPDATE|SHARE|KEY|NO)$/.test(items[index + 1]?.text ?? "")) return [];
    const after = items.slice(index + 1);
    const length = after.findIndex(
      ({ text, kind }) => kind === "group" || !/^(?:[A-Z]+|[a-z_.]+|,)$/.test(text),
    );
    const last = after.slice(0, length === -1 ? undefined : length).at(-1) ?? item;
    return [{ start: item.start, end: last.end, replacement: "" }];
  });
}

function emptyClauses(items: readonly Item[], source: string): Replacement[] {
  return items.flatMap((item, index) => {
    if (item.text !== "WHERE") return [];
    const last = items.slice(index, clauseEnd(items, index)).at(-1) ?? item;
    return [
      { start: item.end, end: last.end, replacement: ` false AND (${source.slice(item.end, last.end)})` },
    ];
  });
}

/** Adds a condition that no row meets to each write that has no `WHERE`. */
function idleWrite(items: readonly Item[], source: string): Replacement[] {
  const [first] = items;
  if (!/^(?:INSERT|UPDATE|DELETE)$/.test(first?.text ?? "")) return [];
  if (items.some(({ text }) => text === "WHERE")) return [];
  const values = items.findIndex(({ text }) => text === "VALUES");
  const [word, row] = values === -1 ? [] : items.slice(values, values + 2);
  if (word && row) {
    const replacement = `SELECT ${source.slice(row.start + 1, row.end - 1)} WHERE false`;
    return [{ start: word.start, end: row.end, replacement }];
  }
  const last = items.slice(0, clauseEnd(items, 0)).at(-1);
  return last ? [{ start: last.end, end: last.end, replacement: " WHERE false" }] : [];
}

/** Ends for example at `RETURNING`, or at the number of items. */
function clauseEnd(items: readonly Item[], from: number): number {
  const end = items.findIndex(({ text }, index) => index > from && ENDS_WHERE.has(text));
  return end === -1 ? items.length : end;
}

/** Makes each assignment in an `UPDATE` leave the column's value unchanged. */
function forgottenAssignments(items: readonly Item[], source: string): Replacement[] {
  const set = items.findIndex(({ text }) => text === "SET");
  const start = items.findIndex(({ text }) => text === "UPDATE" || text === "INTO") + 1;
  const target = items[start + 1]?.text === "AS" ? items[start + 2] : items[start];
  if (set === -1 || start === 0 || target === undefined) return [];
  const end = items.findIndex(({ text }, index) => index > set && /^(?:FROM|WHERE|RETURNING)$/.test(text));
  const assignments = items.slice(set + 1, end === -1 ? undefined : end);
  return assignments.flatMap((equals, index) => {
    const column = assignments[index - 1];
    if (equals.text !== "=" || column === undefined) return [];
    const next = assignments.findIndex(({ text }, later) => later > index + 1 && text === ",");
    const last = assignments[(next === -1 ? assignments.length : next) - 1] ?? column;
    const value = source.slice(equals.end, last.end);
    const replacement = ` CASE WHEN true THEN ${target.text}.${column.text} ELSE${value} END`;
    return [{ start: equals.end, end: last.end, replacement }];
  });
}
