import { jsonError, jsonRefusals } from './errors.ts';
import { parseJson, strings } from './json.ts';
import { region } from '../identity.ts';
import type { Errors, Operation, Service } from './service.ts';

export const kms: Service = {
  name: 'kms',
  describe: (request) => {
    const { operation, input } = parseJson(request);
    return { operation, input, resources: strings(input['KeyId'], input['TargetKeyId']) };
  },
  errors,
  actionOf: (called, account) => ({
    action: `kms:${called.operation}`,
    resource: keyArn(called, account),
  }),
  render: jsonError,
};

function errors({ operation, resources: [key = ''] }: Operation): Errors {
  return {
    ...jsonRefusals(`kms:${operation}`, key),
    throttle: { status: 400, code: 'ThrottlingException', message: 'Rate exceeded' },
    'not-found': { status: 400, code: 'NotFoundException', message: `Key '${key}' does not exist` },
    unavailable: { status: 500, code: 'KMSInternalException', message: 'An internal error occurred.' },
    disabled: { status: 400, code: 'DisabledException', message: `${key} is disabled.` },
  };
}

/** Only of a key that is named by its id or ARN: the key of an alias is not known here. */
function keyArn({ resources: [key] }: Operation, account: string): string | undefined {
  if (key === undefined || key.startsWith('arn:')) return key;
  return `arn:aws:kms:${region}:${account}:key/${key}`;
}
