/** Permissions that several Lambdas have. */

export const toSend = {
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
  secrets: { webPush: ['GetSecretValue'] },
} as const;

export const toDeliver = {
  tenantRoles: 'by-external-id',
  deliveryStreams: ['PutRecordBatch'],
  kms: { secrets: ['Decrypt'], signals: ['Sign'] },
} as const;

export const toNotify = {
  kms: { secrets: ['Decrypt'] },
  mail: true,
  operatorBus: true,
} as const;
