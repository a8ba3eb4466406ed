/**
 * What people must do again and again, and what is noted when it was done: an alarm tells when nobody has done it for a day.
 */
const CHORES = {
  backup: 'A backup of all data was made',
  anchor: 'An anchor of the operators’ trail was printed, to be kept elsewhere',
} as const;
export type Chore = keyof typeof CHORES;
export const CHORE_NAMES = Object.keys(CHORES) as Chore[];
