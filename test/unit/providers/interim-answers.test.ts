/** Interim answers of a company, which some servers send although nobody has asked for them. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { openCompany } from '../../../src/providers/http';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const said = (json: object): string => {
  const body = JSON.stringify(json);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`;
};
const PAID = said({ status: 'paid' });

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A company that answers each request with these pieces. */
async function companyThat(parts: readonly string[]) {
  const open = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    open.add(socket.setNoDelay(true));
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (!text.endsWith('{"n":1}')) return;
      text = '';
      requests++;
      void (async () => {
        for (const part of parts) {
          await new Promise<void>((resolve) => void socket.write(part, () => resolve()));
          await new Promise((resolve) => setImmediate(resolve));
        }
      })();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    call: openCompany({ company: 'The company', url: `http://127.0.0.1:${String(port)}`, headers: {} }),
    requests: () => requests,
  };
}

const ASKED = { method: 'POST', path: '/payouts', body: { n: 1 }, withinMs: 2_000 } as const;

test.each<[string, string[]]>([
  ['a 100', [CONTINUE, PAID]],
  ['a 100 in the same packet', [CONTINUE + PAID]],
  ['a 100 with headers', ['HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n', PAID]],
  ['a 100 byte by byte', [...CONTINUE.split(''), PAID]],
  ['a 102', ['HTTP/1.1 102 Processing\r\n\r\n', PAID]],
  ['a 103', ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', PAID]],
  ['several of them', [CONTINUE + CONTINUE, 'HTTP/1.1 103 Early Hints\r\n\r\n', CONTINUE, PAID]],
])('%s before the answer of a company is not it', async (_what, parts) => {
  const company = await companyThat(parts);
  for (let n = 0; n < 2; n++) {
    expect(await company.call(ASKED)).toMatchObject({
      kind: 'answered',
      status: 200,
      json: { status: 'paid' },
    });
  }
  expect(company.requests()).toBe(2);
});

test('a body that quotes one stays as it is', async () => {
  const company = await companyThat([said({ message: 'HTTP/1.1 100 Continue', other: 'HTTP/1.1 100' })]);
  expect(await company.call(ASKED)).toMatchObject({
    json: { message: 'HTTP/1.1 100 Continue', other: 'HTTP/1.1 100' },
  });
});

test('a 100 alone is no answer', async () => {
  const company = await companyThat([CONTINUE]);
  await expect(company.call({ ...ASKED, withinMs: 200 })).rejects.toThrow('The company has not answered');
});
