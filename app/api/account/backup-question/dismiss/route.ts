import { accountEndpoint } from "#lib/account/account-endpoint.ts";
import { dismissBackupQuestion } from "#lib/account/backup-question.ts";

/** Puts the question for a second way in aside, for good. */
export const POST = accountEndpoint(async () => {
  await dismissBackupQuestion();
  return new Response(null, { status: 204 });
});
