import { defaultSettings } from '../../core/tenants/tenant.ts';

/** Visitors try one thing after the other, so the demo bank asks more often than a website would. */
export const demoTenant = {
  name: 'Demo bank',
  settings: {
    ...defaultSettings,
    pushLimits: { ...defaultSettings.pushLimits, perTenMinutes: 20, perDay: 100 },
  },
};
