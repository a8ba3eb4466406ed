/** Every kind of event: when it is sent, and what its `data` carries. */
import { EVENT_KINDS, SUBSCRIBABLE_KINDS } from '../../domain/events';
import { EVENT_DOCS } from '../../wire/event-payloads';
import { code, codes, table } from './table';

export function eventsPage(): string {
  const rows = EVENT_KINDS.map((kind) => {
    const doc = EVENT_DOCS[kind];
    return [code(kind), doc?.when ?? 'not sent yet'];
  });
  const payloads = EVENT_KINDS.flatMap((kind) =>
    (EVENT_DOCS[kind]?.payloads ?? []).map((payload) => [
      code(kind),
      payload.meta()?.id ?? '',
      codes(Object.keys(payload.shape)),
    ]),
  );
  const others = SUBSCRIBABLE_KINDS.filter((kind) => !(EVENT_KINDS as readonly string[]).includes(kind));
  return `# Events

${table(['Kind', 'Sent when'], rows)}

${codes(others)} can be subscribed to as well: P2P and bank transfers under the quickstart's names.
A delivery is \`{"event", "data", "timestamp", "webhook_id"}\`; [webhooks.md](../webhooks.md) tells how it is signed
and repeated. Schemas and examples are in the OpenAPI document.

## Fields of \`data\`

${table(['Kind', 'Schema', 'Fields'], payloads)}`;
}
