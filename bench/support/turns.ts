/** Ours and its yardsticks take turns, so that whatever the machine does meanwhile happens to all of them. */
import type { Size } from '../scenario';
import type { LoadOptions, LoadResult } from './load';

/** Runs one load for the time given. */
export type Side = (time: Required<Pick<LoadOptions, 'seconds' | 'warmUpSeconds'>>) => Promise<LoadResult>;

/**
 * Lets each side get warm once, and then measures them one after another, as often as the size says.
 * @param told gets what each side did in a round.
 */
export async function takeTurns<Name extends string>(
  { runs, seconds, warmUpSeconds }: Size,
  sides: Record<Name, Side>,
  told: (round: Record<Name, LoadResult>) => void,
): Promise<void> {
  const named = Object.entries(sides) as [Name, Side][];
  for (const [, side] of named) await side({ seconds: warmUpSeconds, warmUpSeconds: 0 });
  for (let run = 0; run < runs; run++) {
    const round: [Name, LoadResult][] = [];
    for (const [name, side] of named) round.push([name, await side({ seconds, warmUpSeconds: 0.1 })]);
    told(Object.fromEntries(round) as Record<Name, LoadResult>);
  }
}
