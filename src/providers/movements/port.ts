/** What a place outside of the database is, to which movements are shipped. */

export interface Destination {
  /** Under this name its place is kept. It holds no secret. */
  name: string;
  /** @throws Error where the lines are not there; they are sent again. */
  append(lines: readonly string[], at: Date): Promise<void>;
  close(): Promise<void>;
}
