import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../../../../../generated/prisma/client.ts";

export const dynamic = "force-dynamic";

let client;
const db = () => {
  client ??= new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
  return client;
};

const find = (sid) =>
  db().loginSession.findUnique({
    where: { sid },
    select: { status: true, userId: true, challengedAt: true },
  });

export async function GET(request) {
  return Response.json(await find(new URL(request.url).searchParams.get("sid") ?? ""));
}

export async function POST(request) {
  const { sid } = await request.json();
  return Response.json(await find(String(sid)));
}
