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
/** Code that runs once is not worth optimizing, and no C is needed: with an empty cache that saves a third. */
const GO_QUICKLY = ['CGO_ENABLED=0', 'GOGC=400', "GOFLAGS=-buildvcs=false '-gcflags=all=-N -l' -ldflags=-w"];

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

interface Client {
  /** What must be installed, and the program by which that is seen. */
  needs: string;
  program: string;
  play: (stage: Stage) => Promise<void>;
}

export const CLIENTS: Record<string, Client> = {
  python: {
    needs: 'Python 3.11 with pip',
    program: 'python3',
    async play(stage) {
      const { run, folder } = stage;
      // An environment of its own would take three seconds more, and compiling what is not loaded another one.
      await run('python3', '-m', 'pip', 'install', '--quiet', '--no-compile', '--target', '.', ...PYTHON);
      writeFileSync(join(folder, 'config.yml'), 'package_name_override: wallet_client\npost_hooks: []\n');
      const made = ['--config', 'config.yml', '--meta', 'none', '--output-path', 'wallet_client'];
      await run('python3', '-m', 'openapi_python_client', 'generate', '--path', DOCUMENT, ...made);
      example(stage, 'pay.py');
      await run('python3', 'pay.py');
    },
  },
  go: {
    needs: 'Go 1.26',
    program: 'go',
    async play(stage) {
      const { run, folder } = stage;
      mkdirSync(join(folder, 'wallet'));
      const go = (...args: string[]): Promise<void> => run('env', ...GO_QUICKLY, 'go', ...args);
      await go('mod', 'init', 'example.com/pay');
      const made = ['-package', 'wallet', '-o', 'wallet/wallet.go', DOCUMENT];
      await go('run', GO_CODEGEN, '-generate', 'types,client,skip-prune', ...made);
      example(stage, 'pay.go');
      await go('get', ...GO);
      await go('mod', 'tidy');
      await go('vet', '.');
      await go('run', '.');
    },
  },
  php: {
    needs: 'PHP',
    program: 'php',
    async play(stage) {
      example(stage, 'pay.php');
      await stage.run('php', 'pay.php');
    },
  },
  node: {
    needs: 'Node',
    program: process.execPath,
    async play(stage) {
      await installedWithSdk(stage);
      await stage.run(process.execPath, 'pay.mjs');
    },
  },
  bun: {
    needs: 'npm',
    program: 'npm',
    async play(stage) {
      await installedWithSdk(stage, 'bun@1.4.5');
      await stage.run(inFolder(stage, 'node_modules', '.bin', 'bun'), 'pay.mjs');
    },
  },
  deno: {
    needs: 'npm',
    program: 'npm',
    async play(stage) {
      await installedWithSdk(stage, 'deno@2.9.6');
      const may = ['--allow-env', '--allow-net', '--allow-read'];
      await stage.run(inFolder(stage, 'node_modules', '.bin', 'deno'), 'run', ...may, 'pay.mjs');
    },
  },
  httpyac: {
    needs: 'npm',
    program: 'npm',
    async play(stage) {
      await installed(stage, 'httpyac@6.16.7');
      cpSync(join(projectFolder(), 'docs', 'requests'), join(stage.folder, 'requests'), { recursive: true });
      const httpyac = inFolder(stage, 'node_modules', '.bin', 'httpyac');
      await stage.run(httpyac, 'send', 'requests/*.http', '--all', '--output', 'none');
    },
  },
  postman: {
    needs: 'npm',
    program: 'npm',
    async play(stage) {
      await installed(stage, 'newman@6.2.1');
      const document = join(projectFolder(), 'docs', 'postman.json');
      const variables = ['--env-var', `baseUrl=${stage.url}`, '--env-var', `apiKey=${stage.key}`];
      await stage.run(
        inFolder(stage, 'node_modules', '.bin', 'newman'),
        'run',
        document,
        '--folder',
        'Scenarios',
        ...variables,
      );
    },
  },
};
