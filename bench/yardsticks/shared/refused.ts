/** A request that is refused: thrown, so that a transaction that is open is rolled back. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}
