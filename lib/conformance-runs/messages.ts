import { z } from "zod";

/** The messages between the page of the conformance kit and the server. */

/** `POST /api/conformance/runs`: only this response contains the secret, and only the browser stores it. */
export type StartedRun = { secret: string; expires_at: string };

/** A case, in words. */
export type CaseText = {
  id: string;
  check: string;
  level: "MUST" | "SHOULD" | "MAY";
  title: string;
  wrong: string;
  good: string;
  /** True if the wallet should answer, false if it should stay silent. */
  answers: boolean;
  asks: { question: string; good: string; bad: string } | null;
};

/**
 * The state of a case. `asked` means that only the user's report is missing. `impossible` means that this site cannot
 * show its code.
 */
export type CaseState = "untried" | "waiting" | "asked" | "passed" | "failed" | "skipped" | "impossible";

/** `GET /api/conformance/run` */
export type RunView = {
  expires_at: string;
  /** Whether a wallet has answered a correct code. */
  reached: boolean;
  cases: { id: string; state: CaseState; message: string; arrived: boolean }[];
};

export const ShowCode = z.object({ case: z.string().max(100) });

/** `POST /api/conformance/run/codes` */
export type ShownCode = { payload: string; domain: string; webhook: string; lives_seconds: number };

export const CaseReport = z.object({ case: z.string().max(100), word: z.enum(["good", "bad", "skip"]) });
export type CaseReport = z.infer<typeof CaseReport>;
