import { patientLimits } from '../../core/tenants/patient-limits.ts';
import { defaultSettings } from '../../core/tenants/tenant.ts';

export const demoTenant = {
  name: 'Demo bank',
  settings: {
    ...defaultSettings,
    pushLimits: patientLimits,
  },
};
