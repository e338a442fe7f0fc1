/**
 * In place of the SDK's reader of `~/.aws/config` and `~/.aws/credentials`: a Lambda has neither, so the settings
 * come from the environment or are the defaults, as they would after two files were looked for in vain.
 */
export const CONFIG_PREFIX_SEPARATOR = '.';

export const loadSharedConfigFiles = () => Promise.resolve({ configFile: {}, credentialsFile: {} });
