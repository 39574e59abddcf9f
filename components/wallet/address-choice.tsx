import { useEffect, useState } from "react";
import { ADDRESS_TYPES, type AddressType } from "#lib/wallet/derive-address.ts";
import { type Addresses, listAddresses } from "./vault.ts";

const NAMES: Record<AddressType, string> = {
  p2wpkh: "Native SegWit",
  "p2sh-p2wpkh": "SegWit, older form",
  p2pkh: "Legacy",
};

/** With which of the wallet's addresses fast login's code is answered: the address is the account at the site. */
export function AddressChoice({
  chosen,
  onChoose,
}: {
  chosen: AddressType;
  onChoose: (type: AddressType) => void;
}) {
  const addresses = useAddresses();
  return (
    <fieldset className="mt-4">
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

/** The wallet's addresses; null until they are read. */
function useAddresses(): Addresses | null {
  const [addresses, setAddresses] = useState<Addresses | null>(null);
  useEffect(() => {
    let gone = false;
    void listAddresses().then((found) => {
      if (!gone) setAddresses(found);
    });
    return () => {
      gone = true;
    };
  }, []);
  return addresses;
}
