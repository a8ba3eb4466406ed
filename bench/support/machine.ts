/** The machine in a line, so that figures can be read with it in mind. */
import { arch, cpus, release, totalmem, type } from 'node:os';

export function describeMachine(): string {
  const cores = cpus();
  const memoryGb = Math.round(totalmem() / 1024 ** 3);
  const processor = cores[0]?.model ?? 'an unnamed processor';
  return `${cores.length} cores (${processor}, ${arch()}), ${memoryGb} GB, ${type()} ${release()}, Node ${process.versions.node}`;
}
