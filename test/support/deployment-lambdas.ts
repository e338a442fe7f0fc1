/** Lambdas that only a deployment calls. The others have tests of what all Lambdas of a running stage have in common. */
export const deploymentLambdas: readonly string[] = [
  'push-application',
  'deploy-web-app',
  'deploy-exports-page',
  'deploy-console',
  'web-push-key',
  'publish-keys',
];
