/** The intention to start a workflow, committed together with the resource that the workflow will finish. */
export interface Intention {
  /** `<kind>/<resource id>`: a second start under the same id is harmless. */
  workflowId: string;
  workflowType: string;
  partnerId: string;
  resourceId: string;
  /** What an operator reads in the list of workflows. */
  title: string;
  /** The request that wanted it; absent where the platform itself or a late message starts the workflow. */
  requestId?: string | undefined;
  /** Ids and periods only: nothing secret ever enters a workflow's history. */
  input: Record<string, unknown>;
}
