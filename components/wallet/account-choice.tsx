"use client";

import { ADDRESS_TYPES, type AddressType } from "@svc/wallet/bitcoin-address";
import { type ChangeEvent, useId, useState } from "react";
import { Button } from "#packages/react/ui/button.tsx";
import type { Addresses } from "./vault.ts";
import type { Site } from "./wallet-storage.ts";

const OTHER = "other";
const MAX_ACCOUNT = 0xffff_ffff;

export function findLastAccount(sites: readonly Site[], domain: string): number {
  return sites.find((site) => site.domain === domain)?.account ?? 0;
}

/** Shown numbers start at 1, indices at 0. */
export function AccountChoice({
  domain,
  sites,
  account,
  onChange,
}: {
  domain: string;
  sites: readonly Site[];
  account: number;
  onChange: (account: number) => void;
}) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [other, setOther] = useState(false);
  const usedAccounts = sites.filter((site) => site.domain === domain).map((site) => site.account);
  const offered = listOfferedAccounts(usedAccounts);
  const choose = ({ currentTarget: { value } }: ChangeEvent<HTMLSelectElement>) => {
    setOther(value === OTHER);
    if (value !== OTHER) onChange(Number(value));
  };
  const number = ({ currentTarget: { validity, valueAsNumber } }: ChangeEvent<HTMLInputElement>) => {
    if (validity.valid) onChange(valueAsNumber - 1);
  };
  if (!isOpen && usedAccounts.every((index) => index === 0)) {
    return (
      <Button variant="quiet" size="small" onClick={() => setIsOpen(true)}>
        Use another account
      </Button>
    );
  }
  return (
    <div className="-mt-px grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-3 border-y py-2 text-sm">
      <label htmlFor={id} className="text-muted-foreground">
        Account
      </label>
      <div className="flex gap-2">
        <select
          id={id}
          value={other ? OTHER : account}
          onChange={choose}
          className="min-h-11 min-w-0 grow rounded-base border border-input bg-card px-2"
        >
          {offered.map((index) => (
            <option key={index} value={index}>
              {index + 1}
              {index !== 0 && !usedAccounts.includes(index) && ", new"}
            </option>
          ))}
          <option value={OTHER}>Another number</option>
        </select>
        {other && (
          <input
            type="number"
            min={1}
            max={MAX_ACCOUNT + 1}
            step={1}
            required
            defaultValue={account + 1}
            onChange={number}
            aria-label="Account number"
            className="min-h-11 w-24 rounded-base border border-input bg-background px-2"
          />
        )}
      </div>
    </div>
  );
}

/** The first account, all used accounts, and the next unused one. */
export function listOfferedAccounts(usedAccounts: readonly number[]): number[] {
  const accounts = new Set([0, ...usedAccounts]);
  let next = 1;
  while (accounts.has(next)) next++;
  return [...accounts, next].sort((a, b) => a - b);
}

const NAMES: Record<AddressType, string> = {
  p2wpkh: "Native SegWit",
  "p2sh-p2wpkh": "Nested SegWit (older format)",
  p2pkh: "Legacy",
};

/** The address identifies the account at the site. */
export function AddressChoice({
  addresses,
  chosen,
  onChoose,
}: {
  addresses: Addresses | undefined;
  chosen: AddressType;
  onChoose: (type: AddressType) => void;
}) {
  return (
    <fieldset className="mt-4">
      <legend className="text-muted-foreground text-sm">
        Sign with this address. It is the same at every site, so sites can recognise you by it.
      </legend>
      {ADDRESS_TYPES.map((type) => (
        <label key={type} className="mt-2 flex cursor-pointer gap-3 rounded-base border p-3">
          <input
            type="radio"
            name="address-type"
            value={type}
            checked={chosen === type}
            onChange={() => onChoose(type)}
            className="mt-1 accent-primary"
          />
          <span className="min-w-0">
            <span className="block">{NAMES[type]}</span>
            <span className="wrap-anywhere block min-h-5 font-mono text-muted-foreground text-sm">
              {addresses?.[type]}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
