/**
 * `npm run build [-- <name>]`: compiles what production runs, and names the build. The commands of `npm run` believe it
 * until a source changes, so that afterwards the packages to build with need not stay installed (docs/install.md).
 */
import { BUILDS, build } from './build-if-stale.mjs';

build(BUILDS.server, process.argv[2]);
