/**
 * `/mails`: the mails of the local sandbox as a page, the newest first. They carry tokens, so the page is there only for a
 * person at this machine, and only where mails are kept in a folder.
 */
import type { Express } from 'express';
import { readMailFolder } from '../providers/mails/folder';
import type { Config } from '../runtime/config';
import { escaped } from '../wire/mails';
import { isLocal } from './local';
import type { Answer } from './route';

/** As many as fit on a page that somebody reads. */
const SHOWN_MAX = 100;

const pageOf = (mails: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="5" />
    <title>Mails of the local sandbox</title>
    <style>
      body { font-family: sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
      pre { background: #f4f4f4; border-radius: 4px; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere }
    </style>
  </head>
  <body>
    <h1>Mails of the local sandbox</h1>
    <p>${mails.length === 0 ? 'There is no mail yet. A registration sends one.' : 'The newest mail comes first.'}</p>
${mails.map((mail) => `    <pre>${escaped(mail)}</pre>`).join('\n')}
  </body>
</html>
`;

/** Adds the page. A production process has no such folder: the configuration refuses one. */
export function addMails(
  app: Express,
  { MAIL_FOLDER: folder }: Config,
  send: (response: Parameters<Parameters<Express['get']>[1]>[1], answer: Answer) => void,
): void {
  if (folder === undefined) return;
  app.get('/mails', (request, response, next) => {
    if (!isLocal(request)) {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    send(response, {
      status: 200,
      body: pageOf(readMailFolder(folder, SHOWN_MAX)),
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
    });
  });
}
