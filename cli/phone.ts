/** `wallet dial`: the phone of a payer in the terminal, at the sandbox's gateway. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { WalletClient } from '../sdk/src';

/** Dials a code and types what comes from standard input, a line for each screen, until the dialogue ends. */
export async function dial(
  wallet: WalletClient,
  { code, phone }: { code: string; phone: string },
  say: (line: string) => void,
): Promise<void> {
  const dialogue = { phone, gateway_session: randomUUID(), service_code: code };
  const typed: string[] = [];
  const ask = async (): Promise<boolean> => {
    const text = typed.join('*');
    const { open, reply } = await wallet.sandbox.dialUssd({ ...dialogue, ...(text && { text }) });
    say(reply);
    return open;
  };
  if (!(await ask())) return;
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) {
      typed.push(line.trim());
      if (!(await ask())) return;
    }
  } finally {
    lines.close();
    // A terminal that is still read from would keep the process alive.
    process.stdin.destroy();
  }
}
