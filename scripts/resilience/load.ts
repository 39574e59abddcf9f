import { setTimeout as sleep } from "node:timers/promises";
import { registeredWallet } from "../bench/app.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { Ledger, logIn, logInFast, logInHosted } from "./login.ts";
import type { Tenant } from "./tenant.ts";
import { Traffic } from "./traffic.ts";

type LoadOptions = {
  origin: string;
  /** How many log in at once to this site. */
  people: number;
  /** Where given, half as many again log in to its site by the hosted API. */
  tenant?: Tenant;
  /** How many log in with a Bitcoin address; nobody by default. */
  fast?: number;
  /** Between two logins of one person. */
  pauseMs?: number;
  /** How long one waits for a login before it has failed, other than 30 s. */
  patienceMs?: number;
};

/** Users who log in again and again, one login after the other, until stopped. */
export class Load {
  readonly traffic = new Traffic();
  readonly ledger = new Ledger();
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  static async start(options: LoadOptions): Promise<Load> {
    const wallet = await registeredWallet(options.origin);
    return new Load({ ...options, wallet });
  }

  private constructor(options: LoadOptions & { wallet: TestWallet }) {
    const { people, tenant, fast = 0, pauseMs = 0, ...who } = options;
    const person = { ...who, traffic: this.traffic, ledger: this.ledger };
    const repeat = async (act: () => Promise<void>) => {
      while (!this.#stopped) {
        await act();
        await sleep(pauseMs);
      }
    };
    for (let index = 0; index < people; index++) this.#loops.push(repeat(() => logIn(person)));
    for (let index = 0; tenant && index < people / 2; index++) {
      this.#loops.push(repeat(() => logInHosted(person, tenant)));
    }
    for (let index = 0; index < fast; index++) this.#loops.push(repeat(() => logInFast(person)));
  }

  /** Lets every user finish the login under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }
}
