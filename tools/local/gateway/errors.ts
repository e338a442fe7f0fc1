/** An error response of the gateway itself, in API Gateway's JSON. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const gatewayErrors = {
  unauthorized: () => new GatewayError(401, 'Unauthorized'),
  forbidden: () => new GatewayError(403, 'Forbidden'),
  notFound: () => new GatewayError(404, 'Not Found'),
  tooLarge: () => new GatewayError(413, 'Request Entity Too Large'),
  tooManyRequests: () => new GatewayError(429, 'Too Many Requests'),
  headersTooLarge: () => new GatewayError(431, 'Request Header Fields Too Large'),
  internalError: () => new GatewayError(500, 'Internal Server Error'),
  unavailable: () => new GatewayError(503, 'Service Unavailable'),
};
