import type { Backend } from '../../endpoint/http.ts';
import { accountId, region } from '../../identity.ts';
import { openJsonFile } from '../../json-file.ts';
import { AwsServiceError } from '../../protocols/errors.ts';
import { type JsonObject, jsonResponse, parseJson } from '../../protocols/json.ts';

/** Values by the secret's name; a new secret has none. */
type Secrets = Record<string, { text?: string; isDeleted?: true }>;

export type SecretsManager = { backend: Backend; flush: () => Promise<void> };

const arnOf = (name: string): string => `arn:aws:secretsmanager:${region}:${accountId}:secret:${name}-000000`;

/** A name, or an ARN. */
const nameOf = (id: string): string => /:secret:(.+)-\w{6}$/.exec(id)?.[1] ?? id;

/** Secrets of Secrets Manager that hold text, each with its current version alone. */
export function createSecretsManager(stateFile?: string): SecretsManager {
  const file = openJsonFile<Secrets>(stateFile, () => secrets);
  const secrets: Secrets = file.saved ?? {};

  const find = (id: unknown) => {
    const name = nameOf(String(id));
    const secret = secrets[name];
    if (secret) return { name, secret };
    throw new AwsServiceError(
      400,
      'ResourceNotFoundException',
      "Secrets Manager can't find the specified secret.",
    );
  };

  const operations: Record<string, (input: JsonObject) => JsonObject> = {
    CreateSecret: ({ Name }) => {
      const name = String(Name);
      if (secrets[name])
        throw new AwsServiceError(400, 'ResourceExistsException', `The secret ${name} already exists.`);
      secrets[name] = {};
      return { ARN: arnOf(name), Name: name };
    },
    PutSecretValue: ({ SecretId, SecretString }) => {
      const { name, secret } = find(SecretId);
      secret.text = String(SecretString);
      return { ARN: arnOf(name), Name: name };
    },
    DeleteSecret: ({ SecretId }) => {
      const { name, secret } = find(SecretId);
      secret.isDeleted = true;
      return { ARN: arnOf(name), Name: name };
    },
    RestoreSecret: ({ SecretId }) => {
      const { name, secret } = find(SecretId);
      delete secret.isDeleted;
      return { ARN: arnOf(name), Name: name };
    },
    GetSecretValue: ({ SecretId }) => {
      const { name, secret } = find(SecretId);
      if (secret.isDeleted)
        throw new AwsServiceError(
          400,
          'InvalidRequestException',
          "You can't perform this operation on the secret because it was marked for deletion.",
        );
      if (secret.text !== undefined) return { ARN: arnOf(name), Name: name, SecretString: secret.text };
      const message = "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT";
      throw new AwsServiceError(400, 'ResourceNotFoundException', message);
    },
  };

  return {
    backend: async (request) => {
      const { operation, input } = parseJson(request);
      const run = operations[operation];
      if (!run)
        throw new AwsServiceError(400, 'UnknownOperationException', `There is no operation ${operation}.`);
      const answer = jsonResponse(200, run(input));
      file.changed();
      await file.flush();
      return answer;
    },
    flush: file.flush,
  };
}
