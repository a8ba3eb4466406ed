/** The daily look at the companies' lists of banks: new banks become ours, and what differs is told to people. */
import { heartbeat } from '@temporalio/activity';
import { noteBankList, rememberBanks, rememberedBanks } from '../db/payments/listed-banks';
import { bankAt } from '../domain/banks';
import { compareBanks, isWhole, type ListedBank } from '../domain/bank-lists';
import type { Dependencies } from './dependencies';

/** So many differences are written to the log for each kind. Further ones are counted. */
const TOLD = 50;

export function bankListActivities({ environment, logger }: Dependencies) {
  /** @returns how many banks are new. A second look at the same list finds them remembered. */
  async function lookAt(company: string, listed: readonly ListedBank[]): Promise<number> {
    const { pool, directory, banks } = environment;
    const ours = await banks.listNow();
    const { differing, named } = compareBanks(ours, listed, company);
    const remembered = (await rememberedBanks(pool, directory)).filter((one) => one.company === company);
    const codes = new Set(listed.map(({ code }) => code));
    // A bank of which people have said in the file that the company does not have it is no news.
    const gone = remembered.filter(({ code }) => !codes.has(code) && bankAt(ours, company, code));
    const added = await rememberBanks(pool, directory, company, listed.filter(isWhole));
    await noteBankList(pool, directory, company, {
      codes: differing.length,
      names: named.length,
      gone: gone.length,
    });
    const tell = (what: readonly string[], sentence: string): void => {
      if (what.length > 0)
        logger.warn({ provider: company, count: what.length, banks: what.slice(0, TOLD) }, sentence);
    };
    tell(differing, 'Codes of banks on a company’s list differ from ours; nothing was changed');
    tell(named, 'A company’s list has other names for banks of ours; nothing was changed');
    tell(
      gone.map(({ code, name }) => `${code} ${name}`),
      'A company does not list these banks any more; they stay on our list',
    );
    logger.info(
      { provider: company, listed: listed.length, added: added.length },
      'A list of banks was read',
    );
    return added.length;
  }

  return {
    /**
     * Asks each company that pays out for its banks, and remembers those that are new. A company that does not tell its list, or
     * tells an empty one, changes nothing, and is asked again on the next day. To look twice is harmless.
     * @returns how many banks are new by company; null where a list was not told.
     */
    async refreshBanks(): Promise<Record<string, number | null>> {
      const added: Record<string, number | null> = {};
      for (const { name, payouts } of environment.providers.payouts) {
        if (!payouts.listed) continue;
        heartbeat();
        const listed = await payouts.listed().catch((error: unknown) => {
          logger.warn({ err: error, provider: name }, 'A company does not tell its list of banks now');
          return [];
        });
        added[name] = listed.length === 0 ? null : await lookAt(name, listed);
      }
      return added;
    },
  };
}
