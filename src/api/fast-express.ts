/**
 * Express without most of its cost. Measured over the route of a P2P transfer on 2 cores: what each measure
 * brings stands beside it in docs/performance.md.
 */
import { IncomingMessage, ServerResponse, type ServerOptions } from 'node:http';
import { Socket } from 'node:net';
import type { Express, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';

/**
 * Express gives every request and response another prototype, and V8 then treats each of them as an object of
 * its own kind. Made with that prototype from the start, they stay of one kind, and the swap changes nothing.
 */
export function expressClasses(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<Asked extends IncomingMessage> extends ServerResponse<Asked> {
    /** Express' own would be a dictionary. */
    readonly locals = {};
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype as Request;
  app.response = ExpressResponse.prototype as unknown as Response;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };
}

type Handler = (request: Request, response: Response) => Promise<void>;

/**
 * Finds routes without parameters by their method and path at once, where Express' router tries one pattern
 * after the other. Everything else, and every other spelling of the path, goes its usual way.
 */
export function directly(routes: ReadonlyMap<string, Handler>): RequestHandler {
  return (request, response, next) => {
    const route = routes.get(`${request.method} ${request.url}`);
    if (route) return route(request, response);
    next();
    return undefined;
  };
}

/** Names and values in turn, as `writeHead` takes them fastest: they never change, so they are asked for once. */
export function securityHeaders(): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  helmet()(request, response, () => undefined);
  return response.getHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}
