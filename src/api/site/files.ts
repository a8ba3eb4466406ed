/**
 * All files that the API serves to readers: documents, pages, guides. `npm run build` writes them down, each also packed by
 * Brotli and by gzip: to make and to pack them takes a second, which a process that serves payments has better uses for.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { documentText } from '../openapi/document';
import { referenceText } from '../openapi/reference';
import { guideGroups, guidesIndex } from './guide-pages';
import { llmsText } from './llms';
import { STYLES } from './layout';
import { REFERENCE_PAGE, REFERENCE_SCRIPT, REFERENCE_STYLES } from './reference-page';
import { FRONT_PAGE } from './front-page';
import { fileNameOf, SWAGGER_FILES } from './paths';

/** @param root the folder of the project. @returns each file by its path on the site; `/` is that of the front page. */
function siteFiles(root: string): Map<string, string | Buffer> {
  const groups = guideGroups(root);
  const guides = groups.flatMap(({ pages }) => pages);
  const swagger = dirname(require.resolve('swagger-ui-dist/package.json'));
  return new Map<string, string | Buffer>([
    ['/', FRONT_PAGE],
    ['/openapi.json', documentText()],
    ['/openapi.reference.json', referenceText()],
    ['/postman.json', readFileSync(join(root, 'docs/postman.json'), 'utf8')],
    ['/llms.txt', llmsText(groups)],
    ['/docs', REFERENCE_PAGE],
    ['/docs/site.css', STYLES],
    ['/docs/reference.css', REFERENCE_STYLES],
    ['/docs/init.js', REFERENCE_SCRIPT],
    ...SWAGGER_FILES.map((file) => [`/docs/${file}`, readFileSync(join(swagger, file))] as const),
    ['/guides', guidesIndex(groups)],
    ...guides.map(({ slug, html }) => [`/guides/${slug}`, html] as const),
    ...guides.map(({ slug, markdown }) => [`/guides/${slug}.md`, markdown] as const),
  ]);
}

/** Writes them into a folder, where `serve.ts` finds them. A second call writes the same. */
export function writeSite(root: string, folder: string): void {
  for (const [path, body] of siteFiles(root)) {
    const file = join(folder, fileNameOf(path));
    const bytes = Buffer.from(body);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 9,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    );
    writeFileSync(`${file}.gz`, gzipSync(bytes));
  }
}
