import { setTimeout as sleep } from "node:timers/promises";
import { registeredWallet } from "../bench/app.ts";
import type { TestWallet } from "../kit/test-wallet.ts";
import { Ledger, logIn, logInHosted } from "./login.ts";
import type { Tenant } from "./tenant.ts";
import { Traffic } from "./traffic.ts";

/** Users who log in again and again, one login after the other, until stopped. */
export class Load {
  readonly traffic = new Traffic();
  readonly ledger = new Ledger();
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  /**
   * @param options.people how many log in at once to this site
   * @param options.tenant where given, half as many again log in to its site by the hosted API
   * @param options.pauseMs between two logins of one person
   */
  static async start(options: {
    origin: string;
    people: number;
    tenant?: Tenant;
    pauseMs?: number;
  }): Promise<Load> {
    const wallet = await registeredWallet(options.origin);
    return new Load({ ...options, wallet });
  }

  private constructor(options: {
    origin: string;
    people: number;
    tenant?: Tenant;
    pauseMs?: number;
    wallet: TestWallet;
  }) {
    const { origin, people, tenant, wallet, pauseMs = 0 } = options;
    const person = { origin, wallet, traffic: this.traffic, ledger: this.ledger };
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
  }

  /** Lets every user finish the login under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }
}
