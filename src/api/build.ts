/** A part of `npm run build`, after the compiler: writes down the pages and documents that the API serves. */
import { join } from 'node:path';
import { writeSite } from './site/files';

const BUILD = join(__dirname, '..', '..');

writeSite(join(BUILD, '..'), join(BUILD, 'site'));
