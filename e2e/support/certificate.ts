import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Certificate = { key: string; cert: string };

/** Valid from yesterday until tomorrow, and encoded manually in DER (RFC 5280). */
export function createSelfSignedCertificate(names: string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256));
  const issuer = sequence(der(0x31, sequence(objectId(COMMON_NAME), der(0x0c, Buffer.from(names[0] ?? "")))));
  const day = 24 * 60 * 60 * 1000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    issuer,
    sequence(time(Date.now() - day), time(Date.now() + day)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subjectAltName(names), basicConstraints())),
  );
  const signature = sign("sha256", body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.of(0), signature));
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: pem(certificate),
  };
}

const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const SUBJECT_ALT_NAME = "551d11";
const BASIC_CONSTRAINTS = "551d13";

function subjectAltName(names: string[]): Buffer {
  const list = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  return sequence(objectId(SUBJECT_ALT_NAME), der(0x04, list));
}

function basicConstraints(): Buffer {
  return sequence(objectId(BASIC_CONSTRAINTS), der(0x04, sequence(der(0x01, Buffer.of(0xff)))));
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
