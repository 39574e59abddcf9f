import { dismissBackupQuestion } from "#lib/account/backup-question.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { requireSameOrigin } from "#lib/platform/http/require-same-origin.ts";

/** Puts the question for a second way in aside, for good. */
export const POST = endpoint({}, async ({ request }) => {
  requireSameOrigin(request);
  await dismissBackupQuestion();
  return new Response(null, { status: 204 });
});
