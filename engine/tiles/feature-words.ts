/** What letters on the map say of a feature beside its name: the number on a road's shield, the height of a summit. */

/** `State Rte 118`, `US Hwy 2`, `I- 93`, `NH 11`: the number is on the shield. */
const route =
  /^(?:I|interstate|u\.?s\.?|state|route|rte|hwy|highway|[A-Z]{2})\.?(?:[- ]+(?:hwy|highway|route|rte|rd|road|sr))?[- ]+(\d{1,4}[A-Z]?)$/i;

/** The number of a route; null if it is none. */
export const routeNumber = (text: string): string | null => route.exec(text.trim())?.[1] ?? null;

/** From a road's own column, else from its name. @param properties JSON */
export function shieldOf(name: string | null, properties: string | null): string | null {
  const ref = columnOf(properties, /^ref$/i);
  const [first = ''] = typeof ref === 'string' ? ref.split(';') : [];
  return routeNumber(first) ?? (name === null ? null : routeNumber(name));
}

const heightColumns: readonly { readonly column: RegExp; readonly feet: number }[] = [
  { column: /^(ft|feet|elev(ation)?_?(in_)?(ft|feet))$/i, feet: 1 },
  { column: /^(ele|elev(ation)?(_?(in_)?(m|meters))?)$/i, feet: 1 / 0.3048 },
];

/** The height that the file gives a summit, in whole feet; null without one. @param properties JSON */
export function heightOf(properties: string | null): number | null {
  for (const { column, feet } of heightColumns) {
    const given = columnOf(properties, column);
    const height = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
    if (typeof height === 'number' && Number.isFinite(height)) return Math.round(height * feet);
  }
  return null;
}

function columnOf(properties: string | null, column: RegExp): unknown {
  if (properties === null) return null;
  try {
    const all = JSON.parse(properties) as Readonly<Record<string, unknown>>;
    const name = Object.keys(all).find((one) => column.test(one));
    return name === undefined ? null : all[name];
  } catch {
    return null;
  }
}
