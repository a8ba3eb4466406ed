/**
 * One caller who waits for each answer, beside one durable SQL call. Before, both sides serve many callers, as a process
 * in service has, and then a few callers, whose requests run the same code as those of one caller. One caller alone would
 * need minutes until that code is compiled.
 */
import type { Report, Size } from '../scenario';
import { load } from './load';
import { CONNECTIONS } from './p2p';
import type { Program } from './platform';
import { takeTurns, type Side } from './turns';

/** So few that a batch often has one payment alone, whose statement is another. */
const A_FEW = 4;

/** Both sides with one caller. */
interface Beside {
  ours: Side;
  call: Side;
}

/**
 * Lets both sides get warm.
 * @param ours our side with so many callers.
 * @param oneCall the yardstick's program.
 * @param next gives the requests that the yardstick gets: it makes a call of each.
 * @returns both sides with one caller.
 */
export async function besideOneCall(
  size: Size,
  ours: (connections: number) => Side,
  oneCall: Program,
  next: () => string,
): Promise<Beside> {
  const call =
    (connections: number): Side =>
    (time) =>
      load({ ...time, port: oneCall.port, connections, next });
  const warmUp = { seconds: size.warmUpSeconds, warmUpSeconds: 0, repeatsBusy: size.repeatsBusy };
  for (const connections of [CONNECTIONS, A_FEW]) {
    await ours(connections)(warmUp);
    await call(connections)(warmUp);
  }
  return { ours: ours(1), call: call(1) };
}

/** Measures how long the caller waits for half of the answers, and keeps it as the figures of a row. */
export const measureP50 = (row: string, sides: Beside, { size, figure, usage }: Report): Promise<void> =>
  takeTurns(size, { ...sides }, ({ ours, call }) => {
    figure(row, ours.p50Ms, call.p50Ms);
    usage(row, ours.usage);
  });
