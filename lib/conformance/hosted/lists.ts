import { fail, type Rule } from "../check.ts";
import { expectStatus } from "../expect-status.ts";
import { type Api, type Body, bodyOf } from "./api.ts";
import { expectCode } from "./sessions.ts";

/** Sections 5.2 and 5.4: lists are newest first, a page at a time. */

/** A check of one list. @param make makes an item, and says how it is named in the list */
function listCheck(id: string, name: "sessions" | "domains", make: (api: Api) => Promise<string>): Rule<Api> {
  return {
    id,
    proves: `\`GET /${name}\` lists newest first, a page at a time, and \`next_cursor\` leads to all of them.`,
    cause: "The order is left to the database, or the cursor skips what has the same time.",
    async run(api) {
      const made: string[] = [];
      for (let count = 0; count < 3; count++) made.unshift(await make(api));
      const seen: string[] = [];
      let cursor: unknown = null;
      for (let pages = 0; pages < 40 && made.some((each) => !seen.includes(each)); pages++) {
        const query = `limit=2${cursor === null ? "" : `&cursor=${cursor}`}`;
        const answer = await api.call("GET", `/${name}?${query}`);
        expectStatus(answer, 200, `the list of ${name}`);
        const { [name]: items, next_cursor: next } = bodyOf(answer) as { [key: string]: unknown };
        if (!Array.isArray(items) || items.length > 2) fail(`A page of two is ${answer.text.slice(0, 200)}.`);
        seen.push(...(items as Body[]).map((item) => String(item.id)));
        if (next === null) break;
        cursor = next;
      }
      if (new Set(seen).size < seen.length) fail("An item is listed twice.");
      const found = seen.filter((each) => made.includes(each));
      if (found.length < made.length) fail(`Of ${made.length} that were made ${found.length} are listed.`);
      if (found.join() !== made.join()) fail("They are not listed newest first.");
    },
  };
}

export const LIST_CHECKS: readonly Rule<Api>[] = [
  listCheck("5.2-list", "sessions", async (api) => (await api.session()).id),
  listCheck("5.4-list", "domains", async (api) => (await api.registerDomain()).id),
  {
    id: "5.2-list-query",
    proves: "A list's `limit` is a whole number from 1 to 100, its `cursor` one that it gave; otherwise 400.",
    cause: "The number is converted, so that `limit=1e9` reads the whole table.",
    async run(api) {
      for (const query of [
        "limit=0",
        "limit=101",
        "limit=-1",
        "limit=1e1",
        "limit=ten",
        "limit=1.5",
        "cursor=x",
      ]) {
        expectCode(await api.call("GET", `/sessions?${query}`), 400, "invalid_request", query);
      }
    },
  },
];
