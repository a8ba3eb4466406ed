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

/**
 * A URL as it is compared: two that reach the same place of the same receiver are equal. The host is without the dot at its end,
 * escapes are written in one way, and the usual port and an empty query are left out.
 * @param url a URL that parses.
 */
export function foldedUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return `${protocol}//${host.replace(/\.(?=$|:)/, '')}${foldedEscapes(pathname)}${foldedEscapes(search)}`;
}

/** Letters, digits, `-._~` may be escaped or not, and mean the same (RFC 3986, 6.2.2). */
const foldedEscapes = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const letter = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : escape.toUpperCase();
  });

/** The receiver that a URL leads to, whichever its port: what is sent to it is paced for all partners together. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
