/**
 * `npm run bench:build`: compiles the programs together with the benches, the faults, the rehearsal and the clients, which
 * takes as long as the programs alone.
 */
import { BUILDS, build } from './build-if-stale.mjs';

build(BUILDS.benches);
