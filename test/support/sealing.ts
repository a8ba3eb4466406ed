/** The seals of both environments, as the platforms and the cells of the tests have them. */
import { createSealing } from '../../src/secrets/sealing';
import { TEST_SECRETS } from './settings';

export const TEST_SEALING = createSealing(TEST_SECRETS.DATA_KEY_SANDBOX);
export const TEST_SEALING_OF_LIVE = createSealing(TEST_SECRETS.DATA_KEY_LIVE);
