/** The guides that the API serves to partners: pages of `docs`, which say the same there. What only operators need is not here. */

export interface Guide {
  /** In its address: `/guides/tutorial`. */
  slug: string;
  /** In the project. */
  file: string;
}

export const GUIDES: readonly { group: string; guides: readonly Guide[] }[] = [
  {
    group: 'Begin',
    guides: [
      { slug: 'tutorial', file: 'docs/tutorial.md' },
      { slug: 'use-the-command-line', file: 'docs/how-to/use-the-command-line.md' },
      { slug: 'send-requests-by-hand', file: 'docs/how-to/send-requests-by-hand.md' },
    ],
  },
  {
    group: 'Build',
    guides: [
      { slug: 'sdk', file: 'sdk/README.md' },
      { slug: 'use-from-python', file: 'docs/how-to/use-from-python.md' },
      { slug: 'use-from-go', file: 'docs/how-to/use-from-go.md' },
      { slug: 'use-from-php', file: 'docs/how-to/use-from-php.md' },
      { slug: 'verify-a-webhook', file: 'docs/how-to/verify-a-webhook.md' },
      { slug: 'manage-people', file: 'docs/how-to/manage-people.md' },
      { slug: 'follow-a-request', file: 'docs/how-to/follow-a-request.md' },
    ],
  },
  {
    group: 'Look up',
    guides: [
      { slug: 'operations', file: 'docs/reference/operations.md' },
      { slug: 'errors', file: 'docs/reference/errors.md' },
      { slug: 'events', file: 'docs/reference/events.md' },
      { slug: 'states', file: 'docs/reference/states.md' },
      { slug: 'transactions', file: 'docs/reference/transactions.md' },
      { slug: 'limits', file: 'docs/reference/limits.md' },
      { slug: 'glossary', file: 'docs/glossary.md' },
    ],
  },
];

export const ALL_GUIDES: readonly Guide[] = GUIDES.flatMap(({ guides }) => guides);
