import type { CDPSession, Page } from "playwright/test";
import { expect } from "./fixtures.ts";

export const PASSPHRASE = "correct horse battery";
export const PHRASE = `${"abandon ".repeat(11)}about`;

/**
 * A page's biometric sensor. CDP's virtual authenticator behaves like that of a phone and supports the PRF extension.
 */
class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /** Gives `page` a sensor that recognises its user. */
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

  /** Sets whether a finger is on the sensor from now on. Without a finger, the authenticator waits. */
  async touched(enabled: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", {
      authenticatorId: this.#id,
      enabled,
    });
  }

  /**
   * Sets whether the sensor recognises its user. After one failed attempt, the authenticator blocks itself and never
   * recognises the user again.
   */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }
}

/**
 * Creates a wallet on a page that has just been opened for the first time, and locks it with the returned
 * authenticator.
 */
export async function createWallet(page: Page): Promise<Authenticator> {
  const authenticator = await Authenticator.on(page);
  await writeWordsDown(page);
  await lockByBiometric(page);
  return authenticator;
}

export async function openNewWallet(page: Page): Promise<Authenticator> {
  await page.goto("/wallet");
  const authenticator = await createWallet(page);
  await expect(page.getByRole("button", { name: "Scan a code" })).toBeVisible();
  return authenticator;
}

/** Creates a wallet with a passphrase. Locking the wallet takes half a second, and so does each answer. */
export async function createPassphraseWallet(page: Page): Promise<void> {
  await writeWordsDown(page);
  await lockByPassphrase(page);
}

/**
 * Restores a wallet from `phrase` on a page that has just been opened for the first time, and locks it with a
 * biometric.
 */
export async function restoreWallet(page: Page, phrase: string): Promise<void> {
  await Authenticator.on(page);
  await page.getByRole("button", { name: "Restore from words" }).click();
  await page.getByLabel("Your words").fill(phrase);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await lockByBiometric(page);
}

async function lockByBiometric(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Use fingerprint/ }).click();
  await expect(page.getByRole("heading", { name: "Lock this wallet" })).toHaveCount(0);
}

/** Chooses a passphrase when the wallet asks how to lock it. */
export async function lockByPassphrase(page: Page): Promise<void> {
  const other = page.getByRole("button", { name: "Use a passphrase" });
  const field = page.getByLabel("New passphrase");
  await expect(other.or(field)).toBeVisible();
  if (await other.isVisible()) await other.click();
  await field.fill(PASSPHRASE);
  await page.getByLabel("Confirm passphrase").fill(PASSPHRASE);
  await page.getByRole("button", { name: "Lock the wallet" }).click();
  await expect(page.getByRole("heading", { name: "Lock this wallet" })).toHaveCount(0);
}

/** Opens a code's payload in the wallet, as a link to the wallet does. */
export async function openCode(page: Page, payload: string): Promise<void> {
  await page.goto(`/wallet#${encodeURIComponent(payload)}`);
}

/** Approves the wallet's request, and enters the passphrase if the wallet asks for it. */
export async function approve(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Approve" });
  await expect(button).toBeEnabled();
  const field = page.getByLabel("Passphrase for this wallet");
  if (await field.isVisible()) await field.fill(PASSPHRASE);
  await button.click();
}

async function writeWordsDown(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Show my words" }).click();
  await page.getByRole("button", { name: "I wrote them down" }).click();
}
