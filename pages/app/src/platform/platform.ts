/** What the screens may ask of the browser. No screen touches a browser interface for these subjects by itself. */
import type {
  AccountNames,
  Brand,
  Challenge,
  Device,
  EnrolmentLink,
  EnrolmentPreview,
  UserVerification,
} from '#device';
import type { PageBrand } from '#ui/stage/page-brand.ts';
import type { Language } from '../i18n/texts.ts';
import type { Account, History, LostAccount, PendingEnrolment, TabMessage } from './model.ts';

export type * from './model.ts';

export interface Platform {
  /** The address of the service, as `/config.json` of this origin tells. Works offline once it was read. */
  config(): Promise<Config>;
  readonly accounts: Accounts;
  readonly enrolment: Enrolment;
  readonly history: History;
  /** How a tenant presents itself; undefined if that was never read. */
  brand(tenantId: string): Promise<Brand | undefined>;
  /** Calls of an account's device. They go to this origin, which forwards them to the service. */
  device(account: Account): Device;
  readonly push: Push;
  readonly passkeys: Passkeys;
  readonly scanner: Scanner;
  readonly install: Install;
  readonly network: Network;
  readonly tabs: Tabs;
  readonly updates: Updates;
  /** Shows on the app's icon how many requests wait; none for 0. */
  badge(count: number): Promise<void>;
  /** Asks the browser to keep this app's data when storage runs low. False: it may be deleted. */
  persist(): Promise<boolean>;
}

export type Config = { readonly baseUrl: string; readonly brand?: StageBrand };

/** How the operator's stage presents the app. What is absent is as OMI has it. */
export type StageBrand = PageBrand & {
  readonly languages?: readonly Language[];
};

/** Ends what a listener began. */
export type Unsubscribe = () => void;

// Accounts

export interface Accounts {
  /** Oldest first. */
  list(): Promise<readonly Account[]>;
  /** Accounts that were on this device and are gone without `remove`: storage was cleared or evicted. */
  lost(): Promise<readonly LostAccount[]>;
  /** The user has read that this account is lost. */
  forgetLost(deviceId: string): Promise<void>;
  /** The names that the service says now, which may have changed. */
  setNames(deviceId: string, names: AccountNames): Promise<void>;
  /** What the user calls this device from now on. It does not tell the service: `device(account).rename()`. */
  rename(deviceId: string, name: string): Promise<void>;
  /** Deletes the key, the account and its history here. It does not tell the service: `device(account).unregister()`. */
  remove(deviceId: string): Promise<void>;
  /** Called after each change, also by another tab. */
  onChange(listener: () => void): Unsubscribe;
}

// Enrolment

/**
 * An enrolment has steps, so that a lost answer or a reload loses nothing: `preview` says for whom it is, `begin` stores the key with the code,
 * `addPasskey` adds a passkey if the user wants one, `complete` calls the service and may be repeated.
 */
export interface Enrolment {
  /** An enrolment that was begun and not completed, such as before a reload. */
  pending(): Promise<PendingEnrolment | undefined>;
  /** For whom the code is. Rejects with a `DeviceError`, also if the code cannot be used. */
  preview(link: EnrolmentLink): Promise<EnrolmentPreview>;
  /** The same code again continues with the same key. Another code replaces what was pending. */
  begin(link: EnrolmentLink, name: string, preview: EnrolmentPreview): Promise<PendingEnrolment>;
  /** Call it from a click. After `created`, `complete` sends the passkey. */
  addPasskey(pending: PendingEnrolment): Promise<PasskeyOutcome>;
  /** Rejects with a `DeviceError`. */
  complete(pending: PendingEnrolment): Promise<Account>;
  abandon(): Promise<void>;
}

// Push

/** `needs-install`: iOS has push only for apps on the Home Screen. */
export type PushPermission = 'granted' | 'denied' | 'prompt' | 'unsupported' | 'needs-install';

export type PushHealth =
  | { readonly state: 'active' }
  /** The user has allowed notifications before, and the permission is gone. */
  | { readonly state: 'revoked' }
  | { readonly state: 'off'; readonly permission: Exclude<PushPermission, 'granted'> }
  /** Permitted, but the browser's push service, or ours, did not answer, or pushes no longer arrive. It is tried again. */
  | { readonly state: 'unreachable' };

export interface Push {
  permission(): PushPermission;
  /** Asks for the permission and subscribes. Call it from a click, before anything that waits. */
  enable(): Promise<PushHealth>;
  /** At each start, and after an enrolment: subscribes again if needed, and tells the service what changed. */
  refresh(): Promise<PushHealth>;
  /** The service says that pushes no longer arrive: subscribes anew, and tells the service. It asks the user nothing. */
  replace(): Promise<PushHealth>;
  /** Called when the permission changes in the browser's settings. */
  onChange(listener: (permission: PushPermission) => void): Unsubscribe;
  /** Removes the notification of a challenge that was answered. */
  closeNotification(challengeId: string): Promise<void>;
}

// Passkeys

export type PasskeyOutcome = { readonly outcome: 'created' | 'cancelled' | 'unavailable' };

export type AssertionOutcome =
  | { readonly outcome: 'verified'; readonly userVerification: UserVerification }
  /** The user closed the browser's dialog, or it timed out. */
  | { readonly outcome: 'cancelled' }
  /** The account has no passkey, or the browser has none of it. */
  | { readonly outcome: 'unavailable' };

export interface Passkeys {
  /** True if this device can verify its user by fingerprint, face or PIN. */
  available(): Promise<boolean>;
  /** Call it from a click. */
  assert(account: Account, challenge: Challenge, decision: 'confirm' | 'deny'): Promise<AssertionOutcome>;
  /** For a device that removes itself. */
  assertRemoval(account: Account, challenge: Uint8Array<ArrayBuffer>): Promise<AssertionOutcome>;
}

// Scanner

export type ScanOutcome =
  | { readonly outcome: 'found'; readonly text: string }
  | { readonly outcome: 'stopped' | 'no-camera' | 'denied' | 'busy' };

export interface Scanner {
  available(): boolean;
  /**
   * Shows the camera in `video` until a QR code is read that `accepts` takes, or until `signal` aborts. The camera is
   * off when this resolves.
   */
  scan(
    video: HTMLVideoElement,
    options: { signal: AbortSignal; accepts?: (text: string) => boolean },
  ): Promise<ScanOutcome>;
}

// Installation

/** `manual`: iOS, where the user adds the app to the Home Screen by hand. `prompt`: `install.prompt()` works. */
export type InstallState = 'installed' | 'prompt' | 'manual' | 'browser';

export interface Install {
  state(): InstallState;
  /** Call it from a click. True if the user installed the app. */
  prompt(): Promise<boolean>;
  onChange(listener: (state: InstallState) => void): Unsubscribe;
}

// Network, tabs, updates

export interface Network {
  online(): boolean;
  onChange(listener: (online: boolean) => void): Unsubscribe;
}

export interface Tabs {
  announce(message: Extract<TabMessage, { type: 'answered' }>): void;
  /** Messages of other tabs and of the service worker. */
  onMessage(listener: (message: TabMessage) => void): Unsubscribe;
}

export interface Updates {
  /** Called when a new version of the app is ready. */
  onAvailable(listener: () => void): Unsubscribe;
  /** Activates the new version and reloads. Call it when no challenge is open. */
  apply(): void;
}
