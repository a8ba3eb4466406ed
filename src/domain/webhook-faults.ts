/** What can go wrong with the deliveries to an endpoint of the sandbox, on its partner's wish (D207). */

export const WEBHOOK_FAULTS = {
  drop: 'Nothing arrives; each delivery is tried again later.',
  twice: 'Each delivery arrives twice.',
  delay: 'Deliveries wait until the fault is over.',
  reorder: 'Deliveries are collected for two seconds each time, and the newest is sent first.',
  answer_500: 'Each delivery arrives, and counts as answered with 500.',
} as const;

export type WebhookFault = keyof typeof WEBHOOK_FAULTS;
export const WEBHOOK_FAULT_NAMES = Object.keys(WEBHOOK_FAULTS) as [WebhookFault, ...WebhookFault[]];

/** The longest time for which an endpoint has a fault. */
export const WEBHOOK_FAULT_SECONDS_MAX = 3_600;

/** A fault that an endpoint has or had. */
export interface EndpointFault {
  mode: WebhookFault;
  until: Date;
  /** How long it still lasts; 0 for one that is over. */
  leftMs: number;
}

/** How an attempt that met a fault names it, for partners who look their deliveries up. */
export const faultText = (mode: WebhookFault): string => `fault: ${mode}`;
