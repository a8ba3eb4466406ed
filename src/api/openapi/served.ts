/**
 * The documents as the API serves them. `npm run build` writes them down: to make them takes half a second and 20 MB, which a
 * process that serves payments has better uses for.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import type { documentText as DocumentText } from './document';
import type { referenceText as ReferenceText } from './reference';

export const DOCUMENT_PATHS = ['/openapi.json', '/openapi.reference.json'] as const;
type DocumentPath = (typeof DOCUMENT_PATHS)[number];

/** Beside the rooms of the build. */
const fileOf = (path: DocumentPath): string => join(__dirname, '..', '..', path);

/** The text of a document. Without a build, as in tests of the sources, it is made now. */
export const servedText = async (path: DocumentPath): Promise<string> =>
  __filename.endsWith('.ts') ? madeText(path) : readFile(fileOf(path), 'utf8');

/** Writes the documents into the build. A second call writes the same. */
export function writeDocuments(): void {
  for (const path of DOCUMENT_PATHS) writeFileSync(fileOf(path), madeText(path));
}

function madeText(path: DocumentPath): string {
  // They are loaded here and not above, so that no process of the build loads what makes them.
  if (path === '/openapi.json') {
    // oxlint-disable-next-line typescript/no-require-imports
    return (require('./document') as { documentText: typeof DocumentText }).documentText();
  }
  // oxlint-disable-next-line typescript/no-require-imports
  return (require('./reference') as { referenceText: typeof ReferenceText }).referenceText();
}
