/**
 * `/docs`: the OpenAPI document as pages to read and to try. All files come from this server. On a local sandbox
 * the key of its partner is filled in.
 */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Express } from 'express';
import { z } from 'zod';
import type { Config } from '../runtime/config';
import { isLocal } from './local';
import type { Answer } from './route';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Partner wallets and payments: reference</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/init.js"></script>
  </body>
</html>
`;

/** `validatorUrl` is null, because the badge of the validator would send a request to another site. */
const INIT = `const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  validatorUrl: null,
  async onComplete() {
    const { key } = await (await fetch('/docs/key.json')).json();
    if (key !== null) ui.preauthorizeApiKey('apiKey', key);
  },
});
`;

const PACKAGE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const DAY_MS = 86_400_000;

type Send = (response: Parameters<Parameters<Express['get']>[1]>[1], answer: Answer) => void;

const text = (type: string, body: string): Answer => ({
  status: 200,
  body,
  headers: { 'Content-Type': `${type}; charset=utf-8` },
});

/** Adds the pages. A production process has no key file: the configuration refuses one. */
export function addDocs(app: Express, { DOCS_KEY_FILE }: Config, send: Send): void {
  const root = dirname(require.resolve('swagger-ui-dist/package.json'));
  app.get('/docs', (_request, response) => send(response, text('text/html', PAGE)));
  app.get('/docs/init.js', (_request, response) => send(response, text('text/javascript', INIT)));
  app.get('/docs/key.json', (request, response) => {
    const key = DOCS_KEY_FILE !== undefined && isLocal(request) ? keyIn(DOCS_KEY_FILE) : null;
    response.setHeader('Cache-Control', 'no-store');
    send(response, { status: 200, body: JSON.stringify({ key }) });
  });
  for (const file of PACKAGE_FILES) {
    app.get(`/docs/${file}`, (_request, response) => response.sendFile(file, { root, maxAge: DAY_MS }));
  }
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
