/** What somebody else has submitted under the address of a company lets nobody act, and goes once the company proves it. */
import { complianceOf, NOTHING_SUBMITTED, review, submit, submitAll } from '../support/compliance';
import { openCalls, type Calls } from '../support/calls';
import { approvedBy, type TestOperator } from '../support/operators';
import { mailedToken, newEmail, PASSWORD } from '../support/people';
import { send } from '../support/send';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';

const OTHER_PASSWORD = 'a quite different horse';
let platform: SharedPlatform;
let [one, other]: TestOperator[] = [];

beforeAll(async () => {
  platform = await sharedPlatform();
  [one, other] = [await platform.openOperator(), await platform.openOperator()];
});
afterAll(() => platform.close());

const post = (path: string, body: object) => send(platform.url + path, 'POST', { body });
const tokenOf = (kind: string, email: string) =>
  until(`the mail ${kind}`, () => mailedToken(platform as never, kind, email));

async function register(): Promise<{ email: string; partnerId: string }> {
  const email = newEmail();
  const company = { business_name: 'The Company', email, phone: '+2348012345678', password: PASSWORD };
  return { email, partnerId: (await post('/v1/auth/register', company)).body.data.id };
}
async function signIn(
  { email, partnerId }: { email: string; partnerId: string },
  environment: string,
  password = PASSWORD,
): Promise<Calls> {
  const { body } = await post('/v1/auth/login', { email, password, environment });
  return openCalls(partnerId, body.data.access_token, platform.url);
}
const decide = (partnerId: string, decision: string, environment = 'live') =>
  one!.post(`/ops/${environment}/partners/${partnerId}/compliance/${decision}`, {});
const statusOf = async (partnerId: string): Promise<string> =>
  (await platform.sql('SELECT status FROM platform.partners WHERE id = $1', [partnerId]))[0]?.['status'];
const stateOf = (partnerId: string) =>
  platform.operator.workflow.getHandle(`kyb/${partnerId}`).query('state');
const UNPROVED = { status: 403, body: { error: 'FORBIDDEN', detail: { reason: 'email_unconfirmed' } } };

test('the reset by mail takes the record of a thief back in both environments, and the company submits its own', async () => {
  const thief = await register();
  const { email, partnerId } = thief;
  const [sandbox, live] = [await signIn(thief, 'sandbox'), await signIn(thief, 'live')];
  await submitAll(sandbox);
  await review(sandbox, 'approve');
  await submitAll(live);
  await until('the review', async () => (await statusOf(partnerId)) === 'pending_review');
  expect((await decide(partnerId, 'claim')).status).toBe(200);
  expect(await decide(partnerId, 'approve')).toMatchObject(UNPROVED);

  await post('/v1/auth/password/forgotten', { email });
  const token = await tokenOf('reset_password', email);
  expect((await post('/v1/auth/password/reset', { token, new_password: OTHER_PASSWORD })).status).toBe(204);
  await until('the end of what is theirs', async () => {
    const left = await platform.sql('SELECT FROM platform.endpoint_endings WHERE partner_id = $1', [
      partnerId,
    ]);
    return left.length === 0;
  });
  await until('the status to follow', async () => (await statusOf(partnerId)) === 'registered');
  for (const environment of ['sandbox', 'live']) {
    const company = await signIn(thief, environment, OTHER_PASSWORD);
    expect(await complianceOf(company)).toEqual(NOTHING_SUBMITTED);
  }
  expect(await stateOf(partnerId)).toBe('incomplete');
  expect(await decide(partnerId, 'approve')).toMatchObject({
    status: 422,
    body: { error: 'INVALID_COMPLIANCE_STATE' },
  });

  const company = await signIn(thief, 'live', OTHER_PASSWORD);
  await submit(company, 'use-case');
  expect(await complianceOf(company)).toMatchObject({
    overall_status: 'incomplete',
    steps: { business_info: false, directors: false, agreements: false, use_case: true },
  });
  await submitAll(company);
  const proposed = await decide(partnerId, 'approve');
  expect(await approvedBy(proposed, other!)).toMatchObject({ status: 200 });
  await until('an active partner', async () => (await statusOf(partnerId)) === 'active');
});

test('a record that was proposed for approval is refused at the second step where the mailbox is not proved', async () => {
  const thief = await register();
  const { partnerId } = thief;
  const live = await signIn(thief, 'live');
  await submitAll(live);
  const prove = (at: string) =>
    platform.sql(`UPDATE platform.partners SET email_confirmed_at = ${at} WHERE id = $1`, [partnerId]);
  await prove('now()');
  const proposed = await decide(partnerId, 'approve');
  expect(proposed.status).toBe(202);
  await prove('NULL');
  expect(await approvedBy(proposed, other!)).toMatchObject(UNPROVED);
  expect(await complianceOf(live)).toMatchObject({ overall_status: 'submitted' });
});

test('a company that confirms with its password keeps what it has submitted', async () => {
  const company = await register();
  const live = await signIn(company, 'live');
  await submitAll(live);
  const token = await tokenOf('confirm_email', company.email);
  expect((await post('/v1/auth/email/confirm', { token, password: PASSWORD })).status).toBe(200);
  expect(await complianceOf(live)).toMatchObject({ overall_status: 'submitted' });
  expect((await decide(company.partnerId, 'approve')).status).toBe(202);
});
