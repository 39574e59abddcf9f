export type Construction = { name: string; pattern: RegExp; instead: string };

export const CONSTRUCTIONS: readonly Construction[] = [
  {
    name: "alone",
    pattern: /(?<!\b(?:left|be|is|are|all|leave|leaves) )\b(?!let )[\w`)\]]+ alone\b/gi,
    instead: "only, in front of the word that it limits",
  },
  {
    name: "of its own",
    pattern: /\bof (?:its|their|our|your|his|one's) own\b/gi,
    instead: "its own N, a separate N",
  },
  { name: "nobody", pattern: /\bnobody(?:['’]s)?\b/gi, instead: "negate the verb" },
  {
    name: "whoever",
    pattern: /\b(?:whoever|whomever|whom)\b/gi,
    instead: "anyone who, an attacker, the user",
  },
  { name: "told", pattern: /\b(?:tells?|told|telling)\b/gi, instead: "return, send, report, notify, show" },
  { name: "hears", pattern: /\b(?:hears?|heard) (?:of|from|that|it)\b/gi, instead: "is notified, receives" },
  { name: "judge", pattern: /\bjudg(?:e|es|ed|ing|ements?)\b/gi, instead: "validate, verify, check, decide" },
  { name: "mend", pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: "fix" },
  { name: "at once", pattern: /\bat once\b/gi, instead: "immediately, simultaneously, together" },
  { name: "by itself", pattern: /\bby (?:itself|themselves)\b/gi, instead: "automatically, separately" },
  { name: "beside", pattern: /\bbesides?\b/gi, instead: "next to, in addition to, also" },
  { name: "away", pattern: /\b(?:is|was|are|be|being) away\b/gi, instead: "is unreachable, is down" },
  { name: "way in", pattern: /\bways? in\b(?! which)/gi, instead: "sign-in method" },
  { name: "goes on", pattern: /\b(?:goes|gone|go|went|going) on\b(?! to\b)/gi, instead: "continue" },
  { name: "take back", pattern: /\b(?:takes?|taken|took|taking)(?: \w+)? back\b/gi, instead: "undo" },
  { name: "from before", pattern: /\bfrom before\b/gi, instead: "previous, earlier, existing" },
  { name: "in the name of", pattern: /\bin (?:the|its|his|their) name of\b/gi, instead: "for, on behalf of" },
];

export function findConstructions(text: string): string[] {
  return CONSTRUCTIONS.flatMap(({ pattern }) => [...text.matchAll(pattern)].map(([found]) => found));
}
