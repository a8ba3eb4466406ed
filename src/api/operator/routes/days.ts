/** The days of providers: whether their statements and our books agree, and what two people book and close. */
import { done, refuse } from '../../../domain/outcome';
import { findDay, findCountsOfDay, listDays, type ProviderDay } from '../../../db/reconcile/provider-days';
import { closableDay } from '../../../operations/days/close-day';
import { ownBooks } from '../../../operations/days/own-books';
import { entryFor } from '../../../operations/days/treasury-entries';
import { withdrawable } from '../../../operations/days/withdraw-line';
import { decide } from '../../../operations/operators/decisions';
import { readNote } from '../../../wire/operators';
import { dayOfPath, readTreasuryEntry, readWithdrawal, writeProviderDay } from '../../../wire/provider-days';
import { dataAnswer } from '../../route';
import { command, decided, inEnvironment, view, type EnvironmentCall } from '../route';

const PATH = '/ops/:environment/days';
/** Two months, of two providers. */
const SHOWN_MAX = 124;

const shown = async ({ environment }: EnvironmentCall, day: ProviderDay) => {
  const findings = await findCountsOfDay(ownBooks(environment).cell, day.provider, day.day);
  return writeProviderDay({ ...day, findings });
};

export const dayRoutes = [
  view(
    PATH,
    'listDays',
    'The last days of each provider, newest first: its statement against our books, and whether the day is closed',
    inEnvironment(async (call) => {
      const { pool, directory } = call.environment;
      const days = await listDays({ pool }, directory, SHOWN_MAX);
      return done(dataAnswer(call, 200, await Promise.all(days.map((day) => shown(call, day)))));
    }),
  ),
  view(
    `${PATH}/:provider/:day`,
    'showDay',
    'One day of a provider',
    inEnvironment(async (call) => {
      const { pool, directory } = call.environment;
      const day = dayOfPath(call.params['day']);
      const provider = call.params['provider'] ?? '';
      const found = day && (await findDay({ pool, directory, provider }, day));
      return found ? done(dataAnswer(call, 200, await shown(call, found))) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${PATH}/:provider/:day/close`,
    'closeDay',
    'Propose to close a day that has no open finding; 202',
    null,
    readNote,
    inEnvironment(async (call, { note }: { note: string }) => {
      const day = dayOfPath(call.params['day']);
      if (day === null) return refuse('NOT_FOUND');
      const own = ownBooks(call.environment);
      const terms = await closableDay(own, call.params['provider'] ?? '', day, note);
      if (!terms.ok) return terms;
      return decided(call, await decide(call, own, 'close_day', terms.value, call.operator.id));
    }),
  ),
  command(
    `${PATH}/:provider/:day/withdraw-line`,
    'withdrawLine',
    'Propose to withdraw a line that a provider’s statement has not, with what was booked for it; 202',
    null,
    readWithdrawal,
    inEnvironment(async (call, asked) => {
      const ownDay = dayOfPath(call.params['day']);
      if (ownDay === null) return refuse('NOT_FOUND');
      const own = ownBooks(call.environment);
      const terms = await withdrawable(own, { provider: call.params['provider'] ?? '', ownDay, ...asked });
      if (!terms.ok) return terms;
      return decided(call, await decide(call, own, 'withdraw_line', terms.value, call.operator.id));
    }),
  ),
  command(
    '/ops/:environment/treasury-entries',
    'proposeTreasuryEntry',
    'Propose to book what a line of a provider’s statement says of our money; 202',
    null,
    readTreasuryEntry,
    inEnvironment(async (call, asked) => {
      const own = ownBooks(call.environment);
      const entry = await entryFor(own, asked);
      if (!entry.ok) return entry;
      return decided(call, await decide(call, own, 'book_treasury', entry.value, call.operator.id));
    }),
  ),
];
