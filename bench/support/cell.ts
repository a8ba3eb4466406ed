/** Where everything of the bench's partners is. */
export const CELL = 'sandbox_0';
