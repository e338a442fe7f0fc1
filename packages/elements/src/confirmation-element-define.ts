import { OmiConfirmationElement } from './confirmation-element.ts';
import type { Outcome } from './confirmation/state.ts';
import { define } from './render/define.ts';

define('omi-confirmation', OmiConfirmationElement);

declare global {
  interface HTMLElementTagNameMap {
    'omi-confirmation': OmiConfirmationElement;
  }
  interface HTMLElementEventMap {
    'omi-start': CustomEvent<object>;
    'omi-confirmed': CustomEvent<{ id: string }>;
    'omi-denied': CustomEvent<{ reason?: string }>;
    'omi-ended': CustomEvent<Outcome>;
    'omi-no-device': CustomEvent<object>;
    'omi-problem': CustomEvent<{ code: string }>;
  }
}
