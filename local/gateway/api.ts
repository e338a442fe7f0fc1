import { type RouteDefinition, routes } from '../../lambdas/routes.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { gatewayErrors } from './errors.ts';
import { isPortTaken } from '../issuer/port.ts';
import type { Lambdas } from '../lambda/lambdas.ts';
import { StartError } from '../command/start-error.ts';

/** The service's own API: its route table and authorizer behind the local gateway. */
export type Api = Gateway & {
  /** Until then the API answers 503. */
  open(lambdas: Pick<Lambdas, 'invoke'>): void;
};

const allRoutes: readonly RouteDefinition[] = routes;

/** @throws {StartError} when the port cannot be had */
export async function startApi(port: number): Promise<Api> {
  let lambdas: Pick<Lambdas, 'invoke'> | undefined;
  const starting = startGateway({
    port,
    routes: allRoutes,
    authorizer: 'authorize',
    invoke: async (name, event) => {
      if (!lambdas) throw gatewayErrors.unavailable();
      return await lambdas.invoke(name, event);
    },
  });
  const gateway = await starting.catch((error: unknown) => {
    throw refusalOf(error, port);
  });
  return { ...gateway, open: (opened) => void (lambdas = opened) };
}

function refusalOf(error: unknown, port: number): unknown {
  const way = 'Choose another one, as in "OMI_PORT=8081 npm start", or any free one with OMI_PORT=0.';
  if (isPortTaken(error)) return new StartError(`Another program listens on port ${port}. ${way}`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return new StartError(`Port ${port} is not allowed to this user. ${way}`);
  return error;
}
