/**
 * How fast posts go to one host, whoever has registered endpoints there (D236): a partner may name a host of somebody else, and
 * one request of it may have many events. What is not granted stays due, and no attempt is counted.
 */
import { takePosts, type Grant } from '../db/events/webhook-hosts';
import type { DeliveryTarget } from '../db/events/deliveries';
import { hostOf } from '../domain/endpoints';
import type { Dependencies } from './dependencies';
import { faultNow } from './webhook-attempts';

/** What endpoints that have never answered get of the pace of a host. */
const TRIALS_SHARE = 0.1;

/** @returns for how many of the deliveries at hand posts may be made now. */
export type TakePace = (target: DeliveryTarget, deliveries: number) => Promise<Grant>;

export function createPace({ environment, config }: Pick<Dependencies, 'environment' | 'config'>): TakePace {
  const perSecond = environment.allowsSimulation
    ? config.WEBHOOK_HOST_PER_SECOND_SANDBOX
    : config.WEBHOOK_HOST_PER_SECOND_LIVE;

  return async (target, deliveries) => {
    const fault = faultNow(target);
    // Nothing is posted.
    if (fault === 'drop') return { posts: deliveries, waitMs: 0 };
    const postsOfEach = fault === 'twice' ? 2 : 1;
    const host = hostOf(target.url);
    if (target.isOnTrial) {
      const trial = { host, trials: true, perSecond: perSecond * TRIALS_SHARE };
      const { posts, waitMs } = await takePosts(environment, trial, 1);
      if (posts === 0) return { posts, waitMs };
    }
    const pace = { host, trials: false, perSecond };
    const { posts, waitMs } = await takePosts(environment, pace, deliveries * postsOfEach);
    return { posts: Math.floor(posts / postsOfEach), waitMs };
  };
}
