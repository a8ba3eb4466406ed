/** The programs that are measured, as they were built. */
export const API = 'dist/src/api/main.js';
export const USUAL_DESIGN = 'dist/bench/yardsticks/usual-design/main.js';
export const WORKER = 'dist/src/worker/main.js';
export const RECEIVERS = 'dist/bench/programs/receivers.js';
export const BARE_WEBHOOKS = 'dist/bench/yardsticks/bare-webhooks/main.js';
export const BARE_WORKER = 'dist/bench/yardsticks/bare-worker/main.js';
