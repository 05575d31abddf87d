/** Asks for a latitude and a longitude. The engine parses them, as for the search box. */
import { useState } from 'react';
import { useClient } from '../state/client-context.tsx';
import { formatPlace } from './units.ts';

interface PlaceFormProps {
  readonly className: string;
  readonly onPlace: (longitude: number, latitude: number) => void;
}

export function PlaceForm({ className, onPlace }: PlaceFormProps) {
  const client = useClient();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const go = async () => {
    const words = text.trim();
    try {
      const { place, meant } =
        words === '' ? { place: null, meant: null } : await client.read('suggest', { text: words });
      if (meant) {
        setText(`${meant.latitude}, ${meant.longitude}`);
        setProblem(`Did you mean ${formatPlace(meant.longitude, meant.latitude)}? Then press again.`);
      } else if (place) onPlace(place.longitude, place.latitude);
      else setProblem('Expected a latitude and a longitude, as 44.1027, −71.8316.');
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      <label className="control">
        <span className="control-label">Latitude, longitude</span>
        <span className="field" data-invalid={problem !== null}>
          <input
            data-first
            value={text}
            placeholder="44.1027, −71.8316"
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
          />
        </span>
      </label>
      <button type="submit" className="button primary">
        Go there
      </button>
      {problem ? <p className="problem">{problem}</p> : null}
    </form>
  );
}
