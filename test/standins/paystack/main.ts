/**
 * A fake of Paystack for tests and rehearsals: it is not Paystack, and moves no money. A process of its own, written
 * from Paystack's public pages. It speaks HTTP on one port, and on a second port it is told which faults it has. Its
 * state is a file, so it forgets nothing when it is killed.
 *
 *     npx tsx test/standins/paystack/main.ts --folder <folder> [--port 0] [--control-port 0]
 *
 * It prints one line of JSON, `{ "url", "controlUrl" }`, when it listens, and ends when its standard input closes.
 * `control.ts` has the requests of the control port.
 */
import { mkdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createControl } from './control';
import { createFakePaystack } from './fake-paystack';
import { openState } from './state';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
  },
});
if (values.folder === undefined) throw new Error('--folder must say where the state is kept');
mkdirSync(values.folder, { recursive: true });
const state = openState(join(values.folder, 'state.json'));

async function listen(listener: RequestListener, port: number): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function main(): Promise<void> {
  const url = await listen(createFakePaystack(state), Number(values.port));
  const controlUrl = await listen(createControl(state), Number(values['control-port']));
  process.stdout.write(`${JSON.stringify({ url, controlUrl })}\n`);
  process.stdin.resume().once('end', () => process.exit(0));
}

void main();
