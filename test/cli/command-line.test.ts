/** The command line `wallet` as a programmer types it, on the real platform, beside a receiver that sometimes fails. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook } from '../../sdk/src';
import { projectFolder } from '../../src/administration/project';
import { EVENT_KINDS } from '../../src/domain/events';
import { childEnvironment } from '../../src/runtime/config';
import { createAuthenticator } from '../support/people';
import { openReceiver } from '../support/receiver';
import type { Json } from '../support/send';
import { until } from '../support/until';
import { openService, type Client, type Service } from '../specification/client';

let service: Service;
let partner: Client;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  service = await openService();
  partner = await service.partner();
  folder = mkdtempSync(join(tmpdir(), 'wallet-cli-'));
  const sandbox = { api_url: service.url, sandbox_key: partner.key };
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

/** Types a command. `said` is what it has printed so far. */
function type(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const child = spawn(process.execPath, [join(projectFolder(), 'cli', 'wallet.mjs'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: childEnvironment({ DATA_DIR: folder, XDG_CONFIG_HOME: folder, ...env }),
  });
  children.push(child);
  child.stdin.end(input);
  let [said, wrong] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (wrong += text));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, said: () => said, wrong: () => wrong };
}

async function wallet(...args: string[]): Promise<{ code: number | null; said: string; wrong: string }> {
  const typed = type(args);
  return { code: await typed.ended, said: typed.said(), wrong: typed.wrong() };
}

/** What a command prints with --json. */
async function json(...args: string[]): Promise<Json[]> {
  const { code, said, wrong } = await wallet('--json', ...args);
  expect({ code, wrong }).toEqual({ code: 0, wrong: '' });
  return said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('login --local is kept for later commands, in a file of its owner, until logout', async () => {
  const elsewhere = { DATA_DIR: join(folder, 'elsewhere') };
  expect(await type(['whoami'], elsewhere).ended).toBe(2);
  // Where a sandbox runs in the checkout, nobody has to log in.
  expect((await json('whoami'))[0]).toMatchObject({ id: partner.partnerId });
  expect(await wallet('login', '--local')).toMatchObject({
    code: 0,
    said: `Logged in at ${service.url} as Acme Fintech, sandbox\n`,
  });
  expect(statSync(join(folder, 'partner-wallet', 'config.json')).mode & 0o777).toBe(0o600);
  expect(await type(['whoami'], elsewhere).ended).toBe(0);
  expect((await wallet('logout')).code).toBe(0);
  expect(await type(['whoami'], elsewhere).ended).toBe(2);
});

test('email and password make a key for ninety days; a second login replaces it, and logout deletes it', async () => {
  const password = 'seven green kettles';
  const email = `owner-${randomUUID()}@acme.example`;
  const company = { business_name: 'Acme', email, phone: '+2348012345678', password };
  await service.as(null).post('/v1/auth/register', company);
  const { body } = await service.as(null).post('/v1/auth/login', { email, password });
  const owner = service.as(body.data.access_token);
  const keys = async (): Promise<Json[]> => (await owner.get('/v1/api-keys')).body.data;
  const atHome = { XDG_CONFIG_HOME: join(folder, 'home'), DATA_DIR: join(folder, 'elsewhere') };
  const logIn = async (more: string[] = [], typed = password) => {
    const asked = ['login', '--url', service.url, '--email', email, '--password-stdin', ...more];
    const login = type(asked, atHome, `${typed}\n`);
    return { code: await login.ended, wrong: login.wrong() };
  };

  expect((await logIn([], 'a guess')).code).toBe(4);
  expect(await logIn()).toEqual({ code: 0, wrong: '' });
  const [first, ...none] = await keys();
  expect([first.label, none]).toEqual([`cli ${hostname()}`, []]);
  const days = (Date.parse(first.expires_at) - Date.parse(first.created_at)) / 86_400_000;
  expect(days).toBeCloseTo(90, 2);
  expect(await type(['whoami'], atHome).ended).toBe(0);
  // Its key would be good for ninety days more, and nobody would know of it.
  expect(await type(['login', '--local'], { ...atHome, DATA_DIR: folder }).ended).toBe(2);

  const { body: offered } = await owner.post('/v1/auth/totp', { password });
  const { code } = await createAuthenticator(offered.data.secret);
  await owner.post('/v1/auth/totp/enable', { code: code() });
  expect(await logIn()).toEqual({ code: 2, wrong: 'There is no terminal to ask on. Say --code\n' });
  expect((await logIn(['--code', code()])).code).toBe(0);
  const [second, ...others] = await keys();
  expect([second.id === first.id, others]).toEqual([false, []]);

  const logOut = (...more: string[]) => type(['logout', ...more], atHome, `${password}\n`).ended;
  expect(await logOut()).toBe(2);
  expect(await logOut('--password-stdin', '--code', code())).toBe(0);
  expect(await keys()).toEqual([]);
  expect(await type(['whoami'], atHome).ended).toBe(2);
});

/** Each kind of event that a scenario makes. */
const KINDS = readdirSync(join(projectFolder(), 'scenarios'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''));

test('each kind of event has a trigger', () => {
  expect([...KINDS].sort()).toEqual([...EVENT_KINDS].sort());
});

describe('logged in', () => {
  beforeAll(async () => {
    await wallet('login', '--api-key', partner.key, '--url', service.url);
  });

  test('every operation is a command: ids are arguments, fields are options, and amounts are naira', async () => {
    const [{ id: ada }] = (await json('wallets', 'create', '--user-ref', `ada-${randomUUID()}`)) as [Json];
    const [{ id: bola }] = (await json('wallets', 'create', '-d', `{"user_ref":"${randomUUID()}"}`)) as [
      Json,
    ];
    for (const id of [ada, bola]) {
      await until(
        'an active wallet',
        async () => (await json('wallets', 'get', id))[0].wallet.status === 'active',
      );
    }
    await json('sandbox', 'fund', ada, '--amount', '1500.50');
    const pay = ['transfers', 'p2p', '--source-wallet', ada, '--dest-wallet', bola, '--reference', '007'];
    const [paid] = await json(...pay, '--amount-kobo', '100', '--metadata', '{"order":1}');
    expect(paid).toMatchObject({
      status: 'completed',
      amount: 100,
      reference: '007',
      metadata: { order: 1 },
    });
    const entries = await json('wallets', 'ledger', ada);
    expect(entries.at(-1)).toMatchObject({ amount: 150_050 });
    expect(await json('wallets', 'ledger', ada, '--limit', '1')).toHaveLength(1);
    const shown = await wallet('transactions', 'list', '--reference', '007');
    expect(shown.said.split('\n')[0]).toMatch(/^id +partner_id +reference/);
    expect(shown.said).toContain(paid.id);
  });

  test.each<[string, code: number, args: string[], env?: Record<string, string>]>([
    ['a refusal', 1, ['wallets', 'get', randomUUID()]],
    ['an unknown command', 2, ['lunch']],
    ['an unknown option', 2, ['wallets', 'list', '--lunch', 'yes']],
    ['a missing id', 2, ['wallets', 'get']],
    ['a body that is not JSON', 2, ['wallets', 'create', '-d', '{']],
    ['an amount that is none', 2, ['sandbox', 'fund', randomUUID(), '--amount', '1.505']],
    ['a time that is none', 2, ['forward', 'soon']],
    ['a listener without a receiver', 2, ['listen']],
    ['a scenario that is not there', 2, ['run', 'lunch.json']],
    ['an event without a scenario', 2, ['trigger', 'lunch.eaten']],
    ['a change with a live key', 2, ['wallets', 'freeze', randomUUID()], { WALLET_API_KEY: 'sk_live_x' }],
    ['a platform that is away', 3, ['whoami'], { WALLET_BASE_URL: 'http://127.0.0.1:1' }],
    ['a key that is none', 4, ['whoami'], { WALLET_API_KEY: 'sk_test_x' }],
  ])('%s ends with %d', async (_what, code, args, env = {}) => {
    const typed = type(args, env);
    expect(await typed.ended).toBe(code);
    expect(typed.wrong()).not.toBe('');
    expect(typed.said()).toBe('');
  });

  test('a shell is told commands, options, values and the newest wallets', async () => {
    const id = await partner.wallet();
    const offered = async (...words: string[]): Promise<string> => {
      const typed = type(['complete', '--', ...words]);
      expect([await typed.ended, typed.wrong()]).toEqual([0, '']);
      return typed.said();
    };
    expect(await offered('wal')).toContain('wallets\t');
    expect(await offered('transactions', 'list', '--st')).toContain('--status\t');
    expect(await offered('transactions', 'list', '--status', '')).toContain('failed\t');
    expect(await offered('trigger', 'kyc.')).toMatch(/^kyc\.failed\t\nkyc\.verified\t\n/);
    // A platform on a busy machine may not answer within the second for which a shell waits.
    for (const asking of [
      ['wallets', 'get', ''],
      ['transfers', 'p2p', '--source-wallet', ''],
    ]) {
      await until(`the wallet after ${asking.join(' ')}`, async () =>
        (await offered(...asking)).includes(`${id}\tuser-`),
      );
    }
    const script = await wallet('completion', 'bash');
    expect(script.said).toContain(`'${join(projectFolder(), 'cli', 'wallet.mjs')}' complete -- `);
  });

  test('a scenario is run to its end, or tells both sides of what was not as expected', async () => {
    expect((await wallet('seed')).code).toBe(0);
    const file = join(folder, 'wrong.json');
    const step = { id: 'none', call: 'wallets.get', path: [randomUUID()], expect: { code: 'WALLET_FROZEN' } };
    writeFileSync(file, JSON.stringify({ steps: [step] }));
    const { code, wrong } = await wallet('run', file);
    expect(code).toBe(1);
    expect(wrong).toMatch(/expected {"code":"WALLET_FROZEN"}, and got {"code":"\w*NOT_FOUND"} \(req_/);
  });

  test('time is forwarded, and a fault is asked for', async () => {
    expect((await json('forward', '3m'))[0]).toMatchObject({ seconds: 180 });
    const url = 'https://partner.example/hooks';
    const [{ id }] = (await json('webhooks', 'create', '--url', url, '--events', '["kyc.failed"]')) as [Json];
    expect((await json('fault', id, 'drop'))[0]).toMatchObject({ webhook_id: id, mode: 'drop' });
    await json('webhooks', 'delete', id);
  });

  test('a phone types a line for each screen, and the payment is done', async () => {
    const made = async (user: string): Promise<string> => {
      const [{ id }] = (await json('wallets', 'create', '--user-ref', `${user}-${randomUUID()}`)) as [Json];
      await until(
        'an active wallet',
        async () => (await json('wallets', 'get', id))[0].wallet.status === 'active',
      );
      return id;
    };
    const [payer, shop] = [await made('payer'), await made('shop')];
    await json('sandbox', 'fund', payer, '--amount', '100');
    await json('wallets', 'set-pin', payer, '--pin', '4821');
    const asked = [
      '--wallet-id',
      payer,
      '--merchant-wallet-id',
      shop,
      '--amount',
      '25',
      '--reference',
      randomUUID(),
    ];
    const [session] = await json('ussd', 'initiate', ...asked, '--phone', '+2348012345678');
    const typed = type(['dial', session.dial_code, '--phone', '+2348012345678'], {}, '1\n4821\n');
    expect(await typed.ended).toBe(0);
    expect(typed.said()).toContain('25.00');
    expect((await json('ussd', 'get', session.session_id))[0].status).toBe('completed');
  });

  test('the requests that are refused are shown as they are answered', async () => {
    const tail = type(['logs', 'tail', '--status', '4xx', '--since', '10m']);
    await until('Ready', () => tail.said().includes('Ready. Requests of sandbox'));
    const { wrong } = await wallet('wallets', 'get', randomUUID());
    const [, id = ''] = /\((req_\w+)\)/.exec(wrong) ?? [];
    await until('the request', () => tail.said().includes(id));
    expect(tail.said()).toMatch(/^\d\d:\d\d:\d\d {2}GET getWallet {2}\[404 \w*NOT_FOUND\] \d+ ms {2}req_/m);
    tail.child.kill('SIGINT');
    expect(await tail.ended).toBe(0);
    const shown = await wallet('logs', 'show', id);
    expect(shown.said).toContain('Asked: no body is kept');
    expect(shown.said).toContain('"error": "NOT_FOUND"');
  });

  test('listen --poll forwards what happens, signed', async () => {
    const receiver = await openReceiver();
    const listening = type(['listen', '--poll', '-f', receiver.url]);
    try {
      const ready = /^Ready\. Secret (\S+) .* Events of sandbox/;
      const [, secret = ''] = await until('Ready', () => ready.exec(listening.said()));
      const [made] = await json('trigger', 'wallet.activated');
      const { headers, text } = await until('the event', () =>
        receiver.deliveries.find((one) => one.body.webhook_id === made.webhook_id),
      );
      expect(await verifyWebhook(text, headers, secret)).toEqual(made);
      listening.child.kill('SIGINT');
      expect(await listening.ended).toBe(0);
    } finally {
      listening.child.kill('SIGKILL');
      await receiver.close();
    }
  });

  test('listen --use-endpoint forwards what the endpoint is subscribed to, and nothing else', async () => {
    const receiver = await openReceiver();
    const own = (events: string[]) =>
      partner.post('/v1/webhooks', { url: `${receiver.url}/${events.join()}`, events });
    const [failures, renamed] = [await own(['transaction.failed']), await own(['transfer.completed'])];
    const to = ['-f', receiver.url, '--use-endpoint'];
    const refused = await wallet('listen', ...to, renamed.body.data.id);
    expect(refused).toMatchObject({ code: 2, wrong: expect.stringContaining('Say --events instead') });
    expect((await wallet('listen', ...to, failures.body.data.id, '--events', 'kyc.failed')).code).toBe(2);
    expect((await wallet('listen', ...to, randomUUID())).code).toBe(1);
    const listening = type(['--json', 'listen', ...to, failures.body.data.id]);
    try {
      await until('its begin', () => listening.said().includes('"notice":"ready"'));
      await json('trigger', 'wallet.activated');
      const [made] = await json('trigger', 'transaction.failed');
      await until('the event', () => listening.said().includes(made.webhook_id));
      const kinds = [...listening.said().matchAll(/"event":"([^"]+)"/g)].map(([, kind]) => kind);
      expect(new Set(kinds)).toEqual(new Set(['transaction.failed']));
      listening.child.kill('SIGINT');
      expect(await listening.ended).toBe(0);
    } finally {
      listening.child.kill('SIGKILL');
      await receiver.close();
      for (const { body } of [failures, renamed]) await partner.delete(`/v1/webhooks/${body.data.id}`);
    }
  });

  test('what is triggered reaches the receiver, signed, although it fails; and one is sent again', async () => {
    const receiver = await openReceiver((_delivery, before) => (before % 2 === 0 ? 500 : 200));
    const listening = type(['listen', '-f', receiver.url.replace('http://', '')]);
    try {
      const [, secret = ''] = await until('Ready', () => /^Ready\. Secret (\S+)/.exec(listening.said()));
      expect((await wallet('listen', '--print-secret')).said).toBe(`${secret}\n`);
      const trigger = async (kind: string): Promise<void> => {
        const [made] = await json('trigger', kind);
        expect(made.event).toBe(kind);
        const { headers, text, body } = await until(kind, () =>
          receiver.deliveries.find((one) => one.body.webhook_id === made.webhook_id),
        );
        expect(body).toEqual(made);
        expect(await verifyWebhook(text, headers, secret)).toEqual(made);
      };
      const waiting = [...KINDS];
      const lane = async (): Promise<void> => {
        for (let kind = waiting.shift(); kind; kind = waiting.shift()) await trigger(kind);
      };
      // A partner has five streams at most, and one of them is the listener's.
      await Promise.all(Array.from({ length: 4 }, lane));
      const ids = receiver.deliveries.map(({ body }) => body.webhook_id);
      expect(new Set(ids).size).toBe(ids.length);
      await until('the lines', () => listening.said().split('-->').length > ids.length);
      const line =
        /^\d\d:\d\d:\d\d {2}--> transaction\.failed bank_transfer \[wh_[0-9a-f]{32}\] {3}<-- \[(500|200)\] \d+ ms$/m;
      expect(listening.said()).toMatch(line);
      expect(listening.said()).toContain('[500]');
      expect(listening.said()).toMatch(/^ +again: npx wallet events resend \S+ -f \S+\/hook$/m);
      const [{ id }] = (await json('events', 'list', '--event', 'transaction.failed', '--limit', '1')) as [
        Json,
      ];
      const [sent] = await json('events', 'resend', id, '-f', receiver.url);
      const [first, again] = receiver.deliveries.filter(({ body }) => body.webhook_id === sent.webhook_id);
      expect(again!.text).toBe(first!.text);
      expect(await verifyWebhook(again!.text, again!.headers, secret)).toEqual(first!.body);
      listening.child.kill('SIGINT');
      expect(await listening.ended).toBe(0);
    } finally {
      // It keeps a connection to the receiver open.
      listening.child.kill('SIGKILL');
      await receiver.close();
    }
  });
});
