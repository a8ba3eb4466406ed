/**
 * A sandbox reset (interface: Sandbox-only operations; D97, R11, R14). Each reset begins another epoch of the
 * partner. What belongs to an earlier epoch has no effect any more.
 */

/**
 * The workflows that a reset ends: all whose resource it deletes. It does not end its own workflow,
 * `kybProgression` or a dispatcher.
 */
export const WORKFLOWS_OF_A_RESET = [
  'walletProvisioning',
  'bankTransfer',
  'bankReturn',
  'simulatorCallback',
  'bulkTransfer',
  'ussdSession',
  'kycVerification',
  'hold',
  'scheduledTransfer',
] as const;

/** The failure of an activity whose resource was deleted by a reset. Its workflow ends without effect. */
export const RESET = 'RESET';
