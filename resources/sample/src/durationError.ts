/** A text that is no duration. `position` is where it stops making sense, from 0. */
export class DurationError extends Error {
  readonly position: number;

  constructor(problem: string, text: string, position: number) {
    super(`${problem}\n  ${text}\n  ${' '.repeat(position)}^`);
    this.name = 'DurationError';
    this.position = position;
  }
}
