const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for a UUID as PostgreSQL writes it; asked before a text is looked up by a column of that type. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
