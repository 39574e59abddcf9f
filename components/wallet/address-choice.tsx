import { useEffect, useState } from "react";
import { describeAddress } from "#lib/wallet/answer-fast.ts";
import { ADDRESS_TYPES, type AddressType } from "#lib/wallet/derive-address.ts";
import { openWallet } from "./vault.ts";

const ACCOUNT = 0;

const NAMES: Record<AddressType, string> = {
  p2wpkh: "Native SegWit",
  "p2sh-p2wpkh": "SegWit, older form",
  p2pkh: "Legacy",
};

/** With which of the wallet's addresses flow C's code is answered: the address is the account at the site. */
export function AddressChoice({
  chosen,
  onChoose,
}: {
  chosen: AddressType;
  onChoose: (type: AddressType) => void;
}) {
  const addresses = useAddresses();
  return (
    <fieldset>
      <legend className="text-muted-foreground text-sm">
        Sign with this address. It is the same at every site, and whoever you give it to can recognise you by
        it.
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

/** The wallet's addresses; null until they are derived. No private key stays. */
function useAddresses(): Record<AddressType, string> | null {
  const [addresses, setAddresses] = useState<Record<AddressType, string> | null>(null);
  useEffect(() => {
    let gone = false;
    void openWallet().then((wallet) => {
      if (!wallet || gone) return;
      const addressOf = (type: AddressType) => describeAddress(wallet.seed, type, ACCOUNT).address;
      setAddresses({
        p2wpkh: addressOf("p2wpkh"),
        "p2sh-p2wpkh": addressOf("p2sh-p2wpkh"),
        p2pkh: addressOf("p2pkh"),
      });
      wallet.seed.fill(0);
    });
    return () => {
      gone = true;
    };
  }, []);
  return addresses;
}
