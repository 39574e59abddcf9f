import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const MAKE = join(import.meta.dirname, "..", "..", "..", "deploy", "cluster", "make.sh");
const DATABASES = ["db1", "db2", "db3"];
const OTHERS = ["app1", "app2", "monitor"];

let folder: string;
const machines = (...path: string[]) => join(folder, "machines", ...path);
const make = () => execFileSync("sh", [MAKE, join(folder, "cluster.env"), machines()], { stdio: "pipe" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-cluster-"));
  const lines = [...DATABASES, ...OTHERS].map((name, index) => `${name.toUpperCase()}=10.0.0.${index + 1}`);
  writeFileSync(join(folder, "cluster.env"), ["APP_URL=https://login.example.com", ...lines].join("\n"));
  make();
});
afterAll(() => rmSync(folder, { recursive: true }));

const isSignedBy = (authority: string, certificate: string): boolean =>
  spawnSync("openssl", ["verify", "-purpose", "sslclient", "-CAfile", authority, certificate]).status === 0;

describe("the files for a cluster's machines", () => {
  test.each(DATABASES)("give each database machine a certificate that etcd accepts: %s", (name) => {
    expect(isSignedBy(machines(name, "tls", "etcd-ca.crt"), machines(name, "tls", "etcd.crt"))).toBe(true);
    const etcd = readFileSync(machines(name, "etcd.yml"), "utf8");
    expect(etcd.match(/trusted-ca-file: .*/g)).toEqual(
      Array(2).fill("trusted-ca-file: /etc/svc-login/tls/etcd-ca.crt"),
    );
    expect(etcd.match(/client-cert-auth: true/g)).toHaveLength(2);
    expect(readFileSync(machines(name, "patroni.yml"), "utf8")).toMatch(
      /etcd3:[\s\S]*?cacert: .*etcd-ca\.crt\n {2}cert: .*etcd\.crt\n {2}key: .*etcd\.key/,
    );
  });

  test.each(OTHERS)("do not give any other machine a certificate that etcd accepts: %s", (name) => {
    const files = readdirSync(machines(name, "tls"));
    expect(files.toSorted()).toEqual(["ca.crt", "machine.crt", "machine.key"]);
    const certificate = machines(name, "tls", "machine.crt");
    expect(isSignedBy(machines("db1", "tls", "ca.crt"), certificate)).toBe(true);
    expect(isSignedBy(machines("db1", "tls", "etcd-ca.crt"), certificate)).toBe(false);
  });

  test("run HAProxy as its own user", () => {
    expect(readFileSync(machines("app1", "haproxy.cfg"), "utf8")).toMatch(
      /^global\n(?: {2}.*\n)*? {2}user haproxy\n {2}group haproxy\n/m,
    );
  });

  test("do not change when they are generated again", () => {
    const certificates = [...DATABASES, ...OTHERS].map((name) => machines(name, "tls", "machine.crt"));
    certificates.push(...DATABASES.map((name) => machines(name, "tls", "etcd.crt")));
    const read = () => certificates.map((file) => readFileSync(file, "utf8"));
    const before = read();
    make();
    expect(read()).toEqual(before);
    const settings = join(folder, "cluster.env");
    writeFileSync(settings, readFileSync(settings, "utf8").replace("DB2=10.0.0.2", "DB2=db2.example.com"));
    make();
    const changed = certificates.filter((_file, index) => read()[index] !== before[index]);
    expect(changed).toEqual([machines("db2", "tls", "machine.crt"), machines("db2", "tls", "etcd.crt")]);
  });
});
