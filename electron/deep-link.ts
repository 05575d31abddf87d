/** `platbook://parcel/ID`, which any program may send: only a number is accepted. */

export const linkScheme = 'platbook';

/** The parcel; null for every other text. Some systems append a slash. */
export function parseDeepLink(text: string): { readonly parcel: number } | null {
  const digits = /^platbook:\/\/parcel\/(\d{1,16})\/?$/.exec(text)?.[1];
  if (digits === undefined) return null;
  const parcel = Number(digits);
  return Number.isSafeInteger(parcel) ? { parcel } : null;
}
