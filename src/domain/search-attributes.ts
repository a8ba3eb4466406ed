/**
 * What an operator can look for in Temporal. Fixed from the start: Temporal on SQL has few columns per type,
 * and every namespace must know these before the first workflow carries them.
 */
export const SEARCH_ATTRIBUTES = [
  { name: 'PartnerId', type: 'Keyword' },
  { name: 'ResourceId', type: 'Keyword' },
  { name: 'PartnerReference', type: 'Keyword' },
  { name: 'EndpointId', type: 'Keyword' },
  { name: 'BusinessState', type: 'Keyword' },
  { name: 'AmountKobo', type: 'Int' },
  { name: 'NeedsAttention', type: 'Bool' },
  { name: 'ExpiresAt', type: 'Datetime' },
] as const;
