/** Stored results of the method are trusted while `methodVersion` stays, so no result may change unseen. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { CompIndex } from '../../engine/comps/comp-index.ts';
import { valueFromComps } from '../../engine/comps/comp-value.ts';
import { methodVersion } from '../../engine/comps/valuation-parameters.ts';
import { createRandom } from '../sample-maker/random.ts';
import { createMarket, subject } from './valuation-cases.ts';

/** Six digits: the last ones differ between processors. */
function fingerprint(): string {
  const index = CompIndex.of(createMarket(300, 'method version'));
  const random = createRandom('method version');
  const answers = Array.from({ length: 100 }, () => {
    const answer = valueFromComps(
      {
        ...subject,
        propertyId: null,
        acres: Math.exp(2 + random.normal()),
        longitude: -100 + 0.3 * random.normal(),
        latitude: 40 + 0.3 * random.normal(),
        attributes: { wetlandsShare: random.next() },
      },
      index,
    );
    if (answer.value === null) throw new Error(answer.reason);
    const { low, high } = answer.valueRange;
    return [...Object.values(answer.value), low, high].map((number) => number.toPrecision(6));
  });
  return createHash('sha256').update(JSON.stringify(answers)).digest('hex').slice(0, 16);
}

test('the method answers as it did when its version was raised', () => {
  // If this fails: raise methodVersion (a change of parameters alone is detected without it), then pin the new results.
  expect({ methodVersion, answers: fingerprint() }).toEqual({ methodVersion: 7, answers: 'e1114b8ef8117c00' });
});
