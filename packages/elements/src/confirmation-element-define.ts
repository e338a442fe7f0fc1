import { OmiConfirmationElement } from './confirmation-element.ts';
import { define } from './render/define.ts';

define('omi-confirmation', OmiConfirmationElement);

declare global {
  interface HTMLElementTagNameMap {
    'omi-confirmation': OmiConfirmationElement;
  }
}
