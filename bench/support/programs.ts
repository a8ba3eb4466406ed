/** The programs that are measured, as they were built. */
export const API = 'dist/src/api/main.js';
export const USUAL_DESIGN = 'dist/bench/yardsticks/usual-design/main.js';
