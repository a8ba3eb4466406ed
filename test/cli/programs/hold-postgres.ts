/** Starts Postgres on the folder of its argument, prints its process id and port, and waits to be killed. */
import { startPostgres } from '../../../tools/launcher/embedded-postgres';

void (async () => {
  const { pid, port } = await startPostgres({ dataDir: process.argv[2] ?? '', port: 0, durable: false });
  console.log(JSON.stringify({ pid, port }));
  setInterval(() => undefined, 1_000);
})();
