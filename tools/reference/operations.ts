/** Every operation of the interface, by section. */
import { HEALTH_DOC, HEALTH_PATHS } from '../../src/api/routes/health';
import { templateOf } from '../../src/api/openapi/operations';
import { OPEN_ROUTES, ROUTES } from '../../src/api/routes';
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
    'means that an `Idempotency-Key` counts, _active_ that in live the partner must be active.';
  return ['# Operations', intro, ...tables].join('\n\n');
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
  [...(route.keyed ? ['key'] : []), ...(route.needsActivePartner ? ['active'] : [])].join(', ');
