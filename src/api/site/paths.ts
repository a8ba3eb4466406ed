/** The addresses of what is served to readers. */
import { ALL_GUIDES } from './guides';

/** Of the package of Swagger UI. */
export const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** Documents for programs, which `/` does not need a browser for. */
const DOCUMENT_PATHS = ['/openapi.json', '/openapi.reference.json', '/postman.json', '/llms.txt'] as const;

/** Everything but `/`, which answers programs too. */
export const SITE_PATHS: readonly string[] = [
  ...DOCUMENT_PATHS,
  '/docs',
  '/docs/site.css',
  '/docs/reference.css',
  '/docs/init.js',
  ...SWAGGER_FILES.map((file) => `/docs/${file}`),
  '/guides',
  ...ALL_GUIDES.flatMap(({ slug }) => [`/guides/${slug}`, `/guides/${slug}.md`]),
];

/** In the folder of the files, flat, so that `/docs` and what lies below it can both be files. */
export const fileNameOf = (path: string): string =>
  path === '/' ? 'index' : path.slice(1).replaceAll('/', '__');

export function typeOf(path: string): string {
  const suffix = /\.(\w+)$/.exec(path)?.[1] ?? 'html';
  return TYPES[suffix] ?? TYPES['html'] ?? '';
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
};
