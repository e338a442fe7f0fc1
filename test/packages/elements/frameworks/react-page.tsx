import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { OmiConfirmation } from '../../../../packages/elements/src/react.ts';

function Payment() {
  const [amount, setAmount] = useState(20);
  const [result, setResult] = useState('nothing yet');
  return (
    <>
      <button onClick={() => setAmount(amount + 5)}>More</button>
      <OmiConfirmation
        data={{ amount }}
        deviceId="phone"
        onConfirmed={({ detail }) => setResult(`paid ${amount} with ${detail.id}`)}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setResult(`sent ${JSON.stringify(new FormData(event.currentTarget).get('omi-confirmation'))}`);
        }}
      >
        <OmiConfirmation required onNoDevice={() => setResult('heard of it')}>
          <a slot="no-device" href="/device">
            Set up a device
          </a>
        </OmiConfirmation>
        <button>Send</button>
      </form>
      <p id="result">{result}</p>
    </>
  );
}

const place = document.getElementById('place');
if (place) createRoot(place).render(<Payment />);
