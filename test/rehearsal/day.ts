/**
 * The end of a rehearsed day: its statement is imported, what only the statement says is booked by two people, and two people
 * close the day. A line that no rule below explains stops the rehearsal.
 */
import assert from 'node:assert/strict';
import pg from 'pg';
import { beginningOf, dayAfter, dayOf, type Day } from '../../src/domain/days';
import { programUrls } from '../../src/runtime/database-urls';
import { directoryOf } from '../../src/db/pg/schema';
import { LIVE_CELL, TEST_CELLS } from '../setup/cells';
import { runCommand } from '../support/commands';
import { approvedBy, openOperator, type TestOperator } from '../support/operators';
import { COMPANY, SECOND, type Stage } from './stage';

interface Found {
  class: string;
  resource: string;
  detail: { state?: string; kobo: { line: number; booked: number }; lines: { id: string; kobo: number }[] };
}

type Entry = readonly [entry: string, lineId: string, amountKobo: number];

/**
 * What two people book for a finding. Money that was sent to our balance or taken from it has a line of its own, and a company
 * keeps its fee of a payout that has failed. Nothing else may differ.
 */
function entryFor({ class: of, resource, detail }: Found): Entry {
  if (of === 'line_unmatched') {
    const { line } = detail.kobo;
    return [line > 0 ? 'prefund' : 'withdrawal', resource.split('line ')[1] ?? '', Math.abs(line)];
  }
  assert.equal(of, 'fee_differs', `${resource}: ${JSON.stringify(detail)}`);
  assert.match(detail.state ?? '', /^(failed|released)$/, resource);
  const [first] = detail.lines;
  const toldKobo = detail.lines.reduce((sum, { kobo }) => sum + kobo, 0);
  return ['fee', first?.id ?? '', detail.kobo.booked - toldKobo];
}

/**
 * Closes each day of the rehearsal. @param began when it began.
 * @throws AssertionError where a day cannot be closed, with what is in the way.
 */
export async function closeDays(stage: Stage, began: Date, say: (line: string) => void): Promise<void> {
  const owner = new pg.Pool({ connectionString: stage.platform.databaseUrl, max: 2 });
  try {
    const url = stage.operatorUrl();
    const people: readonly [TestOperator, TestOperator] = [
      await openOperator(url, owner),
      await openOperator(url, owner),
    ];
    // With a company that has told nothing there is no balance to begin with.
    const { lines } = await stage.monnify.state();
    const companies = lines.length === 0 ? [COMPANY] : [COMPANY, SECOND];
    for (let day = dayOf(began); day <= dayOf(new Date()); day = dayAfter(day)) {
      for (const provider of companies) say(await closeDay(stage, owner, people, { provider, day }));
    }
  } finally {
    await owner.end();
  }
}

async function closeDay(
  { platform, settings }: Stage,
  owner: pg.Pool,
  [ada, bola]: readonly [TestOperator, TestOperator],
  { provider, day }: { provider: string; day: Day },
): Promise<string> {
  const importIt = () =>
    runCommand(
      {
        ...settings,
        ...programUrls({ DATABASE_URL: platform.databaseUrl }, 'worker'),
        TEMPORAL_ADDRESS: platform.temporal.address,
        CELLS_PER_ENVIRONMENT: String(TEST_CELLS),
      },
      'recon',
      ...['import', '--provider', provider, '--day', day],
    );
  const first = await importIt();
  const { rows: found } = await owner.query<Found>(
    `SELECT class, resource, detail FROM ${LIVE_CELL}.recon_findings WHERE closed_at IS NULL AND resource LIKE $1`,
    [`${provider}/${day}/%`],
  );
  assert.equal(first.code, found.length === 0 ? 0 : 1, first.complaint || first.said);
  // What is booked for lines makes the balances agree as well.
  const open = found.filter(({ class: of }) => of !== 'balance_differs');
  for (const [entry, lineId, amountKobo] of open.map(entryFor)) {
    const body = {
      entry,
      provider,
      line_id: lineId,
      amount_kobo: amountKobo,
      note: 'As the statement says',
    };
    const booked = await approvedBy(await ada.post('/ops/live/treasury-entries', body), bola);
    assert.equal(booked.body.data?.status, 'applied', booked.text);
  }
  const second = await importIt();
  assert.equal(second.code, 0, second.complaint || second.said);
  // A rehearsal cannot wait for midnight, after which a day is imported for the last time.
  await owner.query(
    `UPDATE ${directoryOf('live')}.provider_days SET checked_at = $3 WHERE provider = $1 AND day = $2`,
    [provider, day, beginningOf(dayAfter(day))],
  );
  const path = `/ops/live/days/${provider}/${day}`;
  const closed = await approvedBy(await ada.post(`${path}/close`, { note: 'Rehearsed' }), bola);
  assert.equal(closed.body.data?.status, 'applied', closed.text);
  const { lines, explained_findings: explained } = (await ada.get(path)).body.data as Record<string, number>;
  assert.equal(explained, 0, 'findings that were closed with a note only');
  return `\n  ${day} of ${provider} is closed by two people: ${String(lines)} lines, ${String(open.length)} of them explained by treasury entries, none unexplained`;
}
