import { z } from "zod";

/**
 * The response to `POST /api/conformance/runs`. Only this response contains the secret, and only the browser stores it.
 */
export type StartedRun = { secret: string; expires_at: string };

export type CaseText = {
  id: string;
  check: string;
  level: "MUST" | "SHOULD" | "MAY";
  title: string;
  wrong: string;
  good: string;
  /** True if a correct wallet answers, false if it must not. */
  answers: boolean;
  asks: { question: string; good: string; bad: string } | null;
};

/** `asked` means that only the user's report is missing; `impossible`, that this site cannot show the QR code. */
export type CaseState = "untried" | "waiting" | "asked" | "passed" | "failed" | "skipped" | "impossible";

/** The response to `GET /api/conformance/run`. */
export type RunView = {
  expires_at: string;
  /** True if a wallet has answered a correct QR code. */
  reached: boolean;
  cases: { id: string; state: CaseState; message: string; arrived: boolean }[];
};

export const ShowCodeRequest = z.object({ case: z.string().max(100) });

/** The response to `POST /api/conformance/run/codes`. */
export type ShownCode = { payload: string; domain: string; webhook: string; lives_seconds: number };

export const CaseReport = z.object({ case: z.string().max(100), word: z.enum(["good", "bad", "skip"]) });
export type CaseReport = z.infer<typeof CaseReport>;
