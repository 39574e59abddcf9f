import { isIP } from "node:net";
import { z } from "zod";
import { REQUESTS_PER_MINUTE } from "#packages/login/http/numbers.ts";
import { Secret } from "#packages/login/site/env-values.ts";

/** The package defines the variables that every login has. */

/** Only programs on the same machine can reach a server at these addresses. */
export const LOOPBACK_ADDRESSES = ["127.0.0.1", "::1"];

/** The maximum value of the column that counts requests. */
const COUNTER_MAX = 2 ** 31 - 1;
const SCALE_MAX = Math.floor(COUNTER_MAX / Math.max(...Object.values(REQUESTS_PER_MINUTE)));

export const ListenAddresses = z
  .union(
    [z.ipv4(), z.ipv6(), z.literal("localhost")],
    "expected an IP address of this machine, or localhost (some shells set HOST automatically, so unset it)",
  )
  .transform((host) => (host === "localhost" ? LOOPBACK_ADDRESSES : [host]));

const Decimal = z.string().regex(/^\d{0,10}\.?\d{1,10}$/, "expected a number such as 0.5");

export const Ratio = Decimal.transform(Number).refine((ratio) => ratio <= 1, "expected a number from 0 to 1");

export const RateLimitScale = Decimal.transform(Number).refine(
  (scale) => scale > 0 && scale <= SCALE_MAX,
  `expected a number above 0 and up to ${SCALE_MAX}: beyond it a limit does not fit its counter`,
);

const CommaList = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

export const CidrList = CommaList.pipe(
  z.array(z.union([z.cidrv4(), z.cidrv6()], "expected ranges such as 10.0.0.0/8,fd00::/8")),
);

const HostPort = z.string().refine((value) => {
  const [, bracketed, plain, port = "53"] = /^(?:\[(.+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isAddress = bracketed ? isIP(bracketed) === 6 : isIP(plain ?? "") === 4;
  return isAddress && Number(port) >= 1 && Number(port) <= 65535;
}, "expected addresses such as 10.0.0.53:53");

export const HostPortList = CommaList.pipe(z.array(HostPort));

/** For a header: ASCII, without leading or trailing spaces. */
export const BearerToken = Secret.refine(
  (value) => /^[!-~][ -~]+[!-~]$/.test(value),
  "expected letters, digits and punctuation of ASCII",
);
