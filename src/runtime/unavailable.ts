/** Something that we need is away: the caller may repeat, and is answered 503 meanwhile. */
export class UnavailableError extends Error {}
