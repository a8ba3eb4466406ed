/** Starts the program of its argument as `npm start` would, and waits to be killed. */
import { startProcess } from '../../../tools/launcher/processes';

void (async () => {
  const [, , entry = '', logFile = ''] = process.argv;
  const order = { name: 'API', entry, environment: {}, logFile, readyWithinMs: 10_000 };
  const { pid } = await startProcess(order);
  console.log(String(pid));
  setInterval(() => undefined, 1_000);
})();
