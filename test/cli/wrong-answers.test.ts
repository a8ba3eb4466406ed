/** What the command line does with wrong answers, wrong words and a parent that is gone, beside a server of our own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { until } from '../support/until';

type Deed = (response: ServerResponse, body: string, request: IncomingMessage) => void;

let server: Server;
let folder: string;
let url: string;
let deeds: Deed[] = [];
let asked: { path: string; body: string; key: string | undefined }[] = [];
const children: ChildProcess[] = [];
const WALLET = join(projectFolder(), 'cli', 'wallet.mjs');

const send =
  (status: number, type: string, body: string): Deed =>
  (response) =>
    void response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_7' }).end(body);
const json = (body: unknown, status = 200): Deed => send(status, 'application/json', JSON.stringify(body));
const PAGE = send(200, 'text/html', '<html>Sign in</html>');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wallet-cli-alone-'));
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const key = request.headers['idempotency-key'] as string | undefined;
      asked.push({ path: request.url ?? '', body, key });
      (deeds[asked.length - 1] ?? deeds.at(-1)!)(response, body, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = [];
  deeds = [json({ data: { id: 'one' }, meta: {} })];
});

const environment = (more: Record<string, string> = {}) =>
  childEnvironment({
    XDG_CONFIG_HOME: folder,
    DATA_DIR: folder,
    WALLET_API_KEY: 'sk_test_x',
    WALLET_BASE_URL: url,
    ...more,
  });

async function wallet(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [WALLET, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(env),
    cwd: folder,
  });
  children.push(child);
  let [said, wrong] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (wrong += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said, wrong };
}

const PAY = ['transfers', 'p2p', '--source-wallet', 'a', '--dest-wallet', 'b', '--reference', 'r'];

test('the page of a proxy is not a payment: exit 3, nothing on standard output, and one key for all tries', async () => {
  deeds = [PAGE];
  const { code, said, wrong } = await wallet([...PAY, '--amount', '15']);
  expect([code, said]).toEqual([3, '']);
  expect(wrong).toMatch(/^POST http:\S+\/v1\/transfers\/p2p: HTTP 200 with text\/html is no answer/);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  expect(asked).toHaveLength(3);
});

test('a page in between is asked again', async () => {
  deeds = [PAGE, json({ data: { id: 'one' }, meta: {} })];
  const { code, said } = await wallet(['--json', ...PAY, '--amount', '15']);
  expect([code, said]).toEqual([0, '{"id":"one"}\n']);
});

test.each([
  ['1500', 150_000],
  ['1500.50', 150_050],
  ['0.05', 5],
])('--amount %s is %d kobo', async (naira, amount) => {
  expect((await wallet([...PAY, '--amount', naira])).code).toBe(0);
  expect(JSON.parse(asked[0]!.body)).toMatchObject({ amount });
});

test('--amount-kobo is kobo', async () => {
  expect((await wallet([...PAY, '--amount-kobo', '150'])).code).toBe(0);
  expect(JSON.parse(asked[0]!.body)).toMatchObject({ amount: 150 });
});

test.each<[string[], RegExp]>([
  [['--amount', '1e3'], /--amount is in naira, in digits and with no or two decimals, as 1500 or 1500\.50/],
  [['--amount', '-1'], /--amount is in naira/],
  [['--amount-kobo', '0x10'], /--amount-kobo is a whole number in digits/],
  [['--amount', '5', '--amount-kobo', '500'], /Say the amount either in naira as --amount, or in kobo/],
  [['--amount', '5', '-d', '{"amount":500}'], /Say the amount either in --data, or as --amount/],
  [['--amount', '5', '--amount', '50'], /Say it once/],
  [['--lunch', 'yes'], /unknown option '--lunch'/],
])('%j is refused in a sentence, and nothing is sent', async (more, says) => {
  const { code, said, wrong } = await wallet([...PAY, ...more]);
  expect([code, said]).toEqual([2, '']);
  expect(wrong).toMatch(says);
  expect(asked).toEqual([]);
});

test.each<[string, string[], Record<string, string>, RegExp]>([
  [
    'an address without a scheme',
    ['whoami'],
    { WALLET_BASE_URL: 'localhost:3000' },
    /address with its scheme/,
  ],
  [
    'a key with a line break',
    ['whoami'],
    { WALLET_API_KEY: 'sk_test_x\n' },
    /the apiKey has .* a line break/,
  ],
  ['seconds that are none', ['fault', 'id', 'drop', '--seconds', '1e1'], {}, /--seconds is a whole number/],
  ['an empty id', ['wallets', 'get', ''], {}, /needs a id, and "" is none/],
  ['a file without a place', ['wallets', 'statement', 'a', '--format', 'csv'], {}, /as -o statement\.csv/],
  [
    'a place without a file',
    ['wallets', 'statement', 'a', '-o', 'x.csv'],
    {},
    /Say --format csv or --format pdf/,
  ],
  [
    'a place that cannot be written',
    ['wallets', 'statement', 'a', '--format', 'csv', '-o', join('nowhere', 'x.csv')],
    {},
    /nowhere\/x\.csv cannot be written/,
  ],
])('%s ends with 2', async (_what, args, env, says) => {
  deeds = [send(200, 'text/csv', 'x')];
  const { code, said, wrong } = await wallet(args, env);
  expect([code, said]).toEqual([2, '']);
  expect(wrong).toMatch(says);
});

test('a platform that is away is named with the cause', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const { code, wrong } = await wallet(['whoami'], { WALLET_BASE_URL: `http://127.0.0.1:${String(port)}` });
  expect(code).toBe(3);
  expect(wrong).toMatch(new RegExp(`^GET http://127\\.0\\.0\\.1:${String(port)}/v1/partner: .*ECONNREFUSED`));
});

const REFUSAL = {
  error: 'VALIDATION_ERROR',
  message: 'amount: must be positive',
  detail: {
    fields: [
      { field: 'amount', message: 'must be positive' },
      { field: 'reference', message: 'is taken' },
    ],
  },
  meta: {},
};

test('a refusal is shown with its detail', async () => {
  deeds = [json(REFUSAL, 422)];
  expect(await wallet([...PAY, '--amount', '0'])).toEqual({
    code: 1,
    said: '',
    wrong:
      'VALIDATION_ERROR: amount: must be positive (req_7)\n' +
      '  amount: must be positive\n  reference: is taken\n',
  });
  deeds = [
    json(
      { error: 'LIMIT_EXCEEDED', message: 'too much', detail: { limit: 'daily', left_kobo: 5 }, meta: {} },
      422,
    ),
  ];
  expect((await wallet([...PAY, '--amount', '0'])).wrong).toBe(
    'LIMIT_EXCEEDED: too much (req_7)\n  limit: daily\n  left_kobo: 5\n',
  );
});

test.each<[string, string[], Deed, number, object]>([
  [
    'a refusal',
    [...PAY, '--amount', '0'],
    json(REFUSAL, 422),
    1,
    {
      error: 'VALIDATION_ERROR',
      message: 'amount: must be positive',
      detail: REFUSAL.detail,
      status: 422,
      request_id: 'req_7',
      exit_code: 1,
    },
  ],
  ['a page', PAY, PAGE, 3, { error: 'UNREADABLE_ANSWER', exit_code: 3 }],
  [
    'an outage',
    PAY,
    json({ error: 'SERVICE_UNAVAILABLE', message: 'no', meta: {} }, 503),
    3,
    { status: 503 },
  ],
  ['a wrong key', PAY, json({ error: 'INVALID_TOKEN', message: 'no', meta: {} }, 401), 4, { status: 401 }],
  ['a wrong amount', [...PAY, '--amount', '1e3'], PAGE, 2, { error: 'USAGE', exit_code: 2 }],
  [
    'an unknown option',
    [...PAY, '--lunch'],
    PAGE,
    2,
    { error: 'USAGE', message: "unknown option '--lunch'" },
  ],
  ['an unknown command', ['lunch'], PAGE, 2, { error: 'USAGE' }],
  ['no command', [], PAGE, 2, { error: 'USAGE', message: 'Say a command: --help lists them' }],
  ['no operation', ['wallets'], PAGE, 2, { error: 'USAGE' }],
  ['a missing id', ['wallets', 'get'], PAGE, 2, { error: 'USAGE' }],
])('with --json %s is one object on standard error', async (_what, args, deed, code, says) => {
  deeds = [deed];
  const ended = await wallet(['--json', ...args]);
  expect([ended.code, ended.said]).toEqual([code, '']);
  expect(ended.wrong.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(ended.wrong)).toMatchObject(says);
});

test('help is no failure, with --json neither', async () => {
  for (const args of [['--help'], ['--json', 'wallets', 'statement', '--help']]) {
    const { code, said, wrong } = await wallet(args);
    expect([code, wrong]).toEqual([0, '']);
    expect(said).toMatch(/^Usage: wallet/);
  }
});

test('a field that was ignored is one line on standard error, and the payment is done', async () => {
  const meta = { ignored_fields: ['descripton'] };
  deeds = [json({ data: { id: 'one' }, meta })];
  const body = JSON.stringify({ source_wallet: 'a', descripton: 'lunch' });
  expect(await wallet(['transfers', 'p2p', '-d', body])).toMatchObject({
    code: 0,
    wrong: 'Warning: POST /v1/transfers/p2p does not know the field descripton and has ignored it\n',
  });
  const { code, said, wrong } = await wallet(['--json', 'transfers', 'p2p', '-d', body]);
  expect([code, said]).toEqual([0, '{"id":"one"}\n']);
  expect(JSON.parse(wrong)).toMatchObject({ operation: 'POST /v1/transfers/p2p', field: 'descripton' });
});

describe('a statement as a file', () => {
  const HEAD = 'sequence,created_at\r\n,2026-01-01,,opening_balance,0.00\r\n';
  const CSV = `${HEAD},2026-02-01,,closing_balance,0.00\r\n`;
  const statement = (format: string, file: string) =>
    wallet(['wallets', 'statement', 'a', '--format', format, '-o', file]);
  const cut: Deed = (response) => {
    response.writeHead(200, { 'content-type': 'text/csv', 'content-length': String(CSV.length) });
    response.write(HEAD, () => setTimeout(() => response.destroy(), 20));
  };
  const files = (): string[] => readdirSync(folder).filter((name) => name.startsWith('statement'));
  beforeEach(() => {
    for (const name of files()) rmSync(join(folder, name));
  });

  test('is kept, as CSV and as PDF', async () => {
    deeds = [send(200, 'text/csv; charset=utf-8', CSV), send(200, 'application/pdf', '%PDF-1.3\n%%EOF\n')];
    expect(await statement('csv', 'statement.csv')).toEqual({
      code: 0,
      said: `statement.csv has ${String(CSV.length)} bytes\n`,
      wrong: '',
    });
    expect((await statement('pdf', 'statement.pdf')).code).toBe(0);
    expect(readFileSync(join(folder, 'statement.csv'), 'utf8')).toBe(CSV);
    expect(files()).toEqual(['statement.csv', 'statement.pdf']);
    expect(asked.map(({ path }) => path)).toEqual([
      '/v1/wallets/a/statement?format=csv',
      '/v1/wallets/a/statement?format=pdf',
    ]);
  });

  test('that breaks off is asked for again', async () => {
    deeds = [cut, send(200, 'text/csv', CSV)];
    const args = ['--json', 'wallets', 'statement', 'a', '--format', 'csv', '-o', 'statement.csv'];
    const { code, said } = await wallet(args);
    expect([code, JSON.parse(said)]).toEqual([
      0,
      { file: 'statement.csv', format: 'csv', bytes: CSV.length },
    ]);
    expect(readFileSync(join(folder, 'statement.csv'), 'utf8')).toBe(CSV);
  });

  test('that never comes whole leaves nothing, and keeps what was there', async () => {
    for (const deed of [cut, send(200, 'text/csv', HEAD), PAGE]) {
      deeds = [deed];
      expect(await statement('csv', 'statement.csv')).toMatchObject({ code: 3, said: '' });
      expect(files()).toEqual([]);
    }
    writeFileSync(join(folder, 'statement.csv'), 'of last month');
    expect((await statement('csv', 'statement.csv')).code).toBe(3);
    expect(readFileSync(join(folder, 'statement.csv'), 'utf8')).toBe('of last month');
  });
});

describe('what goes on until it is stopped ends with its parent', () => {
  /** A stream that stays open. */
  const open: Deed = (response, _body, request) => {
    if (request.url === '/v1/partner') {
      json({ data: { environment: 'sandbox' }, meta: {} })(response, '', request);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('id: 0\nevent: ready\ndata: {"environment":"sandbox"}\n\n');
  };
  const isGone = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      // One that has ended and that nobody has asked about is gone, too.
      return existsSync('/proc') && / Z /.test(readFileSync(`/proc/${String(pid)}/stat`, 'utf8'));
    } catch {
      return true;
    }
  };

  test.each([
    ['listen', ['listen', '-f', 'localhost:9']],
    ['logs tail', ['logs', 'tail']],
  ])('%s, whose parent is killed', async (_name, args) => {
    deeds = [open];
    // Its input is nothing, so only the loss of the parent can tell.
    const program = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify([WALLET, ...args])}, { stdio: ['ignore', 'inherit', 'ignore'] });
      console.log('pid', child.pid);`;
    const parent = spawn(process.execPath, ['-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: environment(),
    });
    children.push(parent);
    let said = '';
    parent.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until('Ready', () => said.includes('Ready'));
    const pid = Number(/pid (\d+)/.exec(said)?.[1]);
    expect(isGone(pid)).toBe(false);
    parent.kill('SIGKILL');
    await until('its end', () => isGone(pid));
  });

  test('listen, whose input is closed although a shell in between lives on', async () => {
    deeds = [open];
    const shell = spawn(
      'sh',
      ['-c', '"$@"; echo ended with $?', '-', process.execPath, WALLET, 'listen', '-f', 'localhost:9'],
      {
        stdio: ['pipe', 'pipe', 'ignore'],
        env: environment(),
      },
    );
    children.push(shell);
    let said = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await until('Ready', () => said.includes('Ready'));
    shell.stdin.end();
    await until('its end', () => said.includes('ended with 0'));
  });
});
