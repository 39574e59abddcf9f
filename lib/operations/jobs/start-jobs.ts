import { Logger, run, runMigrations } from "graphile-worker";
import { z } from "zod";
import { FORGET_USER_JOB, forgetUser } from "#lib/account/delete-account.ts";
import { checkStaleDelegations } from "#lib/hosted/domains/check-delegation.ts";
import { DELIVER_EVENTS_JOB } from "#lib/hosted/events/event-queue.ts";
import { startEventDelivery } from "#lib/hosted/events/start-event-delivery.ts";
import { IDEMPOTENCY_KEY_LIFETIME_SECONDS } from "#lib/hosted/numbers.ts";
import { setUpDemo } from "#lib/hosted-demo/set-up-demo.ts";
import { finishRecoveries } from "#lib/login.ts";
import { database, db, directPool } from "#lib/platform/database/db.ts";
import { env } from "#lib/platform/env.ts";
import { log } from "#lib/platform/log.ts";
import { followDatabaseClock } from "#packages/login/database/database-clock.ts";
import { pruneRecoveries } from "#packages/login/plugins/recovery/store/recovery.ts";
import { now, onStopping } from "#packages/login/process/state.ts";
import {
  addSeconds,
  LOGIN_EVENT_RETENTION_SECONDS,
  LOGIN_SESSION_RETENTION_SECONDS,
} from "#packages/login/protocol/numbers.ts";
import { pruneExpiredRows as pruneLogins } from "#packages/login/server/prune.ts";
import { keepWorkerRunning, retryWhileDatabaseIsDown } from "./keep-worker-running.ts";

/** Jobs are short, but two run at a time so that events do not wait for pruning. */
const CONCURRENCY = 2;
/** For up to a minute after an outage, workers might receive no notifications. */
const POLL_MS = 500;

const WakeJob = z.object({ ownerId: z.string() });
const ForgetUserJob = z.object({ userId: z.number() });

/** Every start does the same. For operators who migrate in a separate step. */
export async function migrateJobTables(): Promise<void> {
  await runMigrations({ pgPool: directPool(), logger: jobsLogger() });
}

function jobsLogger(): Logger {
  // graphile-worker warns if it cannot listen for notifications. Events are then delayed until the next sweep.
  return new Logger(() => (level, message) => {
    const logLevel = level === "error" || level === "warning" ? "warn" : "debug";
    log()[logLevel]({ message }, "jobs");
  });
}

export async function startJobs(): Promise<void> {
  await followDatabaseClock({
    run: (statement) => database().run(statement, []),
    warn: (message, error) => log().warn({ error }, message),
  });
  if (env().HOSTED_DEMO) await setUpDemo();
  const sendEventsOf = startEventDelivery();
  const stopping = new AbortController();
  onStopping(() => stopping.abort());
  const tasks: Record<string, (payload: unknown) => unknown> = {
    // The statement that adds an event also adds this job. The sweep would find the event too, but later.
    [DELIVER_EVENTS_JOB]: (payload) => sendEventsOf(WakeJob.parse(payload).ownerId),
    // Only earlier versions added such jobs. The sweep finds their events.
    deliver_event: () => {},
    check_delegations: async () => {
      const checkedCount = await checkStaleDelegations(stopping.signal);
      if (checkedCount > 0) log().info({ checked: checkedCount }, "delegations checked");
    },
    finish_recoveries: finishRecoveries,
    // The transaction that ends an account adds this job.
    [FORGET_USER_JOB]: (payload) => forgetUser(ForgetUserJob.parse(payload).userId),
    prune: async () => {
      const deleted = await prune(now());
      log().info({ deleted }, "pruned");
    },
  };
  const retryingTasks = Object.entries(tasks).map(([name, task]) => [
    name,
    retryWhileDatabaseIsDown(task, stopping.signal),
  ]);
  const stop = await keepWorkerRunning((events) =>
    run({
      events,
      pgPool: directPool(),
      noHandleSignals: true,
      concurrency: CONCURRENCY,
      pollInterval: POLL_MS,
      logger: jobsLogger(),
      // Every five minutes, deletes expired rows. Every minute, checks some domains (each domain once a day) and
      // completes due recoveries.
      crontab: [
        "*/5 * * * * prune",
        "* * * * * check_delegations ?queue=delegations&max=1",
        "* * * * * finish_recoveries",
      ].join("\n"),
      taskList: Object.fromEntries(retryingTasks),
    }),
  );
  onStopping(stop);
}

/** As long as the history of the event's login. */
const EVENT_KEPT_SECONDS = LOGIN_EVENT_RETENTION_SECONDS;

/** @returns the number of deleted rows */
async function prune(now: Date): Promise<number> {
  const client = db();
  const ago = (seconds: number) => addSeconds(now, -seconds);
  const logins = (await pruneLogins(database(), now)) + (await pruneRecoveries(database(), now));
  const results = await client.$transaction([
    client.idempotentAnswer.deleteMany({
      where: { createdAt: { lt: ago(IDEMPOTENCY_KEY_LIFETIME_SECONDS) } },
    }),
    client.webhookEvent.deleteMany({
      where: { createdAt: { lt: ago(EVENT_KEPT_SECONDS) }, status: { not: "pending" } },
    }),
    client.conformanceRun.deleteMany({ where: { expiresAt: { lt: now } } }),
    client.hostedLogin.deleteMany({ where: { createdAt: { lt: ago(LOGIN_SESSION_RETENTION_SECONDS) } } }),
    client.domain.updateMany({
      where: { previousSecretUntil: { lt: now } },
      // Once the previous secret has expired, the earlier ones have also expired.
      data: {
        ...{ previousSecret: null, previousSecretUntil: null },
        ...{ earlierSecrets: [], earlierSecretsUntil: [] },
      },
    }),
  ]);
  return results.reduce((sum, { count }) => sum + count, logins);
}
