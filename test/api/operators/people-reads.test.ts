/** How often one person reads people's data in an hour, whoever they are and whatever they say. */
import { newOwner, switchCodesOn } from '../../support/people';
import { apiForFile } from '../../support/scene';
import type { TestOperator } from '../../support/operators';

const PER_HOUR = 3;
const { world, api } = apiForFile({ OPERATOR_PEOPLE_READS_PER_HOUR: String(PER_HOUR) });

const contactOf = (id: string): string => `/ops/partners/${id}/contact?reason=Complaint%2017`;
const trailOf = async ({ name }: TestOperator) =>
  (
    await world.sql(
      'SELECT action, phase, detail FROM platform.audit WHERE operator_name = $1 ORDER BY sequence DESC LIMIT 1',
      [name],
    )
  )[0];

test.each(['operator', 'viewer'] as const)(
  'an %s reads three times, is refused the fourth, and reads again in the next hour',
  async (role) => {
    await api.operator();
    const [reader, { id }] = [await api.operator(role), await api.partner()];
    for (let n = 0; n < PER_HOUR; n += 1) expect((await reader.get(contactOf(id))).status).toBe(200);
    const refused = await reader.get(contactOf(id));
    expect(refused).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMIT_EXCEEDED', meta: { request_id: expect.any(String) } },
    });
    const seconds = Number(refused.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect(refused.text).not.toContain('@');
    expect(await trailOf(reader)).toMatchObject({ action: 'showContact', phase: 'refused' });
    // What shows nobody goes on.
    expect((await reader.get(`/ops/partners/${id}`)).status).toBe(200);
    await world.sql(
      `UPDATE platform.people_reads SET hour = hour - interval '1 hour' WHERE operator_id = $1`,
      [reader.id],
    );
    expect((await reader.get(contactOf(id))).status).toBe(200);
  },
);

test('twenty at once are counted one by one', async () => {
  const [reader, { id }] = [await api.operator(), await api.partner()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => reader.get(contactOf(id))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(PER_HOUR);
});

test('a decision whose answer is the whole record counts like a look at it', async () => {
  const [reader, { id }] = [await api.operator(), await api.partner()];
  for (let n = 0; n < PER_HOUR; n += 1) await reader.get(contactOf(id));
  const claimed = await reader.post(`/ops/sandbox/partners/${id}/compliance/claim`, {});
  expect(claimed).toMatchObject({ status: 429, body: { error: 'RATE_LIMIT_EXCEEDED' } });
});

test('a reviewer sees who signs in for the company, and since when its address is proved', async () => {
  const reader = await api.operator();
  const owner = await newOwner(api, world);
  await switchCodesOn(api, owner);
  const path = `/ops/sandbox/partners/${owner.partnerId}/compliance?reason=Review%20of%20the%20record`;
  const { data } = (await reader.get(path)).body;
  expect(data).toMatchObject({
    email_confirmed_at: null,
    users: [
      {
        email: owner.email,
        role: 'owner',
        email_confirmed_at: null,
        one_time_codes_since: expect.stringMatching(/Z$/),
      },
    ],
  });
});
