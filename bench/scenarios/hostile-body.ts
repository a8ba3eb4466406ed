/**
 * A partner that sends bodies which are made to cost much, beside P2P of another one: what it costs is paid for before it
 * is done, and done beside the event loop (R55).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Scenario } from '../scenario';
import { p2pSide } from '../support/p2p';
import type { BenchPartner, Program } from '../support/platform';
import { API } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns } from '../support/turns';

/** Busy, and not full: the p99 of a process that is full says how many wait in it. */
const CONNECTIONS = 16;
/**
 * So many are sent at a time, again and again with a pause between them, whatever is answered: a quarter of a gigabit in a second,
 * because the bench is about work and not about the network.
 */
const AT_ONCE = 8;
const PAUSE_MS = 1_000;
const BODY_BYTES = 8_388_608;
const [HEAD, TAIL] = ['{"reference":"hostile","transfers":[', '{}]}'];
const withLines = (count: number): string => HEAD + '{},'.repeat(count - 1) + TAIL;
/** As many values as fit into the bytes, which are counted and not parsed; and ten thousand lines that are all wrong. */
const BODIES = [withLines(Math.floor((BODY_BYTES - HEAD.length) / 3) - 1), withLines(10_000)];

export const hostileBody: Scenario = {
  rows: [
    {
      name: 'hostile-body',
      ours: 'p99 of P2P over HTTP, 16 connections, while another partner sends hostile bodies, eight at once',
      yardstick: 'P2P alone',
      unit: 'ms',
      ratio: 'at most',
      floor: 2,
      goal: 1.5,
    },
  ],
  async run({ size, figure, claim, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const hostile = await platform.partner();
    const alone = p2pSide(platform, [api], { wallets, connections: CONNECTIONS });
    const answers = new Map<number, number>();
    const beside: typeof alone = async (time) => {
      const stop = sendBodies(api, hostile, answers);
      try {
        return await alone(time);
      } finally {
        await stop();
      }
    };
    await takeTurns(size, { beside, alone }, (round) => {
      figure('hostile-body', round.beside.p99Ms, round.alone.p99Ms);
      usage('hostile-body', round.beside.usage);
    });
    const told = [...answers].sort(([one], [other]) => one - other);
    const refused = told.every(([status]) => [413, 422, 429, 503].includes(status));
    const words = told.map(([status, count]) => `${String(count)} with ${String(status)}`).join(', ');
    claim('hostile-body', refused && told.length > 0, `every hostile body was refused: ${words}`);
  },
};

/** Sends bodies until it is stopped. */
function sendBodies(
  { port }: Program,
  { key }: BenchPartner,
  answers: Map<number, number>,
): () => Promise<void> {
  let isOver = false;
  const senders = Array.from({ length: AT_ONCE }, async (_, place) => {
    for (let sent = place; !isOver; sent++) {
      const { statusCode, body } = await request(`http://127.0.0.1:${String(port)}/v1/transfers/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: BODIES[sent % BODIES.length] ?? '',
      });
      await body.dump();
      answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1);
      await sleep(PAUSE_MS);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(senders);
  };
}
