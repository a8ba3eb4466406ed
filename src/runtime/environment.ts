/**
 * One environment with everything that it works with: its cells and their ledger writers, its Temporal namespace,
 * its providers. It is opened once per process. No other file compares the name of an environment: code for the
 * sandbox only asks `allowsSimulation`.
 */
import { isIP } from 'node:net';
import { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createBlindIndex, type BlindIndex } from '../secrets/blind-index';
import { createSealing, type Sealing } from '../secrets/sealing';
import { ConfigError, type Config } from './config';
import { databaseUrl } from './database-urls';
import { poolSize, type Login } from './logins';
import { findPartner } from '../db/partners/credentials';
import { openLedgerWriter, type LedgerWriter } from '../db/ledger/writer';
import { rememberedBanks } from '../db/payments/listed-banks';
import { openPool, type Cell, type SealedCell } from '../db/pg/postgres';
import { cellNames, directoryOf } from '../db/pg/schema';
import { present } from '../domain/assert';
import type { Demands } from '../domain/owner-details';
import type { EnvironmentName, Partner } from '../domain/partners';
import { SECURITY_EVENT_KINDS } from '../domain/security-events';
import { guarded, type GuardPorts } from '../providers/guard';
import { createBankDirectory, type BankDirectory } from '../providers/bank-directory';
import { createMonnify } from '../providers/monnify/monnify';
import { createPaystack } from '../providers/paystack/paystack';
import {
  forEveryWork,
  whoServes,
  type ChosenCompanies,
  type Provider,
  type Providers,
} from '../providers/port';
import { createSimulator, type Simulator } from '../providers/simulator/simulator';
import { createPrembly } from '../providers/prembly/prembly';
import { createSmile } from '../providers/smile/smile';
import type { AddressRules } from '../providers/webhooks/address-guard';
import { createRelay, type Relay } from '../relay/relay';
import {
  formerPayers,
  LIVE_ROLES,
  type LiveCompany,
  type LiveRole,
  type UssdGateway,
} from './live-companies';
import { demandsOfLive } from './live-demands';
import { guardPorts } from './guard-ports';
import { servedEnvironments } from './served-environments';
import { remember } from './remember';
import { simulatorPorts } from './simulator-ports';
import { temporalConnection } from './temporal-connection';
import { temporalTransport } from './temporal-transport';
import { openTraces, type Traces } from './traces';

export interface OpenCell extends SealedCell {
  ledger: LedgerWriter;
  /** Whether its ledger would turn a movement away now, so that nothing needs to be prepared for it (G28). */
  isLate: LedgerWriter['isLate'];
}

export interface Environment {
  name: EnvironmentName;
  /** True where the sandbox operations exist and money is not real. */
  allowsSimulation: boolean;
  /** True in live, where a partner must be approved before it moves money (D103). */
  requiresActivePartner: boolean;
  /** Whether the log of requests keeps bodies. */
  keepsBodies: boolean;
  namespace: string;
  taskQueue: string;
  directory: string;
  /** The pool of the process's login in this environment. */
  pool: Cell['pool'];
  /** The pool for what the platform knows of this environment's partners and keys. It may be another server. */
  partnersPool: Cell['pool'];
  /** The pool of the login that lets a partner's status follow its live record; null in the sandbox and in the API. */
  statusPool: Cell['pool'] | null;
  /**
   * The pool of the one login that may delete the rows of a partner; null in live, which has no reset (R11), and in
   * the API, which resets nothing itself.
   */
  resetPool: Cell['pool'] | null;
  /** The pool of the login that reads the books and writes findings; null in the API, which reconciles nothing. */
  reconcilePool: Cell['pool'] | null;
  cells: ReadonlyMap<string, OpenCell>;
  /**
   * Gives the partner with its cell, or null. The answer is remembered for a few seconds, so a change is in force
   * soon (R19).
   */
  findPartner(partnerId: string): Promise<{ partner: Partner; cell: OpenCell } | null>;
  /** The same for a partner that must exist, because something that belongs to it exists. */
  partner(partnerId: string): Promise<{ partner: Partner; cell: OpenCell }>;
  temporal: Client;
  relay: Relay;
  /** What live will demand of the owners of wallets; a sandbox demands it where its partner wants that. */
  demandsOfLive: Demands;
  /** Who serves each part. A request that needs a part which nobody serves is refused with 503 (R22). */
  providers: Providers;
  /** The simulator, where it pays transfers out, or null. It is asked when a transfer is ended by hand. */
  simulator: Simulator | null;
  /** Whether the stamp duty of a transfer to a bank is charged to who pays (R46). */
  chargesStampDuty: boolean;
  /** Whether a gateway serves the dial codes. Without one a USSD payment is refused with 503 (R22). */
  takesUssd: boolean;
  /** Whether a gateway is expected to call from an address. */
  takesUssdFrom(gateway: UssdGateway, address: string): boolean;
  banks: BankDirectory;
  /** Seals and opens with the data keys of this environment, and with no others. */
  sealing: Sealing;
  blindIndex: BlindIndex;
  webhookRules: AddressRules;
  /** How often each company has not taken our key, since this process was started. */
  keyRefusals: ReadonlyMap<string, number>;
  /** The traces of the process; null unless they are switched on. */
  traces: Traces | null;
  close(): Promise<void>;
}

const PARTNER_KNOWN_MS = 5_000;
/** The limit of one call to a company outside (`src/providers/port.ts`). */
const COMPANY_ANSWERS_WITHIN_MS = 12_000;

/** The companies that can have an order of ours, and are asked about it: those that pay out, the preferred one first, and former ones. */
export const companiesWithOrders = ({
  payouts,
  former,
}: Pick<Providers, 'payouts' | 'former'>): Providers['payouts'] => [...payouts, ...former];

/** The environments that a process serves, by their names. */
export type Environments = Readonly<Partial<Record<EnvironmentName, Environment>>>;

/**
 * Opens the environments that the process serves, and nothing of another one: no pool, no company, no namespace. Postgres and
 * Temporal may be away: only a call that needs one of them fails.
 * @param program whose logins are used.
 */
export function openEnvironments(config: Config, logger: Logger, program: EnvironmentProgram): Environments {
  const traces = openTraces(config.OTEL_EXPORTER_OTLP_ENDPOINT, program, logger);
  return Object.fromEntries(
    servedEnvironments(config.ENVIRONMENTS).map((name) => [
      name,
      openEnvironment(name, config, logger, program, traces),
    ]),
  );
}

/**
 * Opens live alone, for a command that works there, with the settings of a process that serves it.
 * @throws ConfigError where they are those of a process of the sandbox.
 */
export function openLive(config: Config, logger: Logger, program: EnvironmentProgram): Environment {
  if (!servedEnvironments(config.ENVIRONMENTS).includes('live')) {
    throw new ConfigError('ENVIRONMENTS: must be live, because this command works in live');
  }
  return openEnvironment('live', config, logger, program, null);
}

/**
 * Seals what belongs to people, and so to no environment, under the key of live. Both environments' processes need it,
 * because people register and sign in at either.
 */
export const sealingOfPeople = (config: Pick<Config, 'DATA_KEY_LIVE' | 'DATA_KEY_LIVE_ACCEPTED'>): Sealing =>
  createSealing(config.DATA_KEY_LIVE, config.DATA_KEY_LIVE_ACCEPTED);

/** The programs that work in the environments. */
type EnvironmentProgram = 'api' | 'worker';

function openEnvironment(
  name: EnvironmentName,
  config: Config,
  logger: Logger,
  program: EnvironmentProgram,
  traces: Traces | null,
): Environment {
  const isSandbox = name === 'sandbox';
  const log = logger.child({ environment: name });
  const onError = (error: unknown): void =>
    log.warn({ err: error }, 'A connection to Postgres broke; the next query opens another one');
  const { DATABASE_CONNECT_MS: connectWithinMs } = config;
  const open = (login: Login): Cell['pool'] =>
    openPool(databaseUrl(config, login), poolSize(login, config), connectWithinMs, onError);
  const login = `${name}_${program}` as const;
  const pool = open(login);
  const partnersPool = open(`${name}_partners`);
  const statusPool = !isSandbox && program === 'worker' ? open('live_status') : null;
  const resetPool = isSandbox && program === 'worker' ? open('sandbox_reset') : null;
  const reconcilePool = program === 'worker' ? open(`${name}_reconcile`) : null;
  const namespace = isSandbox ? config.TEMPORAL_NAMESPACE_SANDBOX : config.TEMPORAL_NAMESPACE_LIVE;
  const directory = directoryOf(name);
  const temporal = new Client({
    connection: temporalConnection(temporalTransport(config), namespace),
    namespace,
  });
  const relay = createRelay({
    temporal,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    traces,
    partners: partnersPool,
    logSecurityEvent: (event) =>
      log.info({ securityEvent: event }, SECURITY_EVENT_KINDS[event.kind].sentence),
    onError: (error, what) =>
      log.warn({ err: error, what }, 'The relay could not do this now; it is left to the sweep'),
  });

  const sealing = isSandbox
    ? createSealing(config.DATA_KEY_SANDBOX, config.DATA_KEY_SANDBOX_ACCEPTED)
    : sealingOfPeople(config);
  const cells = new Map<string, OpenCell>();
  for (const schema of cellNames(name, config.CELLS_PER_ENVIRONMENT)) {
    const cell: SealedCell = { schema, pool, sealing };
    const ledger = openLedgerWriter({
      databaseUrl: databaseUrl(config, login),
      connectWithinMs,
      cell: schema,
      sealing,
      idempotencyWindowMs: config.IDEMPOTENCY_WINDOW_MS,
      everyWalletIsLimited: !isSandbox,
      traces,
      onError,
      afterCommit: (done) => relay.afterCommit(cell, done),
    });
    cells.set(schema, { ...cell, ledger, isLate: ledger.isLate });
  }

  const partnerFound = remember(PARTNER_KNOWN_MS, async (partnerId: string) => {
    const partner = await findPartner(partnersPool, name, partnerId);
    return partner && { partner, cell: present(cells.get(partner.cell), `the cell ${partner.cell}`) };
  });
  const partnerOf = async (partnerId: string) =>
    present(await partnerFound(partnerId), 'a partner of this environment');

  const isSimulated = (role: LiveRole): boolean => isSandbox || config[role].includes('simulator');
  const simulator = LIVE_ROLES.some(isSimulated)
    ? createSimulator({
        provisioningMs: range(config.SANDBOX_PROVISIONING_MS),
        transferMs: range(config.SANDBOX_TRANSFER_MS),
        kycMs: range(config.SANDBOX_KYC_MS),
        kycUnavailableMs: config.SANDBOX_KYC_UNAVAILABLE_MS,
        ports: simulatorPorts({ pool, directory, allowsSimulation: isSandbox, cells, partnerOf }),
      })
    : null;
  const keyRefusals = new Map<string, number>();
  const onKeyRefused = (company: string): void => {
    keyRefusals.set(company, (keyRefusals.get(company) ?? 0) + 1);
    log.warn({ provider: company }, 'A company does not take our key: it was replaced or revoked');
  };
  const providers = whoServes(
    isSandbox
      ? forEveryWork([present(simulator, 'the simulator').provider])
      : liveCompanies(
          config,
          {
            find: (code, company) => banks.find(code, company),
            list: () => banks.list(),
          },
          simulator?.provider,
          guardPorts(pool, directory, log),
          onKeyRefused,
        ),
  );
  const banks = createBankDirectory({
    banksFile: config.BANKS_FILE,
    added: providers.banks?.banks ?? null,
    // The sandbox keeps its list: its bank is simulated.
    remembered: isSandbox ? null : () => rememberedBanks(pool, directory),
  });

  return {
    name,
    allowsSimulation: isSandbox,
    keepsBodies: isSandbox || config.REQUEST_LOG_BODIES === 'all',
    requiresActivePartner: !isSandbox,
    namespace,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    directory,
    pool,
    partnersPool,
    statusPool,
    resetPool,
    reconcilePool,
    cells,
    findPartner: partnerFound,
    partner: partnerOf,
    temporal,
    relay,
    demandsOfLive: demandsOfLive(config),
    providers,
    simulator: isSimulated('LIVE_PAYOUTS') ? simulator : null,
    chargesStampDuty: config.STAMP_DUTY === 'charge',
    ...ussdOf(config, isSandbox || config.LIVE_USSD === 'simulator'),
    banks,
    sealing,
    blindIndex: createBlindIndex(name, config.BLIND_INDEX_KEY, config.BLIND_INDEX_KEY_ACCEPTED),
    webhookRules: { allowPrivate: isSandbox && config.ALLOW_PRIVATE_WEBHOOKS, httpsOnly: !isSandbox },
    keyRefusals,
    traces,
    async close() {
      await Promise.all([...cells.values()].map((cell) => cell.ledger.close()));
      await relay.close();
      const pools = [pool, partnersPool, statusPool, resetPool, reconcilePool];
      await Promise.all(pools.flatMap((one) => (one ? [one.end()] : [])));
      await traces?.flush();
    },
  };
}

/**
 * The companies of live for each work, the preferred one first, each behind its guard. A company that is chosen twice is
 * opened once, and one that pays nothing out any more is opened while it has its keys.
 * @param simulator where a rehearsal has chosen it.
 */
function liveCompanies(
  config: Config,
  banks: Pick<BankDirectory, 'find' | 'list'>,
  simulator: Provider | undefined,
  guard: GuardPorts,
  onKeyRefused: (company: string) => void,
): ChosenCompanies {
  const open: Record<LiveCompany | 'simulator', () => Provider> = {
    simulator: () => present(simulator, 'the simulator'),
    paystack: () =>
      createPaystack({
        url: config.PAYSTACK_BASE_URL,
        secretKey: present(config.PAYSTACK_SECRET_KEY, 'the secret key of Paystack'),
        answersWithinMs: COMPANY_ANSWERS_WITHIN_MS,
        findBank: banks.find,
        listBanks: banks.list,
        asksFirst: config.PAYSTACK_ASKS_FIRST,
        onKeyRefused,
        minKobo: config.PAYSTACK_MIN_KOBO,
        costMaxKobo: config.PAYSTACK_COST_MAX_KOBO,
        takesDuty: config.STAMP_DUTY !== 'off' && config.PAYSTACK_TAKES_DUTY,
      }),
    monnify: () =>
      createMonnify({
        url: config.MONNIFY_BASE_URL,
        apiKey: present(config.MONNIFY_API_KEY, 'the key of Monnify'),
        secretKey: present(config.MONNIFY_SECRET_KEY, 'the secret key of Monnify'),
        sourceAccount: present(config.MONNIFY_SOURCE_ACCOUNT, 'the account at Monnify'),
        contractCode: config.MONNIFY_CONTRACT_CODE ?? null,
        accountsBank: config.MONNIFY_ACCOUNTS_BANK,
        onKeyRefused,
        answersWithinMs: COMPANY_ANSWERS_WITHIN_MS,
        terms: {
          minKobo: config.MONNIFY_MIN_KOBO,
          costMaxKobo: config.MONNIFY_COST_MAX_KOBO,
          takesDuty: config.STAMP_DUTY !== 'off' && config.MONNIFY_TAKES_DUTY,
          callsPerMinute: config.MONNIFY_CALLS_PER_MINUTE,
        },
        findBank: banks.find,
      }),
    smile: () =>
      createSmile({
        url: config.SMILE_BASE_URL,
        partnerId: present(config.SMILE_PARTNER_ID, 'the number of our account at Smile ID'),
        apiKey: present(config.SMILE_API_KEY, 'the key of Smile ID'),
        answersWithinMs: COMPANY_ANSWERS_WITHIN_MS,
      }),
    prembly: () =>
      createPrembly({
        url: config.PREMBLY_BASE_URL,
        apiKey: present(config.PREMBLY_API_KEY, 'the key of Prembly'),
        appId: config.PREMBLY_APP_ID,
        answersWithinMs: COMPANY_ANSWERS_WITHIN_MS,
      }),
  };
  const former = formerPayers(config);
  const opened = new Map(
    [...new Set([...LIVE_ROLES.flatMap((role) => config[role]), ...former])].map((name) => [
      name,
      guarded(open[name](), guard),
    ]),
  );
  const found = (names: readonly (LiveCompany | 'simulator')[]): Provider[] =>
    names.map((name) => present(opened.get(name), 'a company that was opened'));
  const chosen = (role: LiveRole): Provider[] => found(config[role]);
  return {
    payouts: chosen('LIVE_PAYOUTS'),
    accounts: chosen('LIVE_ACCOUNTS'),
    identity: chosen('LIVE_IDENTITY'),
    former: found(former),
  };
}

/** Where it is simulated every gateway may call. In live the one that is configured may, from its own addresses. */
function ussdOf(
  { LIVE_USSD: gateway, USSD_GATEWAY_ADDRESSES: addresses }: Config,
  simulated: boolean,
): Pick<Environment, 'takesUssd' | 'takesUssdFrom'> {
  if (simulated) return { takesUssd: true, takesUssdFrom: () => true };
  return {
    takesUssd: gateway !== 'none',
    takesUssdFrom: (caller, address) =>
      caller === gateway && (addresses?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? true),
  };
}

const range = (millis: readonly number[]): [number, number] => {
  const [least = 0, most = least] = millis;
  return [least, Math.max(least, most)];
};
