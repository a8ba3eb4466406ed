/** The histories of workflows that get provider callbacks, and of workflows that Schedules start. */
import { callbackBody, sendCallback } from './callbacks';
import type { Calls } from './calls';
import { keepHistory } from './histories';
import type { Platform } from './platform';
import { until } from './until';

export async function keepRailHistories(
  platform: Platform,
  partner: Calls,
  walletId: string,
  url: string,
): Promise<void> {
  const { operator } = platform;
  const ended = async (workflowId: string) => {
    const handle = operator.workflow.getHandle(workflowId);
    await until(`the workflow ${workflowId}`, () => handle.describe().catch(() => undefined));
    await handle.result();
    return handle;
  };
  const keep = async (name: string, workflowId: string): Promise<void> => {
    keepHistory(name, await (await ended(workflowId)).fetchHistory());
  };
  const send = async (accountNumber: string, headers = {}): Promise<string> =>
    (await partner.bankTransfer(walletId, { accountNumber }, headers)).reply.body.data.id;

  const held = await send('0123456789', { 'X-Sandbox-Hold': 'true' });
  const handle = operator.workflow.getHandle(`bank-transfer/${held}`);
  for (let told = 1; told <= 2; told++) {
    await sendCallback(url, callbackBody(held));
    await until('the question to the provider', async () => {
      const { events } = await handle.fetchHistory().catch(() => ({ events: [] }));
      return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length === told;
    });
  }
  await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: held });
  await keep('bank-transfer-called-back', `bank-transfer/${held}`);

  for (const [name, account] of Object.entries({ taken: '0123450505', 'not-confirmed': '0123456789' })) {
    const id = await send(account);
    await ended(`bank-transfer/${id}`);
    if (name !== 'taken') await sendCallback(url, callbackBody(id, { outcome: 'reversed' }));
    await keep(`bank-return-${name}`, `bank-return/${id}`);
    if (name === 'taken') await keep('simulator-callback-sent', `simulator-callback/${id}`);
  }

  for (const type of ['reconcile', 'retention']) {
    await until(`a run of ${type}`, async () => {
      const query = `WorkflowType='${type}' AND ExecutionStatus='Completed'`;
      for await (const { workflowId, runId } of operator.workflow.list({ query })) {
        keepHistory(type, await operator.workflow.getHandle(workflowId, runId).fetchHistory());
        return true;
      }
      return false;
    });
  }
}
