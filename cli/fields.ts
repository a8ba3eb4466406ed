/** The fields of bodies and queries as the document has them, and their names as options. */

export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
}

/** A name as it is typed: `source-wallet`. */
export const dashed = (name: string): string =>
  name.replaceAll('_', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The name of an option as commander keeps it. */
export const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
