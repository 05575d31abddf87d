/** Some of many, evenly in their sequence, without knowing their number: once there are too many, every other one goes. */
export class EvenSample<One> {
  kept: One[] = [];
  readonly #most: number;
  #seen = 0;
  #each = 1;

  constructor(most: number) {
    this.#most = most;
  }

  add(one: One): void {
    if (this.#seen++ % this.#each !== 0) return;
    this.kept.push(one);
    if (this.kept.length <= this.#most) return;
    this.kept = this.kept.filter((_, i) => i % 2 === 0);
    this.#each *= 2;
  }
}
