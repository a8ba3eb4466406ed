/** The command was typed in a way that it cannot be run: exit code 2. */
export class UsageError extends Error {}
