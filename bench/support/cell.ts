/** Where everything of the bench's partners is. */
export const CELL = 'sandbox_0';

/** Where the same partners are in live. */
export const LIVE_CELL = 'live_0';
