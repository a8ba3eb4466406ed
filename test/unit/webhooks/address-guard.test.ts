/**
 * The address guard: every known way to write an internal address is refused, and public addresses are allowed.
 */
import { networkInterfaces } from 'node:os';
import {
  isAddressAllowed,
  judgeWebhookUrl,
  type AddressRules,
} from '../../../src/providers/webhooks/address-guard';

const LIVE: AddressRules = { allowPrivate: false, httpsOnly: true };
const SANDBOX: AddressRules = { allowPrivate: false, httpsOnly: false };
const DEVELOPMENT: AddressRules = { allowPrivate: true, httpsOnly: false };
const ADDRESS = 'leads to an address that webhooks are not sent to';

/** Loopback and RFC 1918 in many notations: refused, except on a developer's own machine (D156). */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'loc%61lhost',
  'api.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:7F00:0001]',
  '[::ffff:10.0.0.1]',
  '10.0.0.1',
  '10.255.255.255',
  '0xa.1',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.65535',
];

/** Addresses that are refused under every rule (D156, D163). */
const NEVER_HOSTS = [
  '0.0.0.0',
  '0',
  '0.1.2.3',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0xa9fea9fe',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:0.0.0.0]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:0:7f00:1::]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[1000::1]',
  '[4000::1]',
  '[8000::1]',
];

/** Names and public addresses: names are judged when their addresses are known. */
const PUBLIC_HOSTS = [
  'example.com',
  'hooks.example.com.ng',
  'EXAMPLE.com',
  'example.com.',
  'xn--bcher-kva.example',
  'bücher.example',
  'my_host.example.com',
  'localhost.example.com',
  'notlocalhost',
  '127.0.0.1.nip.io',
  'metadata.google.internal',
  '8.8.8.8',
  '1.1.1.1',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:81b::200e]',
  '[::ffff:8.8.8.8]',
];

const judge = (url: string, rules: AddressRules) => judgeWebhookUrl(url, rules);

test.each(PRIVATE_HOSTS)('%s is refused live and in sandbox, and allowed on a developer machine', (host) => {
  expect(judge(`https://${host}/hook`, LIVE)).toEqual({ ok: false, reason: ADDRESS });
  expect(judge(`http://${host}/hook`, SANDBOX)).toEqual({ ok: false, reason: ADDRESS });
  expect(judge(`http://${host}:8080/hook`, DEVELOPMENT)).toEqual({ ok: true });
});

test.each(NEVER_HOSTS)('%s is refused under every rule', (host) => {
  for (const rules of [LIVE, SANDBOX, DEVELOPMENT]) {
    expect(judge(`https://${host}/hook`, rules)).toEqual({ ok: false, reason: ADDRESS });
  }
});

test.each(PUBLIC_HOSTS)('%s is allowed under every rule', (host) => {
  for (const rules of [LIVE, SANDBOX, DEVELOPMENT]) {
    expect(judge(`https://${host}/hook?a=1`, rules)).toEqual({ ok: true });
  }
});

const FORM = 'is not an absolute URL of at most 2048 characters';
const USER = 'must not contain a user name or password';
const FRAGMENT = 'must not contain a fragment';
const PORT = 'uses a port that webhooks are not sent to';
test.each([
  ['', FORM],
  ['example.com/hook', FORM],
  ['//example.com/hook', FORM],
  ['/hook', FORM],
  ['https:example.com', FORM],
  ['https:/example.com', FORM],
  ['https:///example.com', FORM],
  ['https://', FORM],
  ['https:\\\\10.0.0.1', FORM],
  ['https://example.com\\@10.0.0.1/', FORM],
  ['https://exam ple.com', FORM],
  [' https://example.com', FORM],
  ['https://example.com/\n', FORM],
  ['https://127.0\t.0.1/', FORM],
  ['https://example.com/\u0000', FORM],
  ['https://256.256.256.256/', FORM],
  ['https://1.2.3.4.5/', FORM],
  ['https://[::1/', FORM],
  ['https://[fe80::1%25eth0]/', FORM],
  ['https://example.com:65536/', FORM],
  ['https://exa%00mple.com/', FORM],
  [`https://example.com/${'a'.repeat(2_029)}`, FORM],
  ['http://example.com/hook', 'must begin with https://'],
  ['ftp://example.com/', 'must begin with https://'],
  ['file:///etc/passwd', FORM],
  ['javascript://example.com/%0aalert(1)', 'must begin with https://'],
  ['ws://example.com/', 'must begin with https://'],
  ['https://user@example.com/', USER],
  ['https://user:secret@example.com/', USER],
  ['https://@example.com/', USER],
  ['https://:@example.com/', USER],
  ['https://example.com@10.0.0.1/', USER],
  ['https://example.com/#part', FRAGMENT],
  ['https://example.com/#', FRAGMENT],
  ['https://example.com:0/', PORT],
  ['https://example.com:22/', PORT],
  ['https://example.com:25/', PORT],
  ['https://example.com:80/', PORT],
  ['https://example.com:1023/', PORT],
  ['https://example.com:5432/', PORT],
  ['https://example.com:6379/', PORT],
  ['https://example.com:7233/', PORT],
  ['https://a..b/', ADDRESS],
  ['https://-a.example/', ADDRESS],
  ['https://*.example.com/', ADDRESS],
  [`https://${'a'.repeat(64)}.example/`, ADDRESS],
])('live, %j %s', (url, reason) => {
  expect(judge(url, LIVE)).toEqual({ ok: false, reason });
});

test.each([
  'https://example.com',
  'HTTPS://example.com/hook',
  'https://example.com:443/hook',
  'https://example.com:1024/hook',
  'https://example.com:8443/hook',
  'https://example.com:65535/hook',
  'https://example.com/@user',
  'https://example.com/?to=a@b.c&next=http://10.0.0.1/',
  `https://example.com/${'a'.repeat(2_028)}`,
])('live, %s is allowed', (url) => {
  expect(judge(url, LIVE)).toEqual({ ok: true });
});

test.each([
  ['http://example.com/', true],
  ['http://example.com:80/', true],
  ['https://example.com:80/', true],
  ['http://example.com:443/', true],
  ['http://example.com:8080/', true],
  ['http://example.com:81/', false],
  ['ftp://example.com/', false],
])('sandbox, %s is allowed: %s', (url, ok) => {
  expect(judge(url, SANDBOX).ok).toBe(ok);
});

test.each(['', 'localhost', '127.1', '1.2.3', '8.8.8.8 ', '8.8.8.8:80', '[2606:4700::1]', 'fe80::1%lo', 'x'])(
  'a connection to "%s", which is no plain public address, is not allowed',
  (ip) => expect(isAddressAllowed(ip, LIVE)).toBe(false),
);

test('no address of this machine is allowed live', () => {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  expect(own.length).toBeGreaterThan(0);
  for (const { address } of own) expect(isAddressAllowed(address, LIVE)).toBe(false);
});
