/** Replaces parts of the SDK that have no effect in a Lambda of this service. */
const unchanged = <Value>(value: Value): Value => value;

export {
  /** DynamoDB's endpoint is the region's, or the environment's. */
  unchanged as resolveEndpointDiscoveryConfig,
  /** Rewrites bucket names that are ARNs or need escaping. A target's bucket has a plain name. */
  unchanged as resolveParamsForS3,
};

export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => false,
  configFileSelector: () => false,
  default: false,
};

/** Reads `~/.aws/config` and `~/.aws/credentials`, which a Lambda does not have. */
export const loadSharedConfigFiles = () => Promise.resolve({ configFile: {}, credentialsFile: {} });
export const CONFIG_PREFIX_SEPARATOR = '.';
