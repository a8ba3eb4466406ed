/**
 * The platform in live, as processes, and a fake Paystack that pays out for it and takes money in. Nothing leaves this
 * machine, and no money moves.
 */
import { directoryOf } from '../../src/db/pg/schema';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { freePort } from '../../tools/launcher/ports';
import { closeRun, preparePostgres, prepareTemporal } from '../setup/run';
import { CALLBACK_SECRETS } from '../support/callbacks';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { openFakeCompany, type FakeCompany } from '../support/fake-company';
import { openFakePaystack, type FakePaystack } from '../support/fake-paystack';
import { openWallet } from '../support/partners';
import { PLATFORM_SETTINGS } from '../support/settings';
import { openPlatform, type Platform } from '../support/platform';
import { NEW_MONNIFY, type MonnifyState } from '../standins/monnify/state';

/** The company that these rehearsals pay through, as the books name it, and the one that takes over in one step. */
export const COMPANY = 'paystack';
export const SECOND = 'monnify';
/** A key of the live world, where Paystack allows 600 calls a minute. The fake moves no money with it either. */
const LIVE_KEY = 'sk_live_rehearsal';
/** Wema Bank, where Paystack's account numbers are. */
const ACCOUNT_BANK = '035';

export interface LiveWallet {
  readonly id: string;
  /** Money that is sent there from outside is for this wallet. */
  readonly accountNumber: string;
}

export interface Stage {
  readonly paystack: FakePaystack;
  readonly monnify: FakeCompany<MonnifyState>;
  readonly platform: Platform;
  /** A partner in live. */
  readonly live: Calls;
  wallet(): Promise<LiveWallet>;
  /** What the programs are configured with. */
  readonly settings: Record<string, string>;
  /** Where the operator port of the API is now. */
  operatorUrl(): string;
  /** Ends a process without asking, and starts it again. */
  kill(program: 'api' | 'worker'): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts everything. Postgres and Temporal come up by themselves.
 * @param more settings of the programs, laid over the others.
 */
export async function openStage(more: Record<string, string>): Promise<Stage> {
  await preparePostgres();
  await prepareTemporal();
  const [paystack, monnify] = await Promise.all([openFakePaystack(), openFakeCompany<MonnifyState>(SECOND)]);
  const port = await freePort();
  const url = `http://127.0.0.1:${String(port)}`;
  await paystack.set({
    secretKey: LIVE_KEY,
    webhookUrl: `${url}/v1/providers/${COMPANY}/callback`,
    approvalUrl: `${url}/v1/providers/${COMPANY}/approvals/${pathSecret(CALLBACK_SECRETS.live)}`,
  });
  const companies = {
    LIVE_PAYOUTS: `${COMPANY},${SECOND}`,
    PAYSTACK_SECRET_KEY: LIVE_KEY,
    PAYSTACK_BASE_URL: paystack.url,
    PAYSTACK_ASKS_FIRST: 'true',
    MONNIFY_API_KEY: NEW_MONNIFY.settings.apiKey,
    MONNIFY_SECRET_KEY: NEW_MONNIFY.settings.secretKey,
    MONNIFY_SOURCE_ACCOUNT: NEW_MONNIFY.settings.sourceAccount,
    MONNIFY_BASE_URL: monnify.url,
  };
  const platform = await openPlatform({ settings: { PORT: String(port), ...companies, ...more } });
  const running = {} as Record<'api' | 'worker', Child>;
  const start = async (program: 'api' | 'worker'): Promise<void> => {
    running[program] = await platform.startChild(program);
  };
  await Promise.all([start('api'), start('worker')]);
  const live = await platform.inLive(await platform.partner(url), url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [live.partnerId]);
  const environment = platform.environments().live;
  let serial = 0;
  return {
    paystack,
    monnify,
    platform,
    live,
    settings: { ...PLATFORM_SETTINGS, ...companies },
    operatorUrl: () => `http://127.0.0.1:${String(running.api.operatorPort)}`,
    async wallet() {
      const id = await openWallet(environment, environment.pool, live.partnerId);
      const accountNumber = String(9_930_000_000 + ++serial);
      await platform.sql(
        `UPDATE ${directoryOf('live')}.nubans SET account_number = $2, bank_code = $3 WHERE wallet_id = $1`,
        [id, accountNumber, ACCOUNT_BANK],
      );
      return { id, accountNumber };
    },
    async kill(program) {
      await running[program].kill();
      await start(program);
    },
    async close() {
      await platform.close();
      await Promise.all([paystack.close(), monnify.close()]);
      await closeRun();
    },
  };
}
