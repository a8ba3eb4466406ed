/** Where test partners live: the last of TEST_CELLS cells, one unless it is set (`TEST_CELLS=2 npm test`). */
import { readStartConfig } from '../../src/runtime/config';
import { cellNames } from '../../src/db/pg/schema';

export const { TEST_CELLS } = readStartConfig();
export const SANDBOX_CELL = cellNames('sandbox', TEST_CELLS).at(-1) ?? '';
/** The Temporal namespaces of the two environments. */
export const NAMESPACES = ['wallet-sandbox', 'wallet-live'];
export const LIVE_CELL = cellNames('live', TEST_CELLS).at(-1) ?? '';
/** The first cells have what belongs to no partner: our own books, findings about companies, callbacks about nobody's transfer. */
export const [FIRST_SANDBOX_CELL = ''] = cellNames('sandbox', TEST_CELLS);
export const [FIRST_LIVE_CELL = ''] = cellNames('live', TEST_CELLS);
