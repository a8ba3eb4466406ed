/**
 * Where movements are shipped to, outside of the database: a folder, a syslog server, or an object store. Each takes lines in
 * order and may get one twice. A folder and an object store have a line for good when `append` returns; a syslog server confirms
 * nothing, so what was under way when it broke off may be missing there.
 */
import type { Destination } from './port';
import { openFolder } from './folder';
import { openObjectStore, type ObjectStoreKeys } from './object-store';
import { openSyslog } from './syslog';

/**
 * Opens a destination by its address.
 * @param url `file:///folder`, `syslog://host:port`, `syslogs://host:port` over TLS, or `https://host/bucket/folder`.
 * @param keys of the object store.
 * @throws Error in a sentence, where the address is none of these, or the keys are missing.
 */
export function openDestination(url: string, keys: ObjectStoreKeys | null): Destination {
  const address = new URL(url);
  switch (address.protocol) {
    case 'file:':
      return openFolder(address);
    case 'syslog:':
    case 'syslogs:':
      return openSyslog(address);
    case 'http:':
    case 'https:':
      if (!keys) throw new Error('MOVEMENTS_ACCESS_KEY and MOVEMENTS_SECRET_KEY: needed for an object store');
      return openObjectStore(address, keys);
    default:
      throw new Error(
        'MOVEMENTS_TO: an address as file:///folder, syslog://host:port or https://host/bucket',
      );
  }
}
