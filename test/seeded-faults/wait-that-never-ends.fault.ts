/** The test waits for a workflow whose activity fails again and again. */
import { withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';

let platform: Platform;
beforeAll(async () => (platform = await openPlatform()));
afterAll(() => platform.close());

it('completes the workflow of a wallet', async () => {
  const issue = () => Promise.reject(new Error('the seeded bank is closed'));
  const worker = platform.startWorker((environment) =>
    withFake(environment, () => ({ name: 'closed-bank', accounts: { issue } })),
  );
  const [url] = await Promise.all([platform.startApi(), worker]);
  const partner = await platform.partner(url);
  const { body } = await partner.post('/v1/wallets', { user_ref: 'ada' });
  const workflow = platform.operator.workflow.getHandle(`wallet/${String(body.data.id)}`);
  const completed = async (): Promise<boolean> => {
    const described = await workflow.describe().catch(() => null);
    return described?.status.name === 'COMPLETED';
  };
  await until('the workflow has completed', completed, 8_000);
});
