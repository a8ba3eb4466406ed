/** Every kind of event: when it is sent, and what its `data` carries. */
import { EVENT_KINDS, SUBSCRIBABLE_KINDS } from '../../src/domain/events';
import { EVENT_DOCS, TEST_EVENT } from '../../src/wire/event-payloads';
import { code, codes, table } from './table';

/** Everything that is delivered. */
const KINDS = [...EVENT_KINDS, TEST_EVENT] as const;

export function eventsPage(): string {
  const rows = KINDS.map((kind) => [code(kind), EVENT_DOCS[kind].when]);
  const payloads = KINDS.flatMap((kind) =>
    EVENT_DOCS[kind].payloads.map((payload) => [
      code(kind),
      payload.meta()?.id ?? '',
      codes(Object.keys(payload.shape)),
    ]),
  );
  const others = SUBSCRIBABLE_KINDS.filter((kind) => !(EVENT_KINDS as readonly string[]).includes(kind));
  return `# Events

${table(['Kind', 'Sent when'], rows)}

${codes(others)} can be subscribed to as well: P2P and bank transfers under the quickstart's names.
A delivery is \`{"event", "data", "timestamp", "webhook_id"}\`; [Verify a webhook](../how-to/verify-a-webhook.md) tells how it is signed
and repeated. Schemas and examples are in the OpenAPI document.

## Fields of \`data\`

${table(['Kind', 'Schema', 'Fields'], payloads)}`;
}
