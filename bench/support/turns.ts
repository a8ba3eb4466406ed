/** Ours and its yardsticks take turns, so that whatever the machine does meanwhile happens to all of them. */
import type { Size } from '../scenario';
import type { LoadOptions, LoadResult } from './load';

/** Runs one load for the time given. */
export type Side<Result extends LoadResult = LoadResult> = (
  time: Required<Pick<LoadOptions, 'seconds' | 'warmUpSeconds'>> & Pick<LoadOptions, 'repeatsBusy'>,
) => Promise<Result>;

/**
 * Lets each side get warm once, and then measures them one after another, as often as the size says.
 * @param told gets what each side did in a round.
 */
export async function takeTurns<Name extends string, Result extends LoadResult>(
  { runs, seconds, warmUpSeconds, repeatsBusy }: Size,
  sides: Record<Name, Side<Result>>,
  told: (round: Record<Name, Result>) => void,
): Promise<void> {
  const named = Object.entries(sides) as [Name, Side<Result>][];
  for (const [, side] of named) await side({ seconds: warmUpSeconds, warmUpSeconds: 0, repeatsBusy });
  for (let run = 0; run < runs; run++) {
    const round: [Name, Result][] = [];
    for (const [name, side] of named)
      round.push([name, await side({ seconds, warmUpSeconds: 0.1, repeatsBusy })]);
    told(Object.fromEntries(round) as Record<Name, Result>);
  }
}
