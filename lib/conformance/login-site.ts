import { Browser } from "./browser.ts";
import type { Answer } from "./http-client.ts";
import { type Answered, UnderTest } from "./under-test.ts";

/** A code, as far as it is the same in every flow. */
export type LoginCode = { sid: string; challenge: string; answer: Answer };

type LoginTarget = { origin: URL; qr: string; signIn: string };

type LoginRun = {
  /** Every answer of the site so far. */
  answers: Answered[];
  /** Every code that the run has been given, in order. */
  codes: LoginCode[];
};

/** A site's own login, by keys or by addresses. */
export abstract class LoginSite<
  Target extends LoginTarget = LoginTarget,
  Run extends LoginRun = LoginRun,
> extends UnderTest<Target, Run> {
  /** A code to work with. @throws {Blocked} where the site gives none */
  abstract issue(browser: Browser): Promise<LoginCode>;

  get isSecure(): boolean {
    return this.target.origin.protocol === "https:";
  }

  browser(): Browser {
    return new Browser(this.http, this.target);
  }

  /** A thief knows what the code shows, and has a browser of its own with a login of its own. */
  async thief(): Promise<Browser> {
    const browser = this.browser();
    await this.issue(browser);
    return browser;
  }

  /** Asks for a code as a page does, whatever comes back. */
  askForCode(browser: Browser, query: Record<string, string> = {}): Promise<Answer> {
    const text = new URLSearchParams(query).toString();
    return browser.send({ path: text ? `${this.target.qr}?${text}` : this.target.qr });
  }

  /** The answers of these paths: what checks look back at. */
  answersOf(paths: readonly string[]): readonly Answered[] {
    return this.run.answers.filter(
      ({ request }) => paths.includes(request.path.split("?")[0] ?? "") && !request.hostile,
    );
  }
}
