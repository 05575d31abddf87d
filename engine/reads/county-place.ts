/** Counties for an import: by typed words, and by the location of a file's parcels. */
import Type from 'typebox';
import { searchCounties } from '../importing/sources-counties.ts';
import { oneOf, orNull, strict, type ValueOf } from '../spec/value-schemas.ts';
import { countyOfPlaces, holdsMost, type Place } from '../store/county-outlines.ts';
import { findCountyAt, outlineOf, type PlaceBox, placeOfBox } from '../tiles/county-place.ts';
import { defineRead } from './read.ts';

const mostFound = 12;
const mostPlaces = 256;

const text = Type.String();
const offer = Type.Object({ fips: text, name: text, state: text }, strict);
type CountyOffer = ValueOf<typeof offer>;
const degrees = Type.Number({ minimum: -360, maximum: 360 });

export const countyPlace = defineRead({
  name: 'county_place',
  docs: 'Counties by words or code, the county in which a box lies, how the box lies to a county, and its outline.',
  input: Type.Object(
    {
      words: Type.Optional(Type.String({ maxLength: 100 })),
      fips: Type.Optional(Type.String({ maxLength: 5 })),
      bounds: Type.Optional(
        Type.Tuple([degrees, degrees, degrees, degrees], { description: 'West, south, east, north.' }),
      ),
      places: Type.Optional(
        Type.Array(Type.Tuple([degrees, degrees]), {
          maxItems: mostPlaces,
          description: 'Longitude and latitude of some parcels; they decide in place of the box.',
        }),
      ),
    },
    strict,
  ),
  output: Type.Object(
    {
      found: Type.Array(offer, { description: `Holds the words, or has the code; at most ${mostFound}.` }),
      at: orNull(offer, { description: 'Holds most of the places, else the middle of the box.' }),
      county: orNull(offer, { description: 'The requested one, else `at`.' }),
      lies: orNull(oneOf(['inside', 'beside', 'elsewhere']), {
        description:
          'How they lie to `county`: `inside` it at least half of the places do, else `elsewhere`; without places the middle of the box, and `beside` it only overlaps the county.',
      }),
      outline: Type.Array(Type.Array(Type.Number()), {
        description: 'Rings of `county`, each `[x0, y0, x1, y1, …]` in degrees.',
      }),
    },
    strict,
  ),
  run: ({ words = '', fips, bounds, places = [] }, { land }) => {
    const offerOf = (code: string | null): CountyOffer | null => {
      const county = code === null ? undefined : land.county(code.padStart(5, '0'));
      return county ? { fips: county.fips, name: county.name, state: county.state } : null;
    };
    const middle = bounds ? findCountyAt((bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2) : null;
    const at = offerOf(places.length > 0 ? (countyOfPlaces(places)?.fips ?? null) : middle);
    const county = fips === undefined || fips === '' ? at : offerOf(fips);
    const byCode = /^\d{4,5}$/.test(words.trim()) ? offerOf(words.trim()) : null;
    return {
      found: byCode ? [byCode] : searchCounties(words).slice(0, mostFound).map(plainOffer),
      at,
      county,
      lies: county ? liesTo(county.fips, bounds, places) : null,
      outline: county ? outlineOf(county.fips) : [],
    };
  },
});

function liesTo(fips: string, bounds: PlaceBox | undefined, places: readonly Place[]): ReturnType<typeof placeOfBox> {
  const holds = holdsMost(fips, places);
  if (holds !== null) return holds ? 'inside' : 'elsewhere';
  return bounds ? placeOfBox(fips, bounds) : null;
}

const plainOffer = ({ fips, name, state }: CountyOffer): CountyOffer => ({ fips, name, state });
