/** What becomes of accounts without a shape of their own: condominiums, mobile homes, leased ground. */

export const accountChoices = ['left-out', 'without-shapes', 'stacked'] as const;
export type AccountChoice = (typeof accountChoices)[number];

/** As select fields and help say it. */
export const accountWords: Readonly<Record<AccountChoice, string>> = {
  'left-out': 'left out',
  'without-shapes': 'kept without a shape',
  stacked: 'placed on the lot whose number theirs begins with',
};
