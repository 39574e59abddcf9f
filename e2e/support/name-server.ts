import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Answer, decode, encode, type RecordType } from "dns-packet";

type Zone = Partial<Record<"A" | "AAAA" | "TXT", (string | string[])[]>> & {
  /** The same response also contains the other name's records, as a resolver would return them. */
  CNAME?: string;
};

/** A function is called for each question. */
export type NameAnswer = Zone | "NXDOMAIN" | "SERVFAIL" | "silence" | ((type: string) => NameAnswer);

export type NameServer = {
  /** As in DNS_SERVERS. */
  address: string;
  names: Map<string, NameAnswer>;
  /** For example "A example.com". */
  questions: string[];
  close(): void;
};

const RCODES = { NXDOMAIN: 3, SERVFAIL: 2 } as const;

/** Answers NXDOMAIN for unknown names. Knows no names at first. */
export async function startNameServer(): Promise<NameServer> {
  const names = new Map<string, NameAnswer>();
  const questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (bytes, from) => {
    const query = decode(bytes);
    const [question] = query.questions ?? [];
    if (!question) return;
    const name = question.name.toLowerCase();
    questions.push(`${question.type} ${name}`);
    let answer = names.get(name) ?? "NXDOMAIN";
    while (typeof answer === "function") answer = answer(question.type);
    if (answer === "silence") return;
    const failure = typeof answer === "string" ? RCODES[answer] : 0;
    const records = typeof answer === "string" ? [] : recordsOf(names, question.name, question.type, answer);
    const reply = encode({
      type: "response",
      id: query.id,
      flags: 0x0180 | failure,
      questions: query.questions,
      answers: records,
    });
    socket.send(reply, from.port, from.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    address: `127.0.0.1:${socket.address().port}`,
    names,
    questions,
    close: () => socket.close(),
  };
}

function recordsOf(names: Map<string, NameAnswer>, name: string, type: RecordType, zone: Zone): Answer[] {
  if (zone.CNAME !== undefined) {
    const target = names.get(zone.CNAME);
    const followed = typeof target === "object" ? recordsOf(names, zone.CNAME, type, target) : [];
    return [{ name, type: "CNAME", ttl: 0, data: zone.CNAME }, ...followed];
  }
  if (type === "A" || type === "AAAA") {
    return (zone[type] ?? []).map((data) => ({ name, type, ttl: 0, data: String(data) }));
  }
  return type === "TXT" ? (zone.TXT ?? []).map((data) => ({ name, type: "TXT", ttl: 0, data })) : [];
}
