/** In place of the middleware that writes each call to `config.logger`: no client of this service has one. */
export const loggerMiddleware = () => (next: unknown) => next;

export const loggerMiddlewareOptions = { name: 'loggerMiddleware', step: 'initialize', override: true };

export const getLoggerPlugin = () => ({ applyToStack: (): void => undefined });
