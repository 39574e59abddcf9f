/** The first bytes of a body of any length: at most `limit`, so that a stranger cannot send without end. */
export async function readStart(response: Response, limit: number): Promise<Uint8Array> {
  const start = new Uint8Array(limit);
  let size = 0;
  const reader = response.body?.getReader();
  while (reader && size < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    start.set(value.subarray(0, limit - size), size);
    size += Math.min(value.length, limit - size);
  }
  await reader?.cancel();
  return start.subarray(0, size);
}
