/** What partners call the platform with, beside the SDK's own tests: each is installed, made where it is made, and run. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';

const DOCUMENT = join(projectFolder(), 'openapi.reference.json');
const PYTHON = ['openapi-python-client==0.29.1', 'standardwebhooks==1.1.0'];
const GO_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const GO = [
  'github.com/oapi-codegen/runtime@v1.9.0',
  'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1',
  'github.com/google/uuid@v1.6.0',
];

export interface Stage {
  /** An empty folder of this client. */
  folder: string;
  /** The sandbox, and a key of a partner of its own. */
  url: string;
  key: string;
  /** Runs a program there. @throws Error with all that it has said, when it fails. */
  run: (program: string, ...args: string[]) => Promise<void>;
}

const example = ({ folder }: Stage, name: string): void =>
  cpSync(join(projectFolder(), 'examples', 'clients', name), join(folder, name));

/** Installs packages of npm, and nothing else. */
const installed = ({ run }: Stage, ...packages: string[]): Promise<void> =>
  run('npm', 'install', '--no-audit', '--no-fund', '--prefix', '.', ...packages);

async function installedWithSdk(stage: Stage, ...packages: string[]): Promise<void> {
  await stage.run(process.execPath, join(projectFolder(), 'scripts', 'build-sdk.mjs'));
  await stage.run('npm', 'pack', join(projectFolder(), 'sdk'));
  await installed(stage, './partner-wallet-sdk-0.1.0.tgz', ...packages);
  example(stage, 'pay.mjs');
}

const inFolder = ({ folder }: Stage, ...names: string[]): string => join(folder, ...names);

/** What each of them does; the first word is the program that must be there. */
export const CLIENTS: Record<string, { program: string; play: (stage: Stage) => Promise<void> }> = {
  python: {
    program: 'python3',
    async play(stage) {
      const { run, folder } = stage;
      await run('python3', '-m', 'venv', 'own');
      const python = inFolder(stage, 'own', 'bin', 'python');
      await run(python, '-m', 'pip', 'install', '--quiet', ...PYTHON);
      writeFileSync(join(folder, 'config.yml'), 'package_name_override: wallet_client\npost_hooks: []\n');
      const made = ['--config', 'config.yml', '--meta', 'none', '--output-path', 'wallet_client'];
      await run(
        inFolder(stage, 'own', 'bin', 'openapi-python-client'),
        'generate',
        '--path',
        DOCUMENT,
        ...made,
      );
      example(stage, 'pay.py');
      await run(python, 'pay.py');
    },
  },
  go: {
    program: 'go',
    async play(stage) {
      const { run, folder } = stage;
      mkdirSync(join(folder, 'wallet'));
      await run('go', 'mod', 'init', 'example.com/pay');
      const made = ['-package', 'wallet', '-o', 'wallet/wallet.go', DOCUMENT];
      await run('go', 'run', GO_CODEGEN, '-generate', 'types,client,skip-prune', ...made);
      example(stage, 'pay.go');
      await run('go', 'get', ...GO);
      await run('go', 'mod', 'tidy');
      await run('go', 'vet', '.');
      await run('go', 'run', '.');
    },
  },
  php: {
    program: 'php',
    async play(stage) {
      example(stage, 'pay.php');
      await stage.run('php', 'pay.php');
    },
  },
  node: {
    program: process.execPath,
    async play(stage) {
      await installedWithSdk(stage);
      await stage.run(process.execPath, 'pay.mjs');
    },
  },
  bun: {
    program: 'npm',
    async play(stage) {
      await installedWithSdk(stage, 'bun@1.4.5');
      await stage.run(inFolder(stage, 'node_modules', '.bin', 'bun'), 'pay.mjs');
    },
  },
  deno: {
    program: 'npm',
    async play(stage) {
      await installedWithSdk(stage, 'deno@2.9.6');
      const may = ['--allow-env', '--allow-net', '--allow-read'];
      await stage.run(inFolder(stage, 'node_modules', '.bin', 'deno'), 'run', ...may, 'pay.mjs');
    },
  },
  httpyac: {
    program: 'npm',
    async play(stage) {
      await installed(stage, 'httpyac@6.16.7');
      cpSync(join(projectFolder(), 'docs', 'requests'), join(stage.folder, 'requests'), { recursive: true });
      const httpyac = inFolder(stage, 'node_modules', '.bin', 'httpyac');
      await stage.run(httpyac, 'send', 'requests/*.http', '--all', '--output', 'none');
    },
  },
  postman: {
    program: 'npm',
    async play(stage) {
      await installed(stage, 'newman@6.2.1');
      const document = join(projectFolder(), 'docs', 'postman.json');
      const variables = ['--env-var', `baseUrl=${stage.url}`, '--env-var', `apiKey=${stage.key}`];
      await stage.run(inFolder(stage, 'node_modules', '.bin', 'newman'), 'run', document, ...variables);
    },
  },
};
