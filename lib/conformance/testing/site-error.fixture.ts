/** A refusal of a reference implementation. */
export class SiteError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: object;
  constructor(status: number, code: string, message = "See the documentation.", details: object = {}) {
    super(message);
    this.details = details;
    this.status = status;
    this.code = code;
  }
}

export const invalid = () => new SiteError(400, "invalid_request");
