/**
 * The search attributes with which an operator finds workflows in Temporal. The list is fixed: Temporal on SQL has
 * few columns for each type, and every namespace must know an attribute before a workflow carries it.
 */
export const SEARCH_ATTRIBUTES = [
  { name: 'PartnerId', type: 'Keyword' },
  { name: 'ResourceId', type: 'Keyword' },
  { name: 'RequestId', type: 'Keyword' },
  { name: 'BusinessState', type: 'Keyword' },
  { name: 'NeedsAttention', type: 'Bool' },
  { name: 'ExpiresAt', type: 'Datetime' },
] as const;
