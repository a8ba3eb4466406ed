/**
 * The real application without a database: credentials, rate limit and ledger answer from memory, everything
 * else is ours, from the parser's limits to the bytes of the answer.
 */
import { readBearer, type Authenticator } from '../../../src/api/authenticate';
import { createApp } from '../../../src/api/app';
import type { RateLimiter } from '../../../src/api/rate-limit';
import { listen } from '../../../src/api/server';
import { createServices } from '../../../src/api/services';
import { readConfig, type Config } from '../../../src/runtime/config';
import { newId } from '../../../src/db/pg/ids';
import { present } from '../../../src/domain/assert';
import type { Partner } from '../../../src/domain/partners';
import { bothEnvironments } from '../../../test/support/both-environments';
import type { Environment } from '../../../src/runtime/environment';
import { runProcess } from '../../../src/runtime/process';
import { hashApiKey } from '../../../src/wire/api-keys';
import { unauthenticated } from '../../../src/wire/errors';
import { CELL } from '../../support/cell';
import { createMemoryLedger } from './ledger';

void runProcess('memory', readConfig, async (config, logger) => {
  const environments = bothEnvironments(config, logger, 'api');
  const services = {
    ...createServices(environments, config, logger),
    authenticate: createMemoryAuthenticator(environments.sandbox),
    rateLimiter: createMemoryLimiter(config),
  };
  const server = await listen(createApp(services), {
    host: config.HOST,
    port: config.PORT,
    connectionsMax: config.HTTP_CONNECTIONS_MAX,
    perAddressMax: null,
    accessLog: services.accessLog,
  });
  return {
    ready: { port: server.port },
    async stop() {
      await server.stop();
      await services.close();
      await Promise.all(Object.values(environments).map((one) => one.close()));
    },
  };
});

/** The first key that comes is the key of the only partner. Each key is hashed, as in the real application. */
function createMemoryAuthenticator(environment: Environment): Authenticator {
  const cell = { ...present(environment.cells.get(CELL), 'the first cell'), ledger: createMemoryLedger() };
  const partner: Partner = {
    id: newId(),
    businessName: 'Bench',
    status: 'active',
    tier: 'scale',
    emailIsConfirmed: true,
    cell: CELL,
  };
  const known = new Set<string>();
  return (request) => {
    const bearer = readBearer(request);
    if (!bearer.ok) return Promise.resolve(bearer);
    const hash = hashApiKey(bearer.value).toString('hex');
    if (known.size === 0) known.add(hash);
    if (!known.has(hash)) return Promise.resolve(unauthenticated('unknown'));
    return Promise.resolve({
      ok: true,
      value: { environment, partner, cell, session: null, key: null },
    });
  };
}

function createMemoryLimiter({ RATE_LIMIT_SCALE: limit }: Config): RateLimiter {
  let used = 0;
  return () => {
    used += 1;
    return Promise.resolve({ allowed: used <= limit, limit, remaining: limit - used, resetSeconds: 60 });
  };
}
