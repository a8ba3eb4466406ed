/** Every operation of the interface, by section. */
import { HEALTH_DOC, HEALTH_PATHS } from '../../src/api/routes/health';
import { templateOf } from '../../src/api/openapi/operations';
import { OPEN_ROUTES, ROUTES } from '../../src/api/routes';
import { KEY_SCOPES } from '../../src/domain/key-scopes';
import { PERMISSIONS } from '../../src/domain/roles';
import { SECTIONS, type Route, type RouteDoc } from '../../src/api/route';
import { code, table } from './table';

interface Row {
  section: string;
  cells: string[];
}

export function operationsPage(): string {
  const rows: Row[] = [
    ...HEALTH_PATHS.map((path) => ({
      section: HEALTH_DOC.section,
      cells: [code(`GET ${path}`), HEALTH_DOC.summary, '200', 'nothing', ''],
    })),
    ...OPEN_ROUTES.map(({ method, path, doc }) => ({
      section: doc.section,
      cells: cellsOf(method, path, doc, 'nothing', ''),
    })),
    ...ROUTES.map((route) => ({
      section: route.doc.section,
      cells: cellsOf(route.method, route.path, route.doc, credentialOf(route), notesOn(route)),
    })),
  ];
  const head = ['Operation', 'What it does', 'Success', 'Credential', 'Notes'];
  const sections = SECTIONS.filter((section) => rows.some((row) => row.section === section));
  const tables = sections.map((section) => {
    const cells = rows.filter((row) => row.section === section).map((row) => row.cells);
    return `## ${section}\n\n${table(head, cells)}`;
  });
  const intro =
    'Bodies, answers and examples are in the OpenAPI document: `openapi.json`, or `/docs` of a running API. _key_\n' +
    'means that an `Idempotency-Key` counts, _active_ that in live the partner must be active; the word\n' +
    'in code is what the [role](#roles) of a person must allow.';
  return ['# Operations', intro, ...tables, rolesSection(), scopesSection()].join('\n\n');
}

/** Who of a partner's people may do what with an access token. */
function rolesSection(): string {
  const rows = Object.entries(PERMISSIONS).map(([name, { covers, inSandbox, inLive }]) => [
    code(name),
    covers,
    inSandbox.join(', '),
    inLive.join(', '),
  ]);
  const intro =
    'Each operation that takes an access token needs one of these, as its notes say. API keys are for programs: they\n' +
    'have no role, and go on when the person who made them is removed.';
  return `## Roles\n\n${intro}\n\n${table(['Needs', 'To', 'In the sandbox', 'In live'], rows)}`;
}

/** What an API key may do. */
function scopesSection(): string {
  const rows = Object.entries(KEY_SCOPES).map(([name, { covers, permissions }]) => [
    code(name),
    covers,
    permissions.map(code).join(', '),
  ]);
  const intro =
    'An API key has all of these, unless fewer were asked for when it was made. Without the scope that an operation needs\n' +
    'the answer is 403 `FORBIDDEN`.';
  return `## Scopes of API keys\n\n${intro}\n\n${table(['Scope', 'To', 'Operations that need'], rows)}`;
}

const cellsOf = (
  method: string,
  path: string,
  doc: RouteDoc,
  credential: string,
  notes: string,
): string[] => [
  code(`${method} ${templateOf(path)}`),
  doc.summary,
  String(doc.answer.status),
  credential,
  notes,
];

const credentialOf = (route: Route): string =>
  route.sandboxOnly ? 'sandbox' : route.tokenOnly ? 'access token' : 'key or token';

const notesOn = (route: Route): string =>
  [...(route.keyed ? ['key'] : []), ...(route.needsActivePartner ? ['active'] : []), code(route.needs)].join(
    ', ',
  );
