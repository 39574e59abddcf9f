import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

const LOOPBACK = /^(?:::ffff:)?127\.|^::1$/;

/**
 * A server must accept a target that contains the server's own host, and this host then replaces the `Host` header (RFC
 * 9112, 3.2.2). Other targets are left unchanged, and the gate refuses them.
 * @param origin the public origin. The connection's IP address is also accepted as the host
 */
export function rewriteTargetToOriginForm(request: IncomingMessage, origin: URL): void {
  if (request.url?.startsWith("/")) return;
  const [, named, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? "") ?? [];
  const authority = named?.toLowerCase();
  if (authority === undefined || !isOwn(authority, origin, request)) return;
  request.url = path.startsWith("/") ? path : `/${path}`;
  request.headers.host = authority;
}

function isOwn(authority: string, { host, hostname, protocol }: URL, { socket }: IncomingMessage): boolean {
  const standardPort = protocol === "https:" ? 443 : 80;
  if (authority === host || authority === `${hostname}:${standardPort}`) return true;
  const { localAddress, localPort } = socket;
  if (localAddress === undefined) return false;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  const names = [isIPv6(address) ? `[${address}]` : address];
  if (LOOPBACK.test(localAddress)) names.push("localhost");
  return names.some(
    (name) => authority === `${name}:${localPort}` || (localPort === 80 && authority === name),
  );
}
