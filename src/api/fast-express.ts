/**
 * Removes most of the cost of Express. Decision 0039 says what each measure brings, measured with P2P
 * transfers on 2 cores.
 */
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import type { Express, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * Express gives every request and response another prototype, and then V8 treats each of them as a separate kind
 * of object. If they are made with that prototype from the start, they stay one kind, and the change has no
 * effect.
 * @param isLast asked as an answer begins: whether its caller is told to use another connection for the next request.
 */
export function expressClasses(
  app: Express,
  isLast: () => boolean,
): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {
    /** The object that Express makes would be slow to read. */
    readonly locals = {};

    override writeHead(...head: unknown[]): this {
      if (isLast()) this.shouldKeepAlive = false;
      return super.writeHead(...(head as [number]));
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Request;
  app.response = ExpressResponse.prototype as unknown as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

type Handler = (request: Request, response: Response) => Promise<void>;

/**
 * Finds a route without parameters by its method and path in one step. The router of Express would try one pattern
 * after the other. Every other path, and every other spelling of a path, goes through that router.
 */
export function directly(routes: ReadonlyMap<string, Handler>): RequestHandler {
  return (request, response, next) => {
    const route = routes.get(`${request.method} ${request.url}`);
    if (route) return route(request, response);
    next();
    return undefined;
  };
}

/**
 * Gives a list in which names and values alternate, which is the fastest form for `writeHead`. The headers never
 * change, so they are made once.
 */
export function securityHeaders(): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  // Over http, as on a laptop or in a private network, a page would ask for its own files over https.
  helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } })(
    request,
    response,
    () => undefined,
  );
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}
