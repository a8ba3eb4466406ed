/** What the specification publishes under "Endpoints", for rules that hold for every operation. */

type Operation = readonly [method: string, path: string];

/** Published with the prefix `/v1`, which stands before each path. */
export const PREFIXED: readonly Operation[] = [
  ['POST', '/wallets'],
  ['GET', '/wallets/{id}'],
  ['GET', '/wallets/{id}/transactions'],
  ['POST', '/transfers/p2p'],
  ['POST', '/transfers/bank'],
  ['GET', '/banks/resolve'],
  ['GET', '/banks'],
  ['POST', '/payments/qr/create'],
  ['POST', '/payments/qr/pay'],
  ['POST', '/payments/ussd/initiate'],
  ['GET', '/payments/ussd/{id}'],
  ['POST', '/payments/split'],
  ['POST', '/kyc/bvn'],
  ['POST', '/kyc/nin'],
  ['GET', '/kyc/{id}/status'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['DELETE', '/webhooks/{id}'],
  ['GET', '/partner/compliance/status'],
  ['POST', '/partner/compliance/business'],
  ['POST', '/partner/compliance/directors'],
  ['POST', '/partner/compliance/agreements'],
  ['POST', '/partner/compliance/use-case'],
];

/** Every published operation except `/health`, with its path. */
export const OPERATIONS: readonly Operation[] = [
  ...PREFIXED.map(([method, path]) => [method, `/v1${path}`] as const),
  ['POST', '/sandbox/wallets/{id}/fund'],
  ['POST', '/v1/sandbox/ussd/simulate'],
  ['POST', '/v1/sandbox/bank-transfer/complete'],
  ['POST', '/v1/sandbox/bank-transfer/fail'],
  ['POST', '/v1/sandbox/reset'],
];

/** An id of no resource. */
export const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';

/** The path with such an id in the place of its parameter. */
export const withId = (path: string): string => path.replace('{id}', UNKNOWN_ID);
