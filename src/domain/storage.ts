/** What things take of the storage of a sandbox, in bytes (D175). */

/**
 * What a write takes beside its own bytes: the rows, entries and index entries of a transfer. It is an estimate, because
 * nobody needs to know the size of a sandbox to the byte.
 */
export const BYTES_PER_WRITE = 4_096;
/** A run of a scheduled transfer: its own row, its transfer, and the events of both with their deliveries. */
export const BYTES_PER_RUN = 2 * BYTES_PER_WRITE;
/** An attempt to deliver an event that has failed. */
export const BYTES_PER_TRY = 256;
