import type { CDPSession, Page } from "playwright/test";

/** A biometric for one page: CDP's virtual authenticator, as built into a phone, with the PRF extension. */
export class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** Gives `page` a biometric that recognises its user. */
  static async on(page: Page, { prf = true } = {}): Promise<Authenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        ctap2Version: "ctap2_1",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        hasPrf: prf,
        automaticPresenceSimulation: true,
        isUserVerified: true,
      },
    });
    return new Authenticator(session, authenticatorId);
  }

  /** Whether a finger is on it from now on; without one it waits. */
  async touched(enabled: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", {
      authenticatorId: this.#id,
      enabled,
    });
  }

  /** Whether it recognises its user from now on. One that did not will never again: it blocks itself. */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }
}
