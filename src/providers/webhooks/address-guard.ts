/**
 * Which addresses a webhook may be sent to. A partner chooses the URL, so without this guard it could
 * choose our own database, a neighbour's admin page, or the cloud's store of credentials.
 */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** Loopback and RFC 1918 are allowed: for receivers on a developer's machine, never live (D156). */
  readonly allowPrivate: boolean;
  /** Live: `http:` is refused (D86). */
  readonly httpsOnly: boolean;
}

export type UrlJudgement = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const MAX_URL_LENGTH = 2_048;

/** What `allowPrivate` opens: never link-local, metadata, multicast or unspecified addresses (D156, D163). */
const PRIVATE_RANGES = new Set(['loopback', 'private']);

/** The number looks public, but Azure uses this address for services about the machine itself. */
const INTERNAL_BY_USE = new Set(['168.63.129.16']);

/** All IPv6 addresses that are routed today. Any other address is internal, a translation of IPv4, or unused. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** From 1024 up, ports of databases, queues and control planes, which can misread a POST as a command. */
const REFUSED_PORTS = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 6000, 6379, 6443, 7233,
  7234, 9042, 9092, 9200, 9300, 10250, 10255, 11211, 15672, 26379, 27017,
]);

/**
 * Whether an address may be contacted.
 * @param ip an IPv4 or IPv6 address in text; anything else is not allowed.
 */
export function isAddressAllowed(ip: string, rules: AddressRules): boolean {
  if (isIP(ip) === 0) return false;
  const address = ipaddr.process(ip);
  const range = address.range();
  if (PRIVATE_RANGES.has(range)) return rules.allowPrivate;
  if (range !== 'unicast' || INTERNAL_BY_USE.has(address.toString())) return false;
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_IPV6)) return false;
  return rules.allowPrivate || !isOurOwn(address.toString());
}

/**
 * Judges a URL at registration, and again before each attempt, because the rules may have changed meanwhile. IP
 * addresses and `localhost` are judged here; the addresses of other names are judged when connecting (D156).
 * @returns a reason fit for the partner when the URL is refused.
 */
export function judgeWebhookUrl(url: string, rules: AddressRules): UrlJudgement {
  const parsed = parseUrl(url);
  if (parsed === null) return refused('is not an absolute URL of at most 2048 characters');
  const host = hostOf(parsed);
  const complaints: readonly (readonly [boolean, string])[] = [
    [!isSchemeAllowed(parsed, rules), rules.httpsOnly ? 'must begin with https://' : 'must be http or https'],
    [/^[^/]+\/\/[^/?#]*@/.test(url), 'must not contain a user name or password'],
    [url.includes('#'), 'must not contain a fragment'],
    [!isPortAllowed(parsed, rules), 'uses a port that webhooks are not sent to'],
    [!isHostAllowed(host, rules), 'leads to an address that webhooks are not sent to'],
  ];
  const complaint = complaints.find(([applies]) => applies);
  return complaint === undefined ? { ok: true } : refused(complaint[1]);
}

/** The host of a URL as the resolver takes it: an IPv6 address without brackets, a name without its last dot. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}

/** `localhost` and every name below it are loopback (RFC 6761), whatever a name server says. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function refused(reason: string): UrlJudgement {
  return { ok: false, reason };
}

/** The parser forgives backslashes, blanks, line breaks and extra slashes; a partner's URL needs none of these. */
function parseUrl(url: string): URL | null {
  if (url.length > MAX_URL_LENGTH || /[\s\\\p{Cc}]/u.test(url) || !/^[a-z]+:\/\/[^/]/i.test(url)) return null;
  return URL.canParse(url) ? new URL(url) : null;
}

function isSchemeAllowed({ protocol }: URL, { httpsOnly }: AddressRules): boolean {
  return protocol === 'https:' || (protocol === 'http:' && !httpsOnly);
}

function isPortAllowed({ port, protocol }: URL, { httpsOnly }: AddressRules): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (number === 443 || (number === 80 && !httpsOnly)) return true;
  return number >= 1_024 && !REFUSED_PORTS.has(number);
}

function isHostAllowed(host: string, rules: AddressRules): boolean {
  if (isLocalhost(host)) return rules.allowPrivate;
  return isIP(host) === 0 ? isName(host) : isAddressAllowed(host, rules);
}

/** A name as name servers know it; one that ends in a number would be an address (WHATWG URL). */
function isName(host: string): boolean {
  return (
    host.length <= 253 &&
    host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  );
}

/** Whether this is a public address of this machine. A service behind the firewall would answer us there. */
function isOurOwn(ip: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => isIP(address) !== 0 && ipaddr.process(address).toString() === ip),
  );
}
