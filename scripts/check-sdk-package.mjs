/**
 * `npm run sdk:package`: packs the SDK as it would be published, and fails when a program could not load it or would
 * get the wrong types, as an ES module or as CommonJS, with any way in which TypeScript looks for packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './build-if-stale.mjs';

const sdk = join(root, 'sdk');
const folder = mkdtempSync(join(tmpdir(), 'wallet-sdk-'));
try {
  execFileSync(process.execPath, [join(root, 'scripts', 'build-sdk.mjs')], { stdio: 'inherit' });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: sdk,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const tarball = readFileSync(join(folder, JSON.parse(packed.toString())[0].filename));
  const { messages, pkg } = await publint({ pkgDir: sdk, pack: 'npm' });
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const found = [
    ...messages.map((message) => formatMessage(message, pkg, { color: false })),
    ...problems.map((problem) => JSON.stringify(problem)),
  ];
  for (const line of found) console.error(line);
  console.log(found.length === 0 ? 'the package of the SDK is right' : 'the package of the SDK is wrong');
  if (found.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
