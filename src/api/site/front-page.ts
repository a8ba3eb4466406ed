/** `/` for a browser: where everything is. */
import { NAME, page } from './layout';

const DOORS = [
  ['/guides/tutorial', 'Begin', 'From nothing to a paid transfer and a webhook, in half an hour.'],
  [
    '/docs',
    'Reference',
    'Every operation with its answers, and code in four languages. Try it with a sandbox key.',
  ],
  ['/guides', 'Guides', 'The SDK, the command line, Python, Go, PHP, webhooks, people and their rights.'],
  ['/openapi.reference.json', 'OpenAPI', 'The document that clients are made from.'],
  ['/postman.json', 'Postman', 'Every operation, and whole scenarios that run.'],
  ['/llms.txt', 'For programs that read', 'All of it as Markdown, for assistants and agents.'],
  ['/health', 'Health', 'Whether the service works now, as JSON.'],
] as const;

export const FRONT_PAGE = page({
  title: 'Wallets for your customers',
  body: `<main><h1>${NAME}</h1>
<p class="lead">Wallets with a Nigerian bank account number, money between them and out to any bank, and signed events about all
of it. This is the API; its calls begin at <code>/v1</code>.</p>
<ul class="doors">${DOORS.map(([path, name, about]) => `<li><a href="${path}">${name}</a><p>${about}</p></li>`).join('')}</ul></main>`,
});
