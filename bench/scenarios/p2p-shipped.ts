/**
 * What partners meet: the limits of the tiers as they are shipped. Elsewhere in the bench one partner has a limit
 * that no load reaches, so that most of its requests wait for no count (R42).
 */
import { request } from 'undici';
import type { Scenario } from '../scenario';
import { checkAcknowledged, checkBooks } from '../support/books';
import { load } from '../support/load';
import { withSteadyFlush } from '../support/flush';
import { besideOneCall, measureP50 } from '../support/one-caller';
import { CONNECTIONS, FUND_KOBO, p2pRequests, p2pSide, referenceIn } from '../support/p2p';
import type { BenchPlatform, Program } from '../support/platform';
import { API, ONE_CALL } from '../support/programs';
import { stand } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';

const WALLETS_EACH = 10;
/** One caller calls for one partner so often before the next one's turn, which is less than a minute's limit. */
const CALLS_IN_TURN = 2_000;
/** An empty variable counts as not set. */
const SHIPPED = { RATE_LIMIT_SCALE: '' };

export const p2pShipped: Scenario = {
  rows: [
    {
      name: 'p2p-shipped',
      ours: 'P2P over HTTP, 64 connections, 100 partners with the limit of their tier',
      yardstick: 'one partner with a limit that is never reached',
      unit: '/s',
      ratio: 'at least',
      floor: 0.9,
      goal: 0.9,
    },
  ],
  async run({ size, figure, usage }) {
    const { platform, wallets, program } = await stand();
    const api = await program(API, SHIPPED);
    const partners = await partnersOf(platform, api, size.manyPartners);
    const one = p2pSide(platform, [await program(API)], { wallets });
    const many = sideOf(platform, api, CONNECTIONS, inTurn(partners, 1));
    await takeTurns(size, { many, one }, (round) => {
      figure('p2p-shipped', round.many.perSecond, round.one.perSecond);
      usage('p2p-shipped', round.many.usage);
    });
  },
};

export const p2pOneShipped: Scenario = {
  rows: [
    {
      name: 'p2p-one-shipped',
      ours: 'P2P over HTTP, 1 connection, a partner with the limit of its tier, p50, where a flush takes a millisecond',
      yardstick: 'one durable SQL call through a bare Express app',
      unit: 'ms',
      ratio: 'at most',
      floor: 1.8,
      goal: 1.8,
    },
  ],
  async run(report) {
    const { platform, program } = await stand();
    const api = await program(API, SHIPPED);
    const oneCall = await program(ONE_CALL);
    const next = inTurn(await partnersOf(platform, api, report.size.manyPartners), CALLS_IN_TURN);
    const side = (connections: number) => sideOf(platform, api, connections, next);
    const sides = await besideOneCall(report.size, side, oneCall, next);
    await withSteadyFlush(platform, () => measureP50('p2p-one-shipped', sides, report));
  },
};

/** What gives the requests of each partner: its references begin with its id. */
type Partners = readonly (() => string)[];

/**
 * Makes the partners with their wallets. Their tier is `scale`: a hundred may make 10,000 requests a second together. Each
 * of them calls once by itself, because an API looks up at most 60 keys at a time that it does not know and that come from
 * one address.
 */
async function partnersOf(platform: BenchPlatform, api: Program, count: number): Promise<Partners> {
  const partners: (() => string)[] = [];
  while (partners.length < count) {
    const partner = await platform.partner();
    const wallets = await platform.wallets(WALLETS_EACH, FUND_KOBO, partner.partnerId);
    const answer = await request(`http://127.0.0.1:${String(api.port)}/v1/wallets?limit=1`, {
      headers: { authorization: `Bearer ${partner.key}` },
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a first call was answered ${String(answer.statusCode)}`);
    partners.push(p2pRequests(partner, { wallets, run: partner.partnerId }));
  }
  return partners;
}

/** The requests of one partner after the other, `calls` in a row for each. */
function inTurn(partners: Partners, calls: number): () => string {
  let count = 0;
  return () => {
    const partner = partners[Math.floor(count++ / calls) % partners.length] as () => string;
    return partner();
  };
}

/** Runs the load, and then checks the books as for a single partner. */
const sideOf =
  (platform: BenchPlatform, api: Program, connections: number, next: () => string): Side =>
  async (time) => {
    const acknowledged = new Map<string, string[]>();
    const watched = [
      { name: 'API', pid: api.pid },
      { name: 'Postgres', pid: platform.postgresPid },
    ];
    const onBody = (body: string): void => {
      const reference = referenceIn(body);
      const partnerId = reference.slice(0, UUID_LENGTH);
      const known = acknowledged.get(partnerId);
      if (known) known.push(reference);
      else acknowledged.set(partnerId, [reference]);
    };
    const result = await load({ ...time, port: api.port, connections, watched, next, onBody });
    for (const [partnerId, references] of acknowledged) {
      await checkAcknowledged(platform, partnerId, references);
    }
    await checkBooks(platform);
    return result;
  };

const UUID_LENGTH = 36;
