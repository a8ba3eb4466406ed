/** `/llms.txt`: what there is to read, for programs that read it (llmstxt.org). */
import type { GuideGroup } from './guide-pages';
import { NAME } from './layout';

export function llmsText(groups: readonly GuideGroup[]): string {
  const lists = groups.map(({ group, pages }) => {
    const lines = pages.map(({ slug, title, about }) => `- [${title}](/guides/${slug}.md): ${about}`);
    return [`## ${group}`, '', ...lines].join('\n');
  });
  return `${[
    `# ${NAME}`,
    '> Wallets with a Nigerian bank account number, money between them and out to any bank, and signed events about all of it. ' +
      'Amounts are integers in kobo. A sandbox key begins with `sk_test_`, and no money moves with it.',
    ...lists,
    [
      '## Documents',
      '',
      '- [OpenAPI](/openapi.reference.json): every operation in the reference form, with examples and code in four languages',
      '- [Postman](/postman.json): every operation, and scenarios that run',
    ].join('\n'),
  ].join('\n\n')}\n`;
}
