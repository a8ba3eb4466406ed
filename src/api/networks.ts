/** Networks as people write them: one address, or an address and the length of its prefix (RFC 4632, RFC 4291). */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The network in its usual form, with its length: `203.0.113.7` becomes `203.0.113.7/32`. null for anything else. */
export function networkNamed(text: string): string | null {
  const [address = '', length, ...more] = text.split('/');
  const isWhole = more.length === 0 && (length === undefined || /^\d{1,3}$/.test(length));
  if (!isWhole || !(ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address))) return null;
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  const named = length === undefined ? bits : Number(length);
  return named <= bits ? `${parsed.toString()}/${String(named)}` : null;
}

/** Whether an address, as a connection or a proxy gives it, lies in one of the networks. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return false;
  const one: Address = ipaddr.process(bare);
  return networks.some((network) => {
    const [start, length] = ipaddr.parseCIDR(network);
    return one.kind() === start.kind() && one.match(start, length);
  });
}
