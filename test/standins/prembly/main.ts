/**
 * A fake of Prembly for tests and rehearsals: it is not Prembly, and knows nobody. A process of its own, written from
 * Prembly's public pages ("Response Codes and Verification Status", BVN, NIN). It speaks `POST /verification/bvn` and
 * `POST /verification/vnin`.
 *
 *     npx tsx test/standins/prembly/main.ts --folder <folder> [--port 0] [--control-port 0]
 *
 * `kit.ts` has its control port, and `state.ts` the settings.
 */
import { runFake, type Answer } from '../kit';
import { NEW_PREMBLY, type PremblyState } from './state';

const DETAILS: Record<string, string> = {
  '01': 'Record not found',
  '02': 'Verification cannot be completed by this time, kindly retry later',
  '03': 'Insufficient wallet balance',
  '07': 'Blocked/Watch listed',
};

function lookUp(state: PremblyState, kind: 'bvn' | 'nin', number: string): Answer {
  const { people, codes } = state.settings;
  const person = people[number];
  const code = codes[number] ?? (person ? '00' : '01');
  state.lookUps.push(number);
  const told = (status: string) => ({ status, reference: `ref-${state.lookUps.length}` });
  if (code !== '00' || !person) {
    const verification = code === '01' ? told('NOT-VERIFIED') : undefined;
    const body = {
      status: code !== '03',
      response_code: code,
      message: DETAILS[code] ?? 'Other',
      verification,
    };
    return { status: 200, body };
  }
  const { first, middle = '', last, watchListed = '' } = person;
  const whole = { status: true, detail: 'Verification Successful', response_code: '00' };
  const verification = told('VERIFIED');
  const base64Image = 'x'.repeat(300_000);
  return kind === 'bvn'
    ? {
        status: 200,
        body: {
          ...whole,
          verification,
          data: {
            bvn: number,
            firstName: first,
            middleName: middle,
            lastName: last,
            watchListed,
            base64Image,
          },
        },
      }
    : {
        status: 200,
        body: {
          ...whole,
          verification,
          nin_data: {
            nin: number,
            firstname: first,
            middlename: middle,
            surname: last,
            photo: base64Image,
          },
        },
      };
}

runFake(NEW_PREMBLY, (state, { called, headers, body }) => {
  if (headers['x-api-key'] !== state.settings.apiKey) {
    return { status: 401, body: { status: false, message: 'Invalid API key' } };
  }
  if (called === 'POST /verification/bvn') return lookUp(state, 'bvn', String(body['number']));
  if (called === 'POST /verification/vnin') return lookUp(state, 'nin', String(body['number_nin']));
  return { status: 404, body: { status: false, message: 'Not found' } };
});
