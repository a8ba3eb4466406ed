/** Every code of a refusal: its statuses, its message, and the operations that can answer it. */
import { codesOf, codesOfOpen } from '../../src/api/openapi/responses';
import { OPEN_ROUTES, ROUTES } from '../../src/api/routes';
import { REFUSALS, type RefusalCode } from '../../src/domain/refusals';
import { UNAUTHENTICATED } from '../../src/wire/errors';
import { code, codes, table } from './table';

/** Answered before any operation is looked for. */
const EVERYWHERE: Partial<Record<RefusalCode, string>> = {
  METHOD_NOT_ALLOWED: 'every path, to other methods',
};

export function errorsPage(): string {
  const operations = [
    ...OPEN_ROUTES.map((route) => ({ name: route.operation, codes: codesOfOpen(route) })),
    ...ROUTES.map((route) => ({ name: route.operation, codes: codesOf(route) })),
  ];
  const total = new Set(operations.map(({ name }) => name)).size;
  const where = (refusal: RefusalCode): string => {
    const names = new Set(operations.filter((one) => one.codes.includes(refusal)).map(({ name }) => name));
    if (names.size > total / 2) return names.size === total ? 'all' : 'most';
    return EVERYWHERE[refusal] ?? codes([...names]);
  };
  const rows = (Object.keys(REFUSALS) as RefusalCode[]).map((refusal) => {
    const rule: { status: number; guideStatus?: number; message: string } = REFUSALS[refusal];
    const guide = rule.guideStatus === undefined ? '' : `${String(rule.guideStatus)} for P2P`;
    return [code(refusal), String(rule.status), guide, rule.message, where(refusal)];
  });
  return `# Errors

In the order in which they are looked for: of two that apply, the first is answered. The reference form is
\`{"error": code, "message", "detail"?, "meta"}\`, the guide form \`{"error": {"code", "message", "http_status",
"detail"?}, "meta"}\`. A \`detail\` may be absent. Messages are for people and may say more than here.

\`VALIDATION_ERROR\` names everything that is wrong with a request in \`detail.fields\`, each as \`{"field", "message"}\`
with the field as the caller wrote it (\`splits[1].amount\`), in the order of the schema; \`message\` is the first of
them. A request that is wrong as a whole, for example one that is not JSON, has no \`detail\`.

The message of \`INVALID_TOKEN\` says what is wrong with the credential:

${Object.values(UNAUTHENTICATED)
  .map((text) => `- ${text}.`)
  .join('\n')}

${table(['Code', 'HTTP status', 'Guide form', 'Message', 'Operations'], rows)}

400, 408 and 431 with the code \`VALIDATION_ERROR\` are answered to what is not an HTTP request as this server
accepts it; the connection ends with them.`;
}
