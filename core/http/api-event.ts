import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/** What an HTTP API hands to a Lambda; routes with an authorizer also carry what it answered. */
export type ApiEvent = APIGatewayProxyEventV2 & {
  requestContext: { authorizer?: { lambda: unknown } };
};
