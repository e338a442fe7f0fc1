/** An answer of the gateway itself, before or instead of a Lambda's: always this JSON, which nobody can shape. */
export class GatewayRefusal extends Error {
  override readonly name = 'GatewayRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const refusals = {
  badRequest: () => new GatewayRefusal(400, 'Bad Request'),
  unauthorized: () => new GatewayRefusal(401, 'Unauthorized'),
  forbidden: () => new GatewayRefusal(403, 'Forbidden'),
  notFound: () => new GatewayRefusal(404, 'Not Found'),
  tooLarge: () => new GatewayRefusal(413, 'Request Entity Too Large'),
  tooManyRequests: () => new GatewayRefusal(429, 'Too Many Requests'),
  headersTooLarge: () => new GatewayRefusal(431, 'Request Header Fields Too Large'),
  internalError: () => new GatewayRefusal(500, 'Internal Server Error'),
  unavailable: () => new GatewayRefusal(503, 'Service Unavailable'),
};
