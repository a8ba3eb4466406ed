/** What only a person at this machine may see: the key and the mails of the local sandbox, and its Temporal. */
import type { IncomingMessage } from 'node:http';

/** What a proxy adds. Behind one, every caller comes from this machine. */
const FORWARDED =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|.+-connecting-ip)$/;

/**
 * Whether the caller is on this machine, uses a name of this machine, and does not come through a proxy. A web page whose
 * own host name points to this address is not local.
 */
export function isLocal(request: IncomingMessage): boolean {
  if (Object.keys(request.headers).some((name) => FORWARDED.test(name))) return false;
  const from = request.socket.remoteAddress ?? '';
  const isLoopback = from === '::1' || /^(?:::ffff:)?127\./.test(from);
  return isLoopback && /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(request.headers.host ?? '');
}
