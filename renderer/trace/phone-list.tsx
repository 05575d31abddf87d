/** The phone numbers of a trace, each with its Do Not Call status: listed, not listed or unknown. */
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../parts/clipboard.ts';
import { plural } from '../parts/format.ts';
import { Tick } from '../parts/tick.tsx';
import { copiedPhones, dncOf, formatPhone, lineWords, type Phone } from './trace-words.ts';

export function PhoneList({ phones }: { phones: readonly Phone[] }) {
  const [withDnc, setWithDnc] = useState(false);
  const onRegistry = phones.filter(({ dnc }) => dnc === true).length;
  const text = copiedPhones(phones, withDnc);
  const count = text === '' ? 0 : text.split('\n').length;
  return (
    <>
      <ul className="phones">
        {phones.map((phone) => {
          const { text: words, look } = dncOf(phone);
          return (
            <li key={phone.number}>
              <span className="num medium">{formatPhone(phone.number)}</span>
              <span className={phone.line_type === null ? 'null' : 'quieter'}>{lineWords(phone)}</span>
              <span className={`tag ${look}`}>{words}</span>
            </li>
          );
        })}
      </ul>
      <div className="line wrap">
        <button
          type="button"
          className="button"
          disabled={count === 0}
          onClick={() => copyText(text, `${plural(count, 'number', 'numbers')} copied`)}
        >
          <Copy aria-hidden />
          Copy {plural(count, 'number', 'numbers')}
        </button>
        {onRegistry === 0 ? null : (
          <Tick
            label={`also the ${plural(onRegistry, 'one', 'ones').replace(/^1 /, '')} on Do Not Call`}
            isOn={withDnc}
            onChange={setWithDnc}
          />
        )}
      </div>
    </>
  );
}
