/** The step of `hold/{id}`: ends a hold whose time is over. A second call finds it ended, and changes nothing. */
import type { HoldStatus } from '../domain/holds';
import { endHold } from '../db/payments/holds';
import type { HoldInput } from '../contract/messages';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

export function holdActivities({ environment }: Dependencies) {
  return {
    /** @returns the status that the hold really has: `open` while the database says that there is time left. */
    async expireHold(input: Omit<HoldInput, 'expiresAt'>): Promise<HoldStatus> {
      const { partnerId, holdId } = input;
      const { cell } = await environment.partner(partnerId);
      const ended = await endHold(cell, { partnerId, holdId, trigger: 'expire' });
      return (await stillThere(ended, 'the hold to end', cell, input)).status;
    },
  };
}
