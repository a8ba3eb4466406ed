/**
 * How a command ends that did not do what was asked. Exit codes: 1 the platform refused, or what was awaited did not
 * come; 2 the command is wrong; 3 nobody knows whether it was done, because no answer of the platform came; 4 the
 * credential is not good.
 */
import { CommanderError } from 'commander';
import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionError,
  ServerError,
  WalletError,
} from '../sdk/src';
import { UsageError } from './usage';

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) return 2;
  if (error instanceof ConnectionError || error instanceof ServerError) return 3;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return 4;
  // What the SDK refuses before it asks is a mistake of the caller.
  return error instanceof ApiError || !(error instanceof WalletError) ? 1 : 2;
}

/**
 * Says on standard error why a command has failed, with all that the platform has told.
 * @param asJson one JSON object on one line.
 * @returns the exit code.
 */
export function reportFailure(error: unknown, asJson: boolean): number {
  const exitCode = exitCodeOf(error);
  if (exitCode === 0) return 0;
  const lines = asJson ? [JSON.stringify({ ...objectOf(error), exit_code: exitCode })] : linesOf(error);
  process.stderr.write(lines.map((line) => `${line}\n`).join(''));
  return exitCode;
}

function linesOf(error: unknown): string[] {
  // Commander has said by itself what is wrong.
  if (error instanceof CommanderError) return [];
  if (!(error instanceof ApiError)) return [messageOf(error)];
  const id = error.requestId === null ? '' : ` (${error.requestId})`;
  return [`${error.message}${id}`, ...Object.entries(error.detail).flatMap(linesOfDetail)];
}

/** Each thing of a detail on a line of its own; every field that is wrong is one. */
function linesOfDetail([name, value]: [string, unknown]): string[] {
  if (name === 'fields' && Array.isArray(value))
    return (value as { field: string; message: string }[]).map(
      ({ field, message }) => `  ${field}: ${message}`,
    );
  return [`  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`];
}

function objectOf(error: unknown): object {
  if (error instanceof ApiError) {
    const { code, detail, status, requestId } = error;
    const message = error.message.replace(`${code}: `, '');
    return { error: code, message, detail, status, request_id: requestId };
  }
  return { error: nameOf(error), message: messageOf(error) };
}

function nameOf(error: unknown): string {
  if (exitCodeOf(error) === 2) return 'USAGE';
  // As in TimeoutError, which is TIMEOUT.
  if (error instanceof WalletError)
    return error.name
      .replace(/Error$/, '')
      .replaceAll(/\B[A-Z]/g, '_$&')
      .toUpperCase();
  return 'FAILED';
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CommanderError)) return message;
  return error.code === 'commander.help'
    ? 'Say a command: --help lists them'
    : message.replace(/^error: /, '');
}
