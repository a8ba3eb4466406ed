/** Temporal as an operator sees it. A wait that fails shows what this client read last of the workflow. */
import { Client, type Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { NAMESPACES } from '../setup/cells';
import { summaryOf } from '../setup/temporal-report';
import { sighted } from './until';

const told: WorkflowClientInterceptor = {
  async describe(input, next) {
    const described = await next(input);
    sighted(`workflow ${input.workflowExecution.workflowId}`, summaryOf(described));
    return described;
  },
  async query(input, next) {
    const answer = await next(input);
    sighted(`query ${input.queryType} of ${input.workflowExecution.workflowId}`, answer);
    return answer;
  },
};

/** A client for the sandbox's namespace. */
export function openOperatorClient(connection: Connection): Client {
  const [namespace = ''] = NAMESPACES;
  return new Client({ connection, namespace, interceptors: { workflow: [told] } });
}
