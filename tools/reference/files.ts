/** Files in the repository that are made from the tables in the code. */
import { documentText } from '../../src/api/openapi/document';
import { referenceText } from '../../src/api/openapi/reference';
import { errorsPage } from './errors';
import { eventsPage } from './events';
import { httpFiles } from './http-files';
import { limitsPage } from './limits';
import { personalDataPage } from './personal-data';
import { operationsPage } from './operations';
import { postmanText } from './postman';
import { sdkOperations } from './sdk';
import { statesPage } from './states';
import { transactionsPage } from './transactions';

const MADE = '<!-- Made by `npm run reference` from the tables in the code: change those. -->';

const page = (text: string): string => `${MADE}\n\n${text}\n`;

/** What each file should hold, by its path in the project; a set is what one script writes. */
export const MADE_FILES = {
  openapi: { 'openapi.json': documentText, 'openapi.reference.json': referenceText },
  sdk: { 'sdk/src/operations.ts': sdkOperations },
  reference: {
    'docs/reference/operations.md': () => page(operationsPage()),
    'docs/reference/errors.md': () => page(errorsPage()),
    'docs/reference/transactions.md': () => page(transactionsPage()),
    'docs/reference/states.md': () => page(statesPage()),
    'docs/reference/events.md': () => page(eventsPage()),
    'docs/reference/limits.md': () => page(limitsPage()),
    'docs/reference/personal-data.md': () => page(personalDataPage()),
    'docs/postman.json': postmanText,
    ...httpFiles(),
  },
} as const satisfies Record<string, Record<string, () => string>>;
