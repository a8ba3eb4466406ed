/**
 * Fails when a package's optional programs for other platforms are missing from package-lock.json. npm leaves them
 * out silently when it cannot get all of them, and then the install fails on other machines.
 */
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const locked = new Set(Object.keys(packages).map((path) => path.split('node_modules/').pop()));

const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.keys(optionalDependencies)
    .filter((name) => !locked.has(name))
    .map((name) => `${path}: ${name}`),
);
for (const line of missing) console.error(`missing from package-lock.json: ${line}`);
if (missing.length > 0) process.exit(1);
console.log(`package-lock.json is complete: ${String(locked.size)} packages`);
