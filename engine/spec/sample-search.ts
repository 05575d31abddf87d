/** The first search of the sample county, which `npm start` asks of the API and a new window shows, and where it looks. */
export const sampleSearch = {
  ...{ county: '99001', acres_min: 5, acres_max: 40 },
  ...{ vacant_only: true, out_of_state_owner: true },
} as const;

/** North of the middle of Wrenfield, at about 1:40,000. */
export const sampleView = { center: [-71.838, 44.109], zoom: 12.4 } as const;
