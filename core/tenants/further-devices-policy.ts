/**
 * A tenant's setting: what protects a user's devices from a stolen web session. `free`: nothing; `notify`: a push to the
 * user's other devices; `confirm`: also a confirmation on one of them.
 */
export const furtherDevicesPolicies = ['free', 'notify', 'confirm'] as const;
export type FurtherDevicesPolicy = (typeof furtherDevicesPolicies)[number];

/** Stored settings have no member for it. */
export const defaultFurtherDevicesPolicy: FurtherDevicesPolicy = 'notify';

/** A tenant's policy, with its name for the users who are notified. */
export type FurtherDevicesRule = { policy: FurtherDevicesPolicy; tenantName: string | undefined };

/** The same for calls of devices, with whether a device proves that it verified its user. */
export type DeviceRules = FurtherDevicesRule & { requiresVerification: boolean };
