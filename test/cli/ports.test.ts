/** Ports: which one is taken, by whom, and which one is used instead. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { accepts, assertFree, choosePorts, freePort, isFree, portHolder } from '../../tools/launcher/ports';

let server: Server;
let taken: number;

beforeAll(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  taken = (server.address() as AddressInfo).port;
});

afterAll(() => {
  server.close();
});

test('a port with a listener is not free and accepts; another one is and does not', async () => {
  const free = await freePort();
  expect([await isFree(taken), await accepts('127.0.0.1', taken)]).toEqual([false, true]);
  expect([await isFree(free), await accepts('127.0.0.1', free)]).toEqual([true, false]);
});

test('a taken port is refused with its holder and the command with the next port', async () => {
  // Who holds it is told where the system has `lsof`.
  const holder = portHolder(taken) ? ` \\(pid ${String(process.pid)} [^)]+\\)` : '';
  const message = `^Port ${String(taken)} is in use${holder}\\. PORT=${String(taken + 1)} npm start$`;
  await expect(assertFree('PORT', taken)).rejects.toThrow(new RegExp(message));
});

test('nobody holds a free port', async () => {
  expect(portHolder(await freePort())).toBeUndefined();
});

const firm = (asked: number) => ({ asked, preferred: 0, isFirm: true });
const wished = (preferred: number) => ({ asked: 0, preferred, isFirm: false });

test('a port that was asked for is used, or refused', async () => {
  const free = await freePort();
  expect(await choosePorts({ TEMPORAL_PORT: firm(free) })).toEqual({ TEMPORAL_PORT: free });
  const refused = choosePorts({ TEMPORAL_PORT: firm(taken) });
  await expect(refused).rejects.toThrow(`TEMPORAL_PORT=${String(taken + 1)} npm start`);
});

test('a port that is only preferred gives way', async () => {
  const free = await freePort();
  expect(await choosePorts({ TEMPORAL_PORT: wished(free) })).toEqual({ TEMPORAL_PORT: free });
  const { TEMPORAL_PORT: other } = await choosePorts({ TEMPORAL_PORT: wished(taken) });
  expect([other === taken, await isFree(other)]).toEqual([false, true]);
});

test('two variables that ask for one port are named', async () => {
  const free = await freePort();
  const refused = choosePorts({ PORT: firm(free), POSTGRES_PORT: wished(0), TEMPORAL_PORT: firm(free) });
  await expect(refused).rejects.toThrow(
    `PORT and TEMPORAL_PORT are both ${String(free)}. Give each a port of its own`,
  );
});

test('a port that somebody asked for is given to nothing else, whatever the order', async () => {
  const free = await freePort();
  const { OPERATOR_PORT, PORT } = await choosePorts({
    OPERATOR_PORT: { asked: free, preferred: 0, isFirm: false },
    PORT: firm(free),
  });
  expect([PORT, OPERATOR_PORT === free]).toEqual([free, false]);
});

describe('two starts at the same moment, when nobody listens yet', () => {
  test('get different ports', async () => {
    const free = await freePort();
    const wanted = { TEMPORAL_PORT: wished(free), OPERATOR_PORT: wished(0), POSTGRES_PORT: wished(0) };
    const chosen = await Promise.all([choosePorts(wanted), choosePorts(wanted)]);
    const ports = chosen.flatMap((start) => Object.values(start));
    expect(new Set(ports).size).toBe(6);
    expect(ports).toContain(free);
  });

  test('cannot both have a port that was asked for: the second one is told which to take', async () => {
    const asked = { TEMPORAL_PORT: firm(await freePort()) };
    const port = asked.TEMPORAL_PORT.asked;
    expect(await choosePorts(asked)).toEqual({ TEMPORAL_PORT: port });
    await expect(choosePorts(asked)).rejects.toThrow(
      `Port ${String(port)} is about to be used by another npm start. TEMPORAL_PORT=${String(port + 1)} npm start`,
    );
  });
});
