import type { CDPSession, Page } from "playwright/test";
import { expect } from "./fixtures.ts";

export const PASSPHRASE = "correct horse battery";
export const PHRASE = `${"abandon ".repeat(11)}about`;

/** CDP's virtual authenticator behaves like a phone's and has the PRF extension. */
class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

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

  /** Without a finger, the authenticator waits. */
  async touched(enabled: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", {
      authenticatorId: this.#id,
      enabled,
    });
  }

  /** After one failure, the authenticator blocks itself and never recognises the user again. */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }
}

/** The page must be open for the first time. The returned authenticator locks the wallet. */
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

/** Locking the wallet takes half a second, and so does each answer. */
export async function createPassphraseWallet(page: Page): Promise<void> {
  await writeWordsDown(page);
  await lockByPassphrase(page);
}

/** The page must be open for the first time. A biometric locks the wallet. */
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

export async function openCode(page: Page, payload: string): Promise<void> {
  await page.goto(`/wallet#${encodeURIComponent(payload)}`);
}

/** Enters the passphrase if the wallet requests it. */
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
