/** Runs before a program on standby, and before each of its threads, which run workflows: takes its modules from its pack. */
import { basename, dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { endPack, usePack } from './pack';

usePack(isMainThread ? basename(dirname(process.argv[2] ?? '')) : 'workflows');
// A thread loads all at once. A program ends its pack when it is idle.
if (!isMainThread) setImmediate(endPack);
