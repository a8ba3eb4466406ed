/** Receivers that hang leave places for other hosts and for other work (G17, D176). */
import { createPlaces, type Places } from '../../../src/activities/webhook-places';

let places: Places;
beforeEach(() => {
  places = createPlaces();
});
afterEach(() => jest.restoreAllMocks());

/** Takes places until there is none. @returns what gives them back. */
function takeAll(url: (place: number) => string, isOnTrial: boolean): (() => void)[] {
  const taken: (() => void)[] = [];
  for (;;) {
    const leave = places.take(url(taken.length), isOnTrial);
    if (!leave) return taken;
    taken.push(leave);
  }
}
const victim = (): string => 'https://victim.example/hook';
const manyHosts = (place: number): string => `https://host-${String(place)}.example/`;

test.each([
  ['endpoints of one host that never answered', victim, true, 20],
  ['endpoints of one host', victim, false, 40],
  ['endpoints of many hosts that never answered', manyHosts, true, 40],
  ['endpoints of many hosts', manyHosts, false, 80],
])('%s that hang take a part of the places', (_what, url, isOnTrial, most) => {
  const taken = takeAll(url, isOnTrial);
  expect(taken).toHaveLength(most);
  taken[0]?.();
  expect(places.take(url(0), isOnTrial)).not.toBeNull();
});

test('endpoints that never answered leave room for those that have answered', () => {
  takeAll(manyHosts, true);
  expect(places.take('https://healthy.example/', false)).not.toBeNull();
});

test.each(['https://VICTIM.example:8443/other', 'https://victim.example./', 'http://victim.example'])(
  '%s is the same host',
  (other) => {
    takeAll(victim, true);
    expect(places.take(other, true)).toBeNull();
  },
);

test('three hundred attempts a minute at a host that never answered, whoever asks for them', () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
  for (let count = 0; count < 300; count += 1) places.take(victim(), true)?.();
  expect(places.take(victim(), true)).toBeNull();
  expect(places.take(victim(), false)).not.toBeNull();
  expect(places.take('https://other.example/', true)).not.toBeNull();
  now.mockReturnValue(61_001);
  expect(places.take(victim(), true)).not.toBeNull();
});
