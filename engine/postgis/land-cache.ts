/** What is worth keeping between questions, while no push changed the land. */
/** A market's model takes up to 40 MB. */
const mostKept = 5;

export class KeptLand {
  readonly #values = new Map<string, { readonly stamp: string; readonly value: unknown }>();

  /** @param stamp equal while the land is */
  async keep<Value>(name: string, stamp: string, make: () => Promise<Value>): Promise<Value> {
    const known = this.#values.get(name);
    if (known?.stamp === stamp) return known.value as Value;
    const value = await make();
    this.#values.delete(name);
    this.#values.set(name, { stamp, value });
    const [oldest] = this.#values.keys();
    if (this.#values.size > mostKept && oldest !== undefined) this.#values.delete(oldest);
    return value;
  }
}
