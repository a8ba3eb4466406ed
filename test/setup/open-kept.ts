/** `npm run test:kept -- <folder>`: starts the Postgres of a failed run again, until Ctrl-C, for you to look at. */
import { startPostgres } from '../../tools/launcher/embedded-postgres';
import { keptDatabases } from './kept';

async function open(folder: string): Promise<void> {
  const kept = keptDatabases(folder);
  const [first] = kept;
  if (first === undefined) throw new Error(`${folder} holds no kept databases`);
  const port = Number(new URL(first.url).port);
  const { stop } = await startPostgres({ dataDir: folder, port, durable: false });
  for (const { file, url } of kept) console.log(`${file}\n  ${url}`);
  console.log('Ctrl-C ends this Postgres.');
  const idle = setInterval(() => undefined, 60_000);
  process.once('SIGINT', () => {
    clearInterval(idle);
    void stop();
  });
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which run? npm run test:kept -- <the folder that the failed run printed>');
  process.exitCode = 1;
} else {
  open(folder).catch((error: unknown) => {
    console.error((error as Error).message);
    process.exitCode = 1;
  });
}
