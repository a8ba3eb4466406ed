/** What the command line asks for on a terminal. */
import { PassThrough } from 'node:stream';
import { ask, firstLine } from '../../../cli/ask';

function terminal(isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (part: Buffer) => (shown += String(part)));
  return { input, output, shown: () => shown };
}

test('what is typed is shown, and a secret is not', async () => {
  const [open, hidden] = [terminal(), terminal()];
  const email = ask('Email: ', { instead: '--email' }, open);
  const password = ask('Password: ', { isSecret: true, instead: '--password-stdin' }, hidden);
  open.input.write('ada@acme.example\r');
  hidden.input.write('seven green kettles\r');
  expect([await email, await password]).toEqual(['ada@acme.example', 'seven green kettles']);
  expect(open.shown()).toContain('Email: ');
  expect(open.shown()).toContain('ada@acme.example');
  expect(hidden.shown()).toBe('Password: \n');
});

test.each([
  ['without a terminal', terminal(false), '', 'There is no terminal to ask on. Say --code'],
  ['at the end of input', terminal(), '\u0004', 'Nothing was typed'],
  ['at Ctrl-C', terminal(), '\u0003', 'Nothing was typed'],
])('%s nothing is asked for', async (_when, at, typed, message) => {
  const asked = ask('Code: ', { instead: '--code' }, at);
  at.input.write(typed);
  await expect(asked).rejects.toThrow(message);
});

test('the first line of standard input is read, without its end', async () => {
  const [input, empty] = [new PassThrough(), new PassThrough()];
  input.end('seven green kettles\r\nmore');
  empty.end('\n');
  expect(await firstLine(input)).toBe('seven green kettles');
  await expect(firstLine(empty)).rejects.toThrow('no password');
});
