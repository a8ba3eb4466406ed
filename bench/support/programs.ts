/** The programs that are measured, as they were built. */
const yardstick = (name: string): string => `dist/bench/yardsticks/${name}/main.js`;

export const API = 'dist/src/api/main.js';
/** What Node is told where production starts the API (decision 0039); the yardsticks are told it, too. */
export const API_OPTION = '--max-semi-space-size=32';
export const WORKER = 'dist/src/worker/main.js';
export const RECEIVERS = 'dist/bench/programs/receivers.js';
export const USUAL_DESIGN = yardstick('usual-design');
export const PREPARED = yardstick('prepared');
export const ONE_FUNCTION = yardstick('one-function');
export const MEMORY = yardstick('memory');
export const ONE_CALL = yardstick('one-call');
export const BARE_WEBHOOKS = yardstick('bare-webhooks');
export const BARE_WORKER = yardstick('bare-worker');
