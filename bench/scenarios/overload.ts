/**
 * More than the machine carries: a process accepts what it can write in time and turns the rest away at once, so
 * that it does as much as before and nobody waits in vain (G28).
 */
import type { Row, Scenario } from '../scenario';
import { checkAcknowledged, checkBooks } from '../support/books';
import { offer } from '../support/offer';
import { loadP2p, p2pRequests, referenceIn } from '../support/p2p';
import { API } from '../support/programs';
import { stand } from '../support/stand';

/** What is offered, as a multiple of what 64 callers get through. */
const TIMES = [2, 4] as const;
/** More than may wait for the ledger, and fewer than an API process takes. */
const CONNECTIONS = 1_500;
/** What a caller may wait for the answer to a payment, below the 4 s within which everything is answered (G29). */
const ACCEPTED_WITHIN_MS = 2_000;

const rowOf = (times: number): Row => ({
  name: `overload-${String(times)}`,
  ours: `P2P accepted while ${String(times)} times as much is offered, 1,500 connections`,
  yardstick: 'P2P of 64 connections',
  unit: '/s',
  ratio: 'at least',
  floor: 0.8,
  goal: 1,
});

export const overload: Scenario = {
  rows: TIMES.map(rowOf),
  async run({ size, figure, claim, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API);
    const watched = [
      { name: 'API', pid: api.pid },
      { name: 'Postgres', pid: platform.postgresPid },
    ];
    const worst = new Map<number, { acceptedMs: number; refusedMs: number; words: string }>();
    await loadP2p(platform, { port: api.port, wallets, connections: 64, seconds: size.warmUpSeconds });
    for (let run = 0; run < size.runs; run++) {
      for (const times of TIMES) {
        const carried = await loadP2p(platform, {
          port: api.port,
          wallets,
          connections: 64,
          seconds: size.seconds,
        });
        const accepted: string[] = [];
        const offered = await offer({
          port: api.port,
          connections: CONNECTIONS,
          perSecond: times * carried.perSecond,
          seconds: size.seconds,
          next: p2pRequests(platform, { wallets }),
          onAccepted: (body) => accepted.push(referenceIn(body)),
          watched,
        });
        await checkAcknowledged(platform, platform.partnerId, accepted);
        await checkBooks(platform);
        const name = rowOf(times).name;
        figure(name, offered.accepted.count / size.seconds, carried.perSecond);
        usage(name, offered.usage);
        const before = worst.get(times);
        if (!before || offered.accepted.p99Ms > before.acceptedMs)
          worst.set(times, {
            acceptedMs: offered.accepted.p99Ms,
            refusedMs: offered.refused.p99Ms,
            words:
              `in its slowest run ${offered.sentPerSecond.toFixed(0)}/s were sent; accepted ones took ` +
              `${offered.accepted.p50Ms.toFixed(0)} ms (p50), ${offered.accepted.p99Ms.toFixed(0)} ms (p99); ` +
              `${String(offered.refused.count)} were refused with 503 in ${offered.refused.p50Ms.toFixed(0)} ms ` +
              `(p50), ${offered.refused.p99Ms.toFixed(0)} ms (p99); ${String(offered.notSent)} found all ` +
              `connections waiting`,
          });
      }
    }
    for (const [times, { acceptedMs, words }] of worst)
      claim(rowOf(times).name, acceptedMs < ACCEPTED_WITHIN_MS, words);
  },
};
