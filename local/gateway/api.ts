import { type RouteDefinition, routes } from '../../lambdas/routes.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { gatewayErrors } from './errors.ts';
import { isPortTaken } from '../issuer/port.ts';
import type { Lambdas } from '../lambda/lambdas.ts';
import { StartError } from '../command/start-error.ts';

/** The service's API behind the local gateway. */
export type Api = Gateway & {
  /** Before this call the API answers 503. */
  open(lambdas: Pick<Lambdas, 'invoke'>): void;
};

const allRoutes: readonly RouteDefinition[] = routes;

/** @throws {StartError} if the port is not available */
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
    throw startErrorOf(error, port);
  });
  return { ...gateway, open: (opened) => void (lambdas = opened) };
}

function startErrorOf(error: unknown, port: number): unknown {
  const hint =
    'Choose another one, for example with "OMI_PORT=8081 npm start", or any free one with OMI_PORT=0.';
  if (isPortTaken(error)) return new StartError(`Port ${port} is in use by another program. ${hint}`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return new StartError(`This user may not use port ${port}. ${hint}`);
  return error;
}
