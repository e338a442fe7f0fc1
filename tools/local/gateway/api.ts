import { type RouteDefinition, routes, strayRoutes } from '../../../lambdas/routes.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import { gatewayErrors } from './errors.ts';
import { isPortTaken } from '../issuer/port.ts';
import type { Lambdas } from '../lambda/lambdas.ts';
import { StartError } from '../command/start-error.ts';

/** The service's API behind the local gateway. Its `url` is the base URL of the service. */
export type Api = Gateway & {
  /** Its own URL on loopback, also if the base URL is that of a TLS proxy or tunnel. */
  address: string;
  /** Before this call the API answers 503. */
  open(lambdas: Pick<Lambdas, 'invoke'>): void;
};

const allRoutes: readonly RouteDefinition[] = [...routes, ...strayRoutes];

export type ApiOptions = {
  port: number;
  /** The URL of a TLS proxy or tunnel in front of the API. */
  publicUrl?: string | undefined;
  observe?: GatewayOptions['observe'];
};

/** @throws {StartError} if the port is not available */
export async function startApi({ port, publicUrl, observe }: ApiOptions): Promise<Api> {
  let lambdas: Pick<Lambdas, 'invoke'> | undefined;
  const starting = startGateway({
    port,
    publicUrl,
    routes: allRoutes,
    invoke: async (name, event, trace) => {
      if (!lambdas) throw gatewayErrors.unavailable();
      return await lambdas.invoke(name, event, trace);
    },
    ...(observe && { observe }),
  });
  const gateway = await starting.catch((error: unknown) => {
    throw startErrorOf(error, port);
  });
  const { url: address, close } = gateway;
  return { url: publicUrl ?? address, address, close, open: (opened) => void (lambdas = opened) };
}

function startErrorOf(error: unknown, port: number): unknown {
  const hint =
    'Choose another one, for example with "OMI_PORT=8090 npm start", or any free one with OMI_PORT=0.';
  if (isPortTaken(error)) return new StartError(`Port ${port} is in use by another program. ${hint}`);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return new StartError(`This user may not use port ${port}. ${hint}`);
  return error;
}
