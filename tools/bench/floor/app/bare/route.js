export const dynamic = "force-dynamic";

export function GET() {
  return Response.json({ status: "pending" });
}

export async function POST(request) {
  const body = await request.json();
  return Response.json({ status: body.challenge ? "authenticated" : "pending" });
}
