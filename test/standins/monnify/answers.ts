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

/** A part of a list, as Monnify writes all of its lists. */
export function page<Item>(
  items: readonly Item[],
  [number, size]: readonly [number, number],
  write: (item: Item) => object,
): Answer {
  const content = items.slice(number * size, (number + 1) * size).map(write);
  return ok({ content, last: (number + 1) * size >= items.length, totalElements: items.length });
}
