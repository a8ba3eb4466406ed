#!/usr/bin/env node
/** `npx wallet`: builds when the build is of other sources, then runs the command line for partners' programmers. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from '../scripts/build-if-stale.mjs';

// This goes to standard error, because another program may read what the command prints.
buildIfStale(() => console.error('building'));
await import(pathToFileURL(join(root, 'dist', 'cli', 'main.js')).href);
