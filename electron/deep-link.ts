/** `platbook://parcel/ID`, which any program may hand over: a number and nothing else comes in. */

export const linkScheme = 'platbook';

/** The parcel; null for every other text. Some systems put a slash at the end. */
export function parseDeepLink(text: string): { readonly parcel: number } | null {
  const digits = /^platbook:\/\/parcel\/(\d{1,16})\/?$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const parcel = Number(digits);
  return Number.isSafeInteger(parcel) ? { parcel } : null;
}
