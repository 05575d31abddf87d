/** The class of a feature that is only drawn: how wide a stream is, whether water is a river, a place a summit. */
import { textOf } from '../importing/values/convert-value.ts';
import { foldCase } from '../spec/text-fold.ts';

type Properties = Readonly<Record<string, unknown>>;
export type DrawnShape = 'polygons' | 'lines' | 'points';

interface ClassColumn {
  readonly column: RegExp;
  readonly classOf: (value: string) => string | null;
}

const bands = (patterns: Readonly<Record<string, RegExp>>) => (value: string) =>
  Object.entries(patterns).find(([, pattern]) => pattern.test(value))?.[0] ?? null;

/** Strahler's order: 1 where a stream begins. */
const order = (value: string): string | null => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 1 && number <= 12 ? String(Math.min(number, 8)) : null;
};

const isRiver = bands({ river: /^(river|canal|H3010|H3013|H3020|460|336|StreamRiver|CanalDitch)$/i });

/** Best first, by shape. */
const columns: Readonly<Record<DrawnShape, readonly ClassColumn[]>> = {
  lines: [
    { column: /^(STREAM_?ORDER?|STREAMORDE|STRM_?ORDER|STRAHLER\w*|ORDER_?)$/, classOf: order },
    {
      column: /^(WATERWAY|CLASS)$/,
      classOf: bands({ 4: /^river$/i, 2: /^(stream|canal)$/i, 1: /^(drain|ditch|brook)$/i }),
    },
  ],
  polygons: [{ column: /^(CLASS|WATER|NATURAL|FTYPE|MTFCC|FCLASS|TYPE|KIND)$/, classOf: isRiver }],
  points: [
    {
      column: /^(CLASS|PLACE|NATURAL|FEATURE_CLASS|FCLASS|TYPE|KIND)$/,
      classOf: bands({
        summit: /summit|peak|mountain|^(hill|top)$/i,
        town: /city|town|populated|municipal/i,
        village: /village|hamlet|locality|settlement/i,
      }),
    },
  ],
};

/** Null if nothing tells. */
export function drawnClass(shape: DrawnShape, properties: Properties): string | null {
  const names = Object.keys(properties);
  for (const { column, classOf } of columns[shape]) {
    for (const name of names) {
      if (!column.test(foldCase(name))) continue;
      const found = classOf(textOf(properties[name]) ?? '');
      if (found !== null) return found;
    }
  }
  return null;
}
