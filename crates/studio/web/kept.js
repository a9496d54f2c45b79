// Whether what a panel works on is as it was saved or opened last.

export class Kept {
  /** @param {() => unknown} state what would be lost */
  constructor(state) {
    this.state = state;
    this.text = JSON.stringify(state());
  }

  /** It was saved, or opened. */
  mark() {
    this.text = JSON.stringify(this.state());
  }

  get isUnsaved() {
    return JSON.stringify(this.state()) !== this.text;
  }
}
