/** Where a partner wants to be told of events (interface: WebhookEndpoint). */
export interface Endpoint {
  id: string;
  partnerId: string;
  url: string;
  events: string[];
  isActive: boolean;
  failureCount: number;
  lastSuccessAt: Date | null;
  createdAt: Date;
}
