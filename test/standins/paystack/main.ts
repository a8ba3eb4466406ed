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
import { serveStandIn } from '../kit';
import { createControl } from './control';
import { createFakePaystack } from './fake-paystack';
import { openState } from './state';

serveStandIn((file) => {
  const state = openState(file);
  const fake = createFakePaystack(state);
  return { serve: fake.serve, control: createControl(state, fake) };
});
