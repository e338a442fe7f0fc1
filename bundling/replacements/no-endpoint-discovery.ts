/** In place of `@aws-sdk/middleware-endpoint-discovery`: DynamoDB's endpoint is the region's, or the environment's. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

export const resolveEndpointDiscoveryConfig = <Config>(config: Config): Config => config;
