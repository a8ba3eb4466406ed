/**
 * Runs one server and ends it when the process that asked for it is gone, however that process ended: our standard
 * input is a pipe to it, and the kernel closes a pipe even after SIGKILL.
 *
 * Takes one argument, JSON `{ command, args, cwd, uid?, gid?, stopSignal, graceMs }`. Writes JSON lines to
 * standard output: `{ pid }`, or `{ error }` when the server cannot be run. The server's own output goes to
 * our standard error. Ends with the server's exit code.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const { command, args, cwd, uid, gid, stopSignal, graceMs } = JSON.parse(process.argv[2]);
const server = spawn(command, args, { cwd, uid, gid, stdio: ['ignore', 2, 2] });

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
// Once the parent is gone, nobody reads our output. The error of that must not end us before the server.
process.stdout.on('error', () => {});

server.on('spawn', () => tell({ pid: server.pid }));
server.on('error', (error) => {
  tell({ error: error.message });
  process.exitCode = 1;
  process.stdin.destroy();
});
server.on('exit', (code, signal) => {
  // As in a shell, the exit code of a server that a signal ended is 128 plus the signal's number.
  process.exit(code ?? 128 + constants.signals[signal]);
});

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  server.kill(stopSignal);
  setTimeout(() => server.kill('SIGKILL'), graceMs).unref();
}

process.stdin.on('end', stop).on('close', stop).on('error', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
