/** Networks as people write them: one address, or an address and the length of its prefix (RFC 4632, RFC 4291). */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The usual form of an address or a network, with its length: `203.0.113.7` becomes `203.0.113.7/32`. */
export function networkNamed(text: string): string {
  const [address = '', length] = text.split('/');
  const parsed = ipaddr.parse(address);
  return `${parsed.toString()}/${length ?? (parsed.kind() === 'ipv4' ? '32' : '128')}`;
}

/**
 * An address as a proxy writes it, without what some proxies add: the port and the brackets of IPv6. `1.2.3.4:5678` and
 * `[::1]:5678` are the addresses before the port. A text that is no such address stays as it is.
 */
export function withoutPort(text: string): string {
  const [, bare] =
    /^\s*\[([^\]]*)\](?::\d{1,5})?\s*$/.exec(text) ?? /^\s*([^:\s]+):\d{1,5}\s*$/.exec(text) ?? [];
  return bare !== undefined && isIP(bare) !== 0 ? bare : text;
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
