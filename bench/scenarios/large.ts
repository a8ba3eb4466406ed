/**
 * Books that have grown large: lists and payments at a million wallets and five million transactions, beside
 * small ones.
 */
import type { Report, Row, Scenario } from '../scenario';
import { makeHistory } from '../support/history';
import { p2pSide, subscribe } from '../support/p2p';
import type { BenchPlatform } from '../support/platform';
import { API } from '../support/programs';
import { WALLETS, withPlatform } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';
import { LIST_ROWS, measureLists, type Books } from './lists';

const SMALL = { wallets: WALLETS, transactions: 5_000 };

const MANY: Row = {
  name: 'p2p-many',
  ours: 'P2P over HTTP, 64 connections, 1 million wallets, 5 million transactions',
  yardstick: '1,000 wallets, 5 thousand transactions',
  unit: '/s',
  ratio: 'at least',
  floor: 0.6,
  goal: 0.6,
};

export const large: Scenario = {
  rows: [...LIST_ROWS, MANY],
  run: (report) =>
    withPlatform((smallPlatform) =>
      withPlatform(async (largePlatform) => {
        const { manyWallets: wallets, manyTransactions: transactions } = report.size;
        const few = await openBooks(smallPlatform, SMALL);
        const startedAt = performance.now();
        const many = await openBooks(largePlatform, { wallets, transactions });
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        report.say(`  ${wallets} wallets and ${transactions} transactions were there after ${seconds} s`);
        await measureLists(report, few, many);
        await measurePayments(report, few, many);
      }),
    ),
};

const openBooks = async (platform: BenchPlatform, size: typeof SMALL): Promise<Books> => ({
  platform,
  history: await makeHistory(platform, size),
  api: await platform.start(API),
});

async function measurePayments(report: Report, few: Books, many: Books): Promise<void> {
  await Promise.all([subscribe(few.platform), subscribe(many.platform)]);
  const paying = ({ platform, api, history }: Books): Side =>
    p2pSide(platform, [api], { wallets: history.wallets });
  await takeTurns(report.size, { many: paying(many), few: paying(few) }, (round) => {
    report.figure(MANY.name, round.many.perSecond, round.few.perSecond);
    report.usage(MANY.name, round.many.usage);
  });
}
