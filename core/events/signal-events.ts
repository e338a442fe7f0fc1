/**
 * Which events of the service others learn as signals: OpenID Continuous Access Evaluation Profile 1.0, section 3. What a
 * signal says is in `core/export/kinds/signals/`.
 */
import { parseJson } from '../kernel/json.ts';
import type { OwnPublicType } from './own-events.ts';

const caep = 'https://schemas.openid.net/secevent/caep/event-type';

export const credentialChange = `${caep}/credential-change`;
export const riskLevelChange = `${caep}/risk-level-change`;

/** The types of signals, each with the types of the events that it is made of. */
const sources: Readonly<Record<string, readonly OwnPublicType[]>> = {
  [credentialChange]: ['UserDeviceRegisteredEvent', 'UserDeviceDeregisteredEvent'],
  [riskLevelChange]: ['PushNotificationDeniedEvent'],
};

export const signalTypes: readonly string[] = Object.keys(sources);

/** The types of events of which signals of these types are made. */
export const sourcesOf = (types: readonly string[]): OwnPublicType[] =>
  types.flatMap((type) => sources[type] ?? []);

const all: ReadonlySet<string> = new Set(sourcesOf(signalTypes));

/** A denial is a signal only if the user says that somebody else asked. */
const isReport = (event: string): boolean =>
  (parseJson(event) as { payload?: { reason?: unknown } }).payload?.reason === 'not_me';

export const isSignal = ({ type, event }: { type: string; event: string }): boolean =>
  all.has(type) && (type !== 'PushNotificationDeniedEvent' || isReport(event));
