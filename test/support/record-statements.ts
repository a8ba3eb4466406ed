/**
 * `npm run statements`, at a release: runs the tests that use the whole platform, and keeps what API and worker send to
 * the database meanwhile as test/statements/<version>.json. It takes as long as those tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';
import { thisVersion } from '../../src/runtime/version';
import { onDatabase } from '../setup/database';
import { closeRun, preparePostgres } from '../setup/run';
import { brokenStatements, recordedStatements, startRecording } from './statements';

async function record(): Promise<void> {
  await preparePostgres();
  const template = process.env['TEST_DATABASE_URL'] ?? '';
  try {
    await startRecording(template);
    const jest = join(projectFolder(), 'node_modules', 'jest', 'bin', 'jest.js');
    const projects = ['--selectProjects', 'api', 'e2e', 'specification', 'recovery'];
    const env = childEnvironment({ TEST_DATABASE_URL: onDatabase(template, 'postgres') });
    const { status } = spawnSync(process.execPath, [jest, ...projects], { stdio: 'inherit', env });
    if (status !== 0) throw new Error('The tests failed, so their statements are not kept');
    const statements = await recordedStatements(template);
    // Some tests send, with the logins of our processes, what these logins may not do.
    for (const { login, text } of await brokenStatements(template, statements)) {
      statements[login] = statements[login]?.filter((other) => other !== text) ?? [];
    }
    const folder = join(projectFolder(), 'test', 'statements');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${thisVersion().version}.json`);
    writeFileSync(file, `${JSON.stringify(statements, null, 2)}\n`);
    const count = Object.values(statements).flat().length;
    process.stdout.write(`${String(count)} statements are in ${file}\n`);
  } finally {
    await closeRun();
  }
}

void record();
