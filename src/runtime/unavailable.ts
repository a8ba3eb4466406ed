/** Something that the platform needs is away. The request is answered 503, and the caller may repeat it. */
export class UnavailableError extends Error {}
