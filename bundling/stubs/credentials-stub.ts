/**
 * Replaces `@aws-sdk/credential-provider-node`, 130 KB for profiles, SSO, web identity, containers and instance metadata.
 * Lambda passes the keys of the function's role in the environment and nowhere else.
 */
type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

export const defaultProvider = () => (): Promise<Credentials> => {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    return Promise.reject(
      new Error(
        'No AWS credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be in the environment.',
      ),
    );
  }
  return Promise.resolve({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
};
