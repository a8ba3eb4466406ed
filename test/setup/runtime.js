/**
 * Loads packages once per process of Jest, and our own modules anew for every file. Jest would load every package for
 * every file again, which took most of the time of a file of the API: two seconds of it, where less than one is
 * enough. It needs one JavaScript realm for files and packages (`environment.ts`).
 */
const { createRequire, isBuiltin } = require('node:module');
const { default: Runtime } = require('jest-runtime');

/** Built-in modules and the framework itself stay with Jest. */
const isPackage = (name) => !/^[./]/.test(name) && !name.startsWith('@jest/') && !isBuiltin(name);

module.exports = class extends Runtime {
  requireModuleOrMock(from, name) {
    return isPackage(name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};
