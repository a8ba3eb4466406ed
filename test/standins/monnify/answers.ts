/** The two forms of an answer of Monnify. */
import type { Answer } from '../kit';

export const ok = (responseBody: object): Answer => ({
  status: 200,
  body: { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody },
});

export const refusal = (status: number, responseCode: string, responseMessage: string): Answer => ({
  status,
  body: { requestSuccessful: false, responseMessage, responseCode },
});
