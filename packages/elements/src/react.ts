'use client';

/** The elements as components of React 19, with types. Importing this module also registers them. */
import { createElement, type HTMLAttributes, type ReactElement, type ReactNode, type Ref } from 'react';
import type { OmiConfirmationElement } from './confirmation-element.ts';
import type { OmiEnrolmentElement } from './enrolment-element.ts';

import './confirmation-element-define.ts';
import './enrolment-element-define.ts';

/** What every element of a page has, and these properties of its own. */
type Properties<Element, Own extends keyof Element> = Omit<HTMLAttributes<Element>, 'children'> & {
  [Name in Own]?: Element[Name] | undefined;
} & { ref?: Ref<Element> | undefined };

type Listener<Name extends keyof HTMLElementEventMap> =
  | ((event: HTMLElementEventMap[Name]) => void)
  | undefined;

export type OmiConfirmationProps = Properties<
  OmiConfirmationElement,
  'data' | 'deviceId' | 'disabled' | 'name' | 'path' | 'required' | 'texts'
> & {
  onStart?: Listener<'omi-start'>;
  onConfirmed?: Listener<'omi-confirmed'>;
  onDenied?: Listener<'omi-denied'>;
  onEnded?: Listener<'omi-ended'>;
  onNoDevice?: Listener<'omi-no-device'>;
  onProblem?: Listener<'omi-problem'>;
  /** What is shown to a user without a device, with `slot="no-device"`: a link to where one is set up. */
  children?: ReactNode;
};

export type OmiEnrolmentProps = Properties<OmiEnrolmentElement, 'confirmation' | 'path' | 'texts'> & {
  onEnrolled?: Listener<'omi-enrolled'>;
  onProblem?: Listener<'omi-problem'>;
};

/** React listens to an event of a custom element by the property `on` and its name. */
export const OmiConfirmation = ({
  onStart,
  onConfirmed,
  onDenied,
  onEnded,
  onNoDevice,
  onProblem,
  ...properties
}: OmiConfirmationProps): ReactElement =>
  createElement('omi-confirmation', {
    ...properties,
    'onomi-start': onStart,
    'onomi-confirmed': onConfirmed,
    'onomi-denied': onDenied,
    'onomi-ended': onEnded,
    'onomi-no-device': onNoDevice,
    'onomi-problem': onProblem,
  });

export const OmiEnrolment = ({ onEnrolled, onProblem, ...properties }: OmiEnrolmentProps): ReactElement =>
  createElement('omi-enrolment', {
    ...properties,
    'onomi-enrolled': onEnrolled,
    'onomi-problem': onProblem,
  });
