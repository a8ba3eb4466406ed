/** The connection to Temporal: how soon it is there again after an outage. */
import { createServer, type AddressInfo } from 'node:net';
import { temporalConnection } from '../../src/runtime/temporal-connection';
import { until } from '../support/until';

test('a connection that fails is tried about every second, so that it is there soon after an outage', async () => {
  let tries = 0;
  const server = createServer((socket) => {
    tries++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const connection = temporalConnection({ address }, 'wallet-sandbox');
  try {
    const startedAt = performance.now();
    await until('six tries', async () => {
      await connection.workflowService.getSystemInfo({}).catch(() => undefined);
      return tries >= 6;
    });
    // With the defaults of the library the sixth try would come after 13 seconds, and each later one half again as late.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  } finally {
    await connection.close();
    server.close();
  }
});
