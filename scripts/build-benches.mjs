/** `npm run bench:build`: compiles the programs together with the benches, which takes as long as the programs alone. */
import { build } from './build-if-stale.mjs';

build('tsconfig.bench.json');
