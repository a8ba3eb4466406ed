/**
 * Runs one server and ends it when the process that asked for it is gone, however that process ended: our standard
 * input is a pipe to it, and the kernel closes a pipe even after SIGKILL.
 *
 * Takes one argument, JSON `{ command, args, account?: { uid, gid }, stopSignal, graceMs }`. Sends
 * `{ ready: true, pid }` when the server runs. The server writes to our standard output and error. Ends with the
 * server's exit code, or with 1 and a line on standard error when the server cannot be run.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const { command, args, account, stopSignal, graceMs } = JSON.parse(process.argv[2]);
const server = spawn(command, args, { ...account, cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] });

// The parent may be gone already. Then there is nobody to tell, and our standard input ends the server.
server.on('spawn', () => process.send({ ready: true, pid: server.pid }, () => {}));
server.on('error', (error) => {
  console.error(`cannot run ${command}: ${error.message}`);
  process.exitCode = 1;
  process.stdin.destroy();
});
server.on('exit', (code, signal) => {
  // As in a shell, the exit code of a server that a signal ended is 128 plus the signal's number.
  const end = () => process.exit(code ?? 128 + constants.signals[signal]);
  // The parent disconnects when it has heard that the server runs. It must hear this before our end.
  if (process.connected) process.once('disconnect', end);
  else end();
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
