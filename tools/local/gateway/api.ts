import { type RouteDefinition, routes, strayRoutes } from '../../../lambdas/routes.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
import { gatewayErrors } from './errors.ts';
import type { Lambdas } from '../lambda/lambdas.ts';

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

export async function startApi({ port, publicUrl, observe }: ApiOptions): Promise<Api> {
  let lambdas: Pick<Lambdas, 'invoke'> | undefined;
  const { url: address, close } = await startGateway({
    port,
    publicUrl,
    routes: allRoutes,
    invoke: async (name, event, trace) => {
      if (!lambdas) throw gatewayErrors.unavailable();
      return await lambdas.invoke(name, event, trace);
    },
    ...(observe && { observe }),
  });
  return { url: publicUrl ?? address, address, close, open: (opened) => void (lambdas = opened) };
}
