/** Where Temporal's dev server comes from: each source in its turn, and the message when there is none. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, delimiter, dirname, join } from 'node:path';
import { TEMPORAL_ARCHIVES, TEMPORAL_VERSION } from '../../tools/launcher/temporal-archives';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { OFFICIAL_SOURCES, type Sources } from '../../tools/launcher/temporal-fetch';
import { freePort } from '../../tools/launcher/ports';
import { until } from '../support/until';
import { temporaryFolder, writeProgram } from './folder';

const folder = temporaryFolder();
const servers: Server[] = [];
let nextCase = 0;

afterAll(() => {
  for (const server of servers) server.close();
});

const temporal = (version: string) => `echo "temporal version ${version} (Server 1.29.1, UI 2.42.1)"`;
const BROKEN = 'exit 1';
const GO = (version: string) => `case $1 in
  version) echo "go version go${version} linux/amd64" ;;
  install) printf '#!/bin/sh\\n%s\\n' '${temporal('0.0.0-DEV')}' > "$GOBIN/temporal"; /bin/chmod 755 "$GOBIN/temporal" ;;
esac`;

/** A pretended machine: a cache folder and a PATH of its own. */
function machine() {
  const home = join(folder, String((nextCase += 1)));
  const cached = join(home, 'cache', 'partner-wallet', `temporal-${TEMPORAL_VERSION}`, 'temporal');
  const onPath = join(home, 'bin', 'temporal');
  const asked = join(home, 'asked', 'temporal');
  const search = {
    PATH: [join(home, 'absent'), dirname(onPath)].join(delimiter),
    XDG_CACHE_HOME: join(home, 'cache'),
    TEMPORAL_CLI_PATH: undefined,
  };
  return { home, cached, onPath, asked, search, go: join(home, 'bin', 'go') };
}

async function closedNetwork(): Promise<Sources> {
  const nobody = `http://127.0.0.1:${String(await freePort())}`;
  return { archives: nobody, hashes: TEMPORAL_ARCHIVES };
}

/** A site that serves one archive. @param known the SHA-256 that is known of it. */
async function siteWith(archive: Buffer, known: string = hashOf(archive)): Promise<Sources> {
  const platform = process.platform === 'darwin' ? 'darwin' : 'linux';
  const arch = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const answers: Record<string, Buffer | string | undefined> = {
    [`/archive/v${TEMPORAL_VERSION}?platform=${platform}&arch=${arch}`]: archive,
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const name = `temporal_cli_${TEMPORAL_VERSION}_${platform}_${arch}.tar.gz`;
  return { archives: `${origin}/archive`, hashes: { [name]: known } };
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function archiveOf(script: string): Buffer {
  const program = writeProgram(join(folder, `archive-${String((nextCase += 1))}`, 'temporal'), script);
  const packed = spawnSync('tar', ['-czf', '-', '-C', dirname(program), basename(program)]);
  return packed.stdout;
}

test.each([
  ['TEMPORAL_CLI_PATH before all others', ['asked', 'onPath', 'cached'], 'asked'],
  ['PATH before the cache', ['onPath', 'cached'], 'onPath'],
  ['the cache before the network', ['cached'], 'cached'],
] as const)('takes %s', async (_, present, taken) => {
  const { search, ...places } = machine();
  for (const name of present) writeProgram(places[name], temporal('1.2.3'));
  const asked = present.some((name) => name === 'asked') ? { TEMPORAL_CLI_PATH: places.asked } : {};
  const found = await findTemporal({ ...search, ...asked }, fail, { sources: await closedNetwork() });
  expect(found.path).toBe(places[taken]);
  expect(found.version).toBe(taken === 'cached' ? TEMPORAL_VERSION : '1.2.3');
});

test.each([
  ['ends with an error', BROKEN, 0o755],
  ['is something else of this name', 'echo hello', 0o755],
  ['may not be run', temporal('1.2.3'), 0o644],
])('passes over a temporal on PATH that %s', async (_, script, mode) => {
  const { search, onPath, cached } = machine();
  chmodSync(writeProgram(onPath, script), mode);
  writeProgram(cached, temporal('1.5.1'));
  expect((await findTemporal(search, fail, { sources: await closedNetwork() })).path).toBe(cached);
});

test('a TEMPORAL_CLI_PATH that does not run is an error, not passed over', async () => {
  const { search, asked, cached } = machine();
  writeProgram(cached, temporal('1.5.1'));
  const found = findTemporal({ ...search, TEMPORAL_CLI_PATH: asked }, fail, {
    sources: await closedNetwork(),
  });
  await expect(found).rejects.toThrow(`TEMPORAL_CLI_PATH=${asked}`);
});

test('downloads the archive into the cache, where it replaces a broken program', async () => {
  const { search, cached } = machine();
  writeProgram(cached, BROKEN);
  const said: string[] = [];
  const site = await siteWith(archiveOf(temporal('1.5.1')));
  const found = await findTemporal(search, (line) => said.push(line), { sources: site });
  expect(found).toEqual({ path: cached, version: TEMPORAL_VERSION });
  expect(statSync(cached).mode & 0o111).toBe(0o111);
  expect(readdirSync(dirname(cached))).toEqual(['temporal']);
  expect(said).toEqual([expect.stringContaining('downloading Temporal')]);
});

test('two checkouts may download at once', async () => {
  const { search, cached } = machine();
  const site = await siteWith(archiveOf(temporal('1.5.1')));
  const found = await Promise.all([1, 2].map(() => findTemporal(search, () => undefined, { sources: site })));
  expect(found.map(({ path }) => path)).toEqual([cached, cached]);
  expect(readdirSync(dirname(cached))).toEqual(['temporal']);
});

test('an archive that is not the known one is thrown away, whatever its site says of it', async () => {
  const { search, cached } = machine();
  const site = await siteWith(archiveOf(temporal('6.6.6')), hashOf(archiveOf(temporal('1.5.1'))));
  const found = findTemporal(search, () => undefined, { sources: site });
  await expect(found).rejects.toThrow(
    'the downloaded archive is not the one that is known: its SHA-256 is another one',
  );
  expect(existsSync(cached)).toBe(false);
});

test('an archive of which no hash is known is not even asked for', async () => {
  const { search } = machine();
  const site = { ...(await siteWith(archiveOf(temporal('1.5.1')))), hashes: {} };
  await expect(findTemporal(search, fail, { sources: site })).rejects.toThrow(
    /the SHA-256 of .* is not known/,
  );
});

test('the repository has the hash of the archive of every system on which it can run', () => {
  expect(OFFICIAL_SOURCES.hashes).toBe(TEMPORAL_ARCHIVES);
  const names = ['linux', 'darwin', 'windows'].flatMap((system) =>
    ['amd64', 'arm64'].map(
      (arch) =>
        `temporal_cli_${TEMPORAL_VERSION}_${system}_${arch}.${system === 'windows' ? 'zip' : 'tar.gz'}`,
    ),
  );
  expect(Object.keys(TEMPORAL_ARCHIVES).sort()).toEqual(names.sort());
  expect(new Set(Object.values(TEMPORAL_ARCHIVES)).size).toBe(names.length);
  for (const hash of Object.values(TEMPORAL_ARCHIVES)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});

test('builds it with Go when the network gives no archive', async () => {
  const { search, cached, go } = machine();
  writeProgram(go, GO('1.26.8'));
  const said: string[] = [];
  const found = await findTemporal(search, (line) => said.push(line), { sources: await closedNetwork() });
  expect(found).toEqual({ path: cached, version: TEMPORAL_VERSION });
  expect(readFileSync(cached, 'utf8')).toContain('temporal version');
  expect(said).toEqual([expect.stringContaining('with Go')]);
});

test.each([
  ['no Go', undefined],
  ['a Go that is too old', GO('1.24.9')],
])('with a closed network and %s, names three remedies within 6 seconds', async (_, script) => {
  const { search, go } = machine();
  if (script !== undefined) writeProgram(go, script);
  const startedAt = Date.now();
  const found = findTemporal(search, fail, { sources: await closedNetwork() });
  await expect(found).rejects.toThrow(
    /is not on this machine, and it could not be brought[^]*TEMPORAL_CLI_PATH[^]*TEMPORAL_ADDRESS[^]*docker compose/,
  );
  expect(Date.now() - startedAt).toBeLessThan(6_000);
});

test('a cache folder that cannot be written gives one sentence with the variable that names another folder', async () => {
  const { search } = machine();
  const notAFolder = join(folder, 'a-file');
  writeFileSync(notAFolder, '');
  const found = findTemporal({ ...search, XDG_CACHE_HOME: notAFolder }, fail, {
    sources: await closedNetwork(),
  });
  await expect(found).rejects.toThrow(
    /cannot be kept in .*a-file.*XDG_CACHE_HOME=\/path\/to\/folder npm start$/,
  );
});

test('an interrupted build is ended and leaves nothing in the cache', async () => {
  const { search, cached, go } = machine();
  const begun = join(folder, 'begun');
  writeProgram(go, `${GO('1.26.8')}\n[ "$1" = install ] && /bin/touch ${begun} && exec /bin/sleep 60`);
  const interrupted = new AbortController();
  const sources = await closedNetwork();
  const found = findTemporal(search, () => undefined, { sources, signal: interrupted.signal });
  const refused = expect(found).rejects.toThrow();
  await until('the start of the build', () => existsSync(begun));
  interrupted.abort();
  await refused;
  expect(readdirSync(dirname(cached))).toEqual([]);
});

function fail(line: string): never {
  throw new Error(`nothing should have been printed, but this was: ${line}`);
}
