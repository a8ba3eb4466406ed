/** Serves the pages, guides and documents. On a local sandbox the key of its partner is filled in. */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Config } from '../../runtime/config';
import { isLocal } from '../local';
import type { Answer } from '../route';
import type { writeSite as WriteSite } from './files';
import { fileNameOf, SITE_PATHS, typeOf } from './paths';

interface Site {
  config: Config;
  /** Sends an answer of the API, with the headers of all answers. */
  send: (response: Response, answer: Answer) => void;
  /** Sets the headers of all answers where Express answers by itself. */
  headFirst: RequestHandler;
  /** Refuses every parameter of a query. */
  withoutQuery: RequestHandler;
  /** Answers other methods than GET and HEAD. */
  methodsOf: (methods: readonly string[], path: string) => (request: Request, response: Response) => void;
}

/** A page changes with the next version at most; a browser then asks whether it has changed. */
const FRESH_MS = 600_000;

const SERVED: ReadonlySet<string> = new Set(SITE_PATHS);
/** What lies below these is looked for further on, and refuses a query as well. */
const BELOW = /^\/(?:docs|guides)(?:\/|$)/;

/**
 * Adds them, in one step: with a step for each of them, every call of a partner would go past all. A production process has no key
 * file: the configuration refuses one.
 */
export function addSite(app: Express, { config, send, headFirst, withoutQuery, methodsOf }: Site): void {
  app.use((request, response, next) => {
    const path = request.path.replace(/(?<=.)\/$/, '');
    if (!SERVED.has(path) && !BELOW.test(path)) {
      next();
      return;
    }
    void withoutQuery(request, response, () => {
      if (!SERVED.has(path)) next();
      else if (request.method === 'GET' || request.method === 'HEAD')
        void headFirst(request, response, () => sendFile(path, request, response));
      else methodsOf(['GET'], path)(request, response);
    });
  });
  app.get('/', (request, response, next) => {
    response.setHeader('Vary', 'Accept');
    // A program that takes everything gets the refusal that it always got.
    if (request.accepts(['json', 'html']) !== 'html') next();
    else void headFirst(request, response, () => sendFile('/', request, response));
  });
  const { DOCS_KEY_FILE } = config;
  app.get('/docs/key.json', (request, response) => {
    const key = DOCS_KEY_FILE !== undefined && isLocal(request) ? keyIn(DOCS_KEY_FILE) : null;
    response.setHeader('Cache-Control', 'no-store');
    send(response, { status: 200, body: JSON.stringify({ key }) });
  });
}

const PACKED = { br: 'br', gzip: 'gz' } as const;

function sendFile(path: string, request: Request, response: Response): void {
  const encoding = request.acceptsEncodings(['br', 'gzip', 'identity']);
  const packed = encoding === 'br' || encoding === 'gzip' ? encoding : null;
  response.vary('Accept-Encoding').type(typeOf(path));
  if (packed) response.setHeader('Content-Encoding', packed);
  const name = packed ? `${fileNameOf(path)}.${PACKED[packed]}` : fileNameOf(path);
  response.sendFile(name, { root: folder(), maxAge: FRESH_MS });
}

/** Beside the rooms of the build. */
const BUILT = join(__dirname, '..', '..', '..', 'site');
let made: string | undefined;

/** Without a build, as in tests of the sources, they are made now. */
function folder(): string {
  if (!__filename.endsWith('.ts')) return BUILT;
  if (made === undefined || !existsSync(made)) {
    made = mkdtempSync(join(tmpdir(), 'partner-wallet-site-'));
    // It is loaded here and not above, so that no process of the build loads what makes them.
    // oxlint-disable-next-line typescript/no-require-imports
    const { writeSite } = require('./files') as { writeSite: typeof WriteSite };
    writeSite(join(__dirname, '..', '..', '..'), made);
  }
  return made;
}

const fileSchema = z.object({ sandbox_key: z.string() });

/** `npm start` writes the file only when the sandbox runs, so the file is read for each request. */
function keyIn(file: string): string | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).sandbox_key;
  } catch {
    return null;
  }
}
