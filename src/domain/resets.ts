/**
 * A sandbox reset (interface: Sandbox-only operations; D97, R11, R14). Each one begins another epoch of the
 * partner: what belongs to an earlier one has no effect any more.
 */

/** What a reset ends: everything whose resource it deletes, and neither itself, `kybPartner` nor a dispatcher. */
export const WORKFLOWS_OF_A_RESET = [
  'walletProvisioning',
  'bankTransfer',
  'bankReturn',
  'ussdSession',
  'kycVerification',
] as const;

/** The failure of an activity whose resource went with a reset: its workflow ends without effect. */
export const RESET = 'RESET';
