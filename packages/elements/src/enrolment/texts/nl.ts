import type { EnrolmentTexts } from './texts.ts';

export const nl: EnrolmentTexts = {
  label: 'Apparaat instellen',
  code: 'QR-code die een apparaat instelt',
  account: 'Uw account: {account}',
  open: 'Dit apparaat instellen',
  again: 'Opnieuw proberen',
  newCode: 'Nieuwe code tonen',
  againIn: 'U kunt het over {time} opnieuw proberen.',
  left: 'Geldig voor {time}',
  late: 'Niet meer geldig.',
  device: 'Het apparaat',
  starting: ['Apparaat instellen', 'De code wordt gemaakt…'],
  waiting: [
    'Apparaat instellen',
    'Scan de code met de camera van uw telefoon. Of stel het apparaat in dat u nu gebruikt.',
  ],
  local: [
    'Apparaat instellen',
    'Alleen deze computer kan de code openen, want die leidt naar localhost. Stel het apparaat in dat u nu gebruikt.',
  ],
  lost: [
    'Verbinding verbroken',
    'U kunt de code nog scannen. Het resultaat verschijnt hier zodra de verbinding terug is.',
  ],
  completed: ['Uw apparaat is klaar', 'U kunt er nu mee bevestigen: {device}'],
  expired: ['De code is verlopen', 'Er is geen apparaat mee ingesteld.'],
  offline: ['Geen verbinding', 'Controleer uw verbinding en probeer het opnieuw.'],
  signedOut: ['U bent afgemeld', 'Meld u weer aan en stel dan uw apparaat in.'],
  confirmFirst: ['Bevestig eerst', 'Een extra apparaat moet u bevestigen op een apparaat dat u al hebt.'],
  recoverFirst: [
    'Vraag om hulp',
    'U hebt geen apparaat meer om mee te bevestigen. Alleen de helpdesk kan nu een ander toestaan.',
  ],
  refused: ['Niet mogelijk', 'U kunt nu geen apparaat instellen. {detail}'],
  tooMany: ['Te veel pogingen', 'Wacht even voordat u het opnieuw probeert.'],
  fault: ['Er is iets misgegaan', 'Er is geen apparaat ingesteld. Probeer het zo meteen opnieuw.'],
};
