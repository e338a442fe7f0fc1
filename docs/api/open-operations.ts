import type { Route } from '../../lambdas/routes.ts';
import { exampleAnswers } from './examples.ts';
import type { OpenOperation } from './operation.ts';

type OpenLambda = Extract<Route, { caller: 'anyone' }>['lambda'];

export const openOperations: Record<OpenLambda, OpenOperation> = {
  'device-settings': {
    summary: 'Read the settings for web apps',
    description:
      'What a web app must know before it subscribes to pushes or creates a passkey. It needs no credentials, and it is the same for all ' +
      'tenants and devices.',
    success: {
      status: 200,
      description: 'The settings. They change only with a deployment.',
      cacheable: true,
      content: {
        schema: 'DeviceSettings',
        examples: { settings: { summary: 'Settings', value: exampleAnswers.deviceSettings } },
      },
    },
  },
};
