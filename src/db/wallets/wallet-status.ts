/** The status of a wallet as it holds now: a freeze with an end is over by itself (D26, R33). */
export const effectiveStatus = (accounts: string): string =>
  `CASE WHEN ${accounts}.status = 'frozen' AND ${accounts}.frozen_until <= now() THEN 'active' ELSE ${accounts}.status END`;
