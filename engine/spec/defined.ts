/** Options without the undefined ones: the callee chooses for an absent option. */
type Undefinable<Fields> = { [Key in keyof Fields]: undefined extends Fields[Key] ? Key : never }[keyof Fields];

type Defined<Fields> = Omit<Fields, Undefinable<Fields>> & {
  [Key in Undefinable<Fields>]?: Exclude<Fields[Key], undefined>;
};

export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
