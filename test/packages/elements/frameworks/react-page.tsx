import '../../../../packages/elements/src/index.ts';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { OmiConfirmationElement } from '../../../../packages/elements/src/index.ts';

// What the README says about types.
type ConfirmationProps = DetailedHTMLProps<HTMLAttributes<OmiConfirmationElement>, OmiConfirmationElement> & {
  path?: string;
  data?: unknown;
  deviceId?: string;
  required?: boolean;
  'onomi-confirmed'?: (event: CustomEvent<{ id: string }>) => void;
};
declare module 'react' {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- React's types are declared in this way
  namespace JSX {
    interface IntrinsicElements {
      'omi-confirmation': ConfirmationProps;
    }
  }
}

function Payment() {
  const [amount, setAmount] = useState(20);
  const [result, setResult] = useState('nothing yet');
  return (
    <>
      <button onClick={() => setAmount(amount + 5)}>More</button>
      <omi-confirmation
        data={{ amount }}
        deviceId="phone"
        onomi-confirmed={({ detail }) => setResult(`paid ${amount} with ${detail.id}`)}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setResult(`sent ${JSON.stringify(new FormData(event.currentTarget).get('omi-confirmation'))}`);
        }}
      >
        <omi-confirmation deviceId="phone" required />
        <button>Send</button>
      </form>
      <p id="result">{result}</p>
    </>
  );
}

const place = document.getElementById('place');
if (place) createRoot(place).render(<Payment />);
