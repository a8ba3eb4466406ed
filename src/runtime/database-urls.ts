/**
 * The connection strings of the database: how they may look, who needs which, and how one address serves all logins of
 * a developer's machine. Only the configuration reads them; nothing here connects.
 */
import { z } from 'zod';
import {
  ALL_LOGINS,
  loginsOf,
  LOGINS,
  roleOf,
  urlVariable,
  type Area,
  type EnvironmentArea,
  type Login,
  type LoginVariable,
  type Program,
} from './logins';

/**
 * What may stand behind the question mark. Everything else could replace our own settings, another part of the
 * address, or the check of the server's certificate.
 */
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'application_name'];

const address = z
  .string()
  .refine(
    (text) => parsed(text) !== null,
    'an address as in postgres://user:password@host:5432/database, with a host',
  )
  .refine(
    (text) => (parsed(text) ? strangeParameters(text).length === 0 : true),
    `with no other parameters than ${PARAMETERS.join(', ')}, each at most once`,
  );

/** The variable of a login holds the address of that login. */
const addressOf = (login: Login) =>
  address.refine(
    (text) => (parsed(text) ? decodeURIComponent(parsed(text)?.username ?? '') === roleOf(login) : true),
    `with the user ${roleOf(login)}`,
  );

/** The variables for the configuration's schema. All are optional there: who needs which depends on the program. */
export const databaseShape = {
  /** For development: the address for all logins, which then have one password. */
  DATABASE_URL: address.optional(),
  /** The same for the logins of one environment, where it lies on a server of its own. */
  DATABASE_URL_SANDBOX: address.optional(),
  DATABASE_URL_LIVE: address.optional(),
  ...(Object.fromEntries(
    ALL_LOGINS.map((login) => [urlVariable(login), addressOf(login).optional()]),
  ) as Record<LoginVariable, z.ZodOptional<typeof address>>),
};

export type DatabaseUrls = Readonly<Partial<Record<keyof typeof databaseShape, string | undefined>>>;

const BASES: Record<Area, readonly (keyof DatabaseUrls)[]> = {
  platform: ['DATABASE_URL'],
  sandbox: ['DATABASE_URL_SANDBOX', 'DATABASE_URL'],
  live: ['DATABASE_URL_LIVE', 'DATABASE_URL'],
};

/**
 * The connection string of a login: its own variable, else the address of its area with the login as its user.
 * @throws an Error where there is neither; the configuration has been checked before.
 */
export function databaseUrl(urls: DatabaseUrls, login: Login): string {
  const found = urlOf(urls, login);
  if (found === null) throw new Error(`bug: there is no address for ${roleOf(login)}`);
  return found;
}

/** The addresses under which the schemas of each area are migrated. */
export const migrateUrls = (urls: DatabaseUrls): Readonly<Record<Area, string>> => ({
  platform: databaseUrl(urls, 'platform_migrate'),
  sandbox: databaseUrl(urls, 'sandbox_migrate'),
  live: databaseUrl(urls, 'live_migrate'),
});

/** The connection strings of one program and no others, as the variables of its process. */
export const programUrls = (
  urls: DatabaseUrls,
  program: Program,
  environments?: readonly EnvironmentArea[],
): Record<string, string> =>
  Object.fromEntries(
    loginsOf(program, environments).map((login) => [urlVariable(login), databaseUrl(urls, login)]),
  );

/** The address from which those of an area's logins are derived; undefined where each has its own. */
export const areaUrl = (urls: DatabaseUrls, area: Area): string | undefined =>
  BASES[area].map((name) => urls[name]).find((url) => url !== undefined);

function urlOf(urls: DatabaseUrls, login: Login): string | null {
  const own = urls[urlVariable(login)];
  if (own !== undefined) return own;
  const url = parsed(areaUrl(urls, LOGINS[login].area) ?? '');
  if (url === null) return null;
  url.username = roleOf(login);
  return url.href;
}

/**
 * What is wrong with the addresses of a process. In production each login has an address of its own, a process has
 * no address that it does not use, none of an environment that it does not serve, and a server elsewhere proves who it is (verify-full).
 * @returns a line for each wrong variable, as `NAME: rule`.
 */
export function processUrlProblems(
  urls: DatabaseUrls,
  program: Program,
  { isProduction, environments }: { isProduction: boolean; environments: readonly EnvironmentArea[] },
): string[] {
  const wanted = loginsOf(program, environments);
  const others = ALL_LOGINS.filter((login) => !wanted.includes(login));
  const given = isProduction ? others.map(urlVariable).filter((name) => urls[name] !== undefined) : [];
  return [
    ...urlProblems(urls, wanted, isProduction),
    ...given.map((name) => `${name}: this process must not have it`),
  ];
}

/** The same for a command, which uses these logins; others may be set beside them. */
export function urlProblems(urls: DatabaseUrls, wanted: readonly Login[], isProduction: boolean): string[] {
  if (!isProduction)
    return wanted.some((login) => urlOf(urls, login) === null) ? ['DATABASE_URL: is required'] : [];
  const shared = (['DATABASE_URL', 'DATABASE_URL_SANDBOX', 'DATABASE_URL_LIVE'] as const).filter(
    (name) => urls[name] !== undefined,
  );
  return [
    ...shared.map(
      (name) => `${name}: is for development; in production each login has an address of its own`,
    ),
    ...wanted.flatMap((login) => {
      const name = urlVariable(login);
      const url = urls[name];
      if (url === undefined) return [`${name}: is required`];
      return provesItsServer(url)
        ? []
        : [`${name}: needs sslmode=verify-full, because the server is elsewhere`];
    }),
  ];
}

/** The password in an address; empty where there is none. */
export const passwordIn = (url: string): string => decodeURIComponent(new URL(url).password);

/** Whether nobody between us and the server can read along or pretend to be it. */
export function provesItsServer(text: string): boolean {
  const url = parsed(text);
  return url !== null && (isOnThisMachine(url) || url.searchParams.get('sslmode') === 'verify-full');
}

/** Whether any of these addresses is a server on another machine. */
export const hasServerElsewhere = (urls: DatabaseUrls): boolean =>
  Object.keys(databaseShape).some((name) => {
    const url = parsed(urls[name as keyof DatabaseUrls] ?? '');
    return url !== null && !isOnThisMachine(url);
  });

/** A socket file has a folder as its host, percent-encoded. */
function isOnThisMachine({ hostname }: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|%2f.*)$/i.test(hostname);
}

function strangeParameters(text: string): string[] {
  const names = [...(parsed(text)?.searchParams.keys() ?? [])];
  return names.filter((name, place) => !PARAMETERS.includes(name) || names.indexOf(name) !== place);
}

function parsed(text: string): URL | null {
  if (!/^postgres(ql)?:\/\//.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.hostname !== '' ? url : null;
}
