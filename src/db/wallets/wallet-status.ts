/** The status of a wallet at this moment. A freeze with an end ends without a write (D26, R33). */
export const effectiveStatus = (accounts: string): string =>
  `CASE WHEN ${accounts}.status = 'frozen' AND ${accounts}.frozen_until <= now() THEN 'active' ELSE ${accounts}.status END`;
