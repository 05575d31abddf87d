/** Groups of numbered things that are joined pair by pair (union-find, with paths halved). */
export class JoinedGroups {
  readonly #parents: number[];

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, at) => at);
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#root(one), this.#root(other)];
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  isJoined(one: number, other: number): boolean {
    return this.#root(one) === this.#root(other);
  }

  /** Each thing in exactly one group, ascending; groups in the order of their first. */
  groups(): number[][] {
    return [...Map.groupBy(this.#parents.keys(), (at) => this.#root(at)).values()];
  }

  #root(at: number): number {
    let found = at;
    while (this.#parents[found] !== found) {
      this.#parents[found] = this.#parents[this.#parents[found] as number] as number;
      found = this.#parents[found] as number;
    }
    return found;
  }
}
