/**
 * What protects a user's devices from a stolen web session: nothing, a push to the other devices, or also a confirmation
 * on one of them. A setting of the tenant.
 */
export const furtherDevicesPolicies = ['free', 'notify', 'confirm'] as const;
export type FurtherDevicesPolicy = (typeof furtherDevicesPolicies)[number];

/** Of settings that do not say, as those that were stored before there was a choice. */
export const defaultFurtherDevicesPolicy: FurtherDevicesPolicy = 'notify';
