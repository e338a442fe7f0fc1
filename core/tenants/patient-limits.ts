import { defaultSettings, type PushLimits } from './tenant.ts';

/** For a tenant on which people try one thing after the other, as on a demo bank: far more than a website needs, and short pauses. */
export const patientLimits: PushLimits = {
  ...defaultSettings.pushLimits,
  perTenMinutes: 100,
  perDay: 1000,
  pauseAfter: 10,
  pauseSeconds: 30,
  longestPauseSeconds: 60,
  notMePauseSeconds: 60,
};
